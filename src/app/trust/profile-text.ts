import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import {
  boolean,
  integer,
  isRecord,
  list,
  number,
  object,
  oneOf,
  optional,
  type Read,
  refuse,
  string,
} from '../../base/input.ts';
import type { StoredList, TrustProfile, TrustSource } from '../ports/index.ts';

const nameForm = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** Reserved name for the roots of the operating system; no profile can have it. */
export const systemProfile = 'system';

/** @throws usage.invalid if the name is not a valid profile name */
export function requireProfileName(name: string): string {
  if (nameForm.test(name) && name !== systemProfile && !name.includes('..')) return name;
  const found = JSON.stringify(name.slice(0, 80));
  throw new InnsigliError('usage.invalid', `expected the name of a profile, found ${found}`, {
    hint: `use a to z, digits, dots and hyphens; "${systemProfile}" means the roots of the system`,
  });
}

const sha256: Read<string> = (value, path) =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value)
    ? value
    : refuse(path, 'a SHA-256', value);

const base64: Read<string> = (value, path) =>
  typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value)
    ? value
    : refuse(path, 'base64', value);

const count = integer(0, 1_000_000_000);

const storedList: Read<StoredList> = object({
  location: string,
  sha256,
  lengthBytes: count,
  formVersion: integer(5, 6),
  type: string,
  isListOfLists: boolean,
  territory: string,
  operator: string,
  sequenceNumber: count,
  issuedMs: number,
  nextUpdateMs: optional(number),
  providers: count,
  services: count,
  pointers: count,
  signer: base64,
  verifiedMs: number,
});

const source: Read<TrustSource> = object({
  location: string,
  signers: list(base64),
  territories: optional(list(string)),
  expired: oneOf(['refuse', 'warn']),
});

const profile = object({
  name: string,
  version: integer(1, 1_000_000_000),
  changedMs: number,
  source: optional(source),
  certificates: list(base64),
  lists: list(storedList),
  pivots: list(storedList),
});

/** Serializes a profile. Equal profiles yield equal texts. */
export function serializeProfile(stored: TrustProfile): string {
  const { v, ...members } = stored;
  return `${JSON.stringify({ v, ...profile(members, '') }, undefined, 1)}\n`;
}

/** Parses a serialized profile. @throws `code` if it is invalid */
export function parseProfile(
  text: string,
  code: 'trust.profile.invalid' | 'trust.bundle.invalid' = 'trust.profile.invalid',
): TrustProfile {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value) || value['v'] !== 1)
      refuse('v', '1', isRecord(value) ? value['v'] : value);
    return { v: 1, ...profile(value, '') };
  } catch (cause) {
    if (!isInnsigliError(cause) && !(cause instanceof SyntaxError)) throw cause;
    throw new InnsigliError(code, `not a trust profile: ${cause.message.slice(0, 200)}`, { cause });
  }
}
