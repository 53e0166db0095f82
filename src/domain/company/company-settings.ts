import { isRecord, oneOf, refuse, timeZone } from '../../base/input.ts';
import { type SigneeIdentity, signeeIdentities } from '../person/index.ts';
import type { Company } from './company.ts';

/** What a company decides for all of its flows that do not say it themselves. */
export interface CompanySettings {
  readonly signeeIdentity?: SigneeIdentity;
  readonly timeZone?: string;
}

const readers: {
  readonly [Name in keyof CompanySettings]-?: (
    value: unknown,
    name: string,
  ) => CompanySettings[Name];
} = { signeeIdentity: oneOf(signeeIdentities), timeZone };

/**
 * `company` with what `input`, parsed JSON, says. Null gives a setting its default again.
 *
 * @throws validation.error for a setting that is unknown or wrong
 */
export function withSettings(company: Company, input: unknown): Company {
  if (!isRecord(input)) return refuse('settings', 'an object', input);
  const next: Record<string, unknown> = { ...company };
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(readers, name)) {
      refuse(name.slice(0, 60), `one of ${Object.keys(readers).join(', ')}`, name);
    }
    if (value === null) delete next[name];
    else next[name] = readers[name as keyof CompanySettings](value, name);
  }
  return next as unknown as Company;
}
