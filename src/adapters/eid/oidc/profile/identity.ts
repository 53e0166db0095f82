import { type EidAssurance, EidError, type EidIdentity } from '../../../../app/ports/index.ts';
import { isDay } from '../../../../base/time/day.ts';
import type { OidcProfile } from './profile.ts';

type Claims = Readonly<Record<string, unknown>>;

const TEXT_LENGTH = 200;

/** Patterns of national numbers, without separators. */
const numberShapes: Readonly<Record<string, RegExp>> = {
  IS: /^\d{10}$/,
  DK: /^\d{10}$/,
  SE: /^\d{12}$/,
  NO: /^\d{11}$/,
};
const otherShape = /^[0-9A-Za-z+-]{4,32}$/;

/** The national number in the claims; undefined if the broker does not disclose it. */
export function findNationalNumber(claims: Claims, profile: OidcProfile): string | undefined {
  return claimText(claims, profile.claims.nationalNumber);
}

/**
 * The identity stated by the claims.
 *
 * @param nationalNumber from the claims, or confirmed by the provider
 * @throws EidError `invalidResponse` if a claim is missing or invalid
 */
export function identityOf(
  claims: Claims,
  nationalNumber: string | undefined,
  profile: OidcProfile,
): EidIdentity {
  const country = claimText(claims, profile.claims.country)?.toUpperCase() ?? profile.country ?? '';
  if (!/^[A-Z]{2}$/.test(country)) throw missing('the country of the national number');
  const shape = numberShapes[country];
  const ssn = shape === undefined ? nationalNumber : nationalNumber?.replace(/[\s-]/g, '');
  if (ssn === undefined || !(shape ?? otherShape).test(ssn)) throw missing('the national number');
  const name = claimText(claims, profile.claims.name) ?? fullName(claims);
  if (name === undefined) throw missing('the name');
  const subject = claimText(claims, profile.claims.subject);
  if (subject === undefined) throw missing('the subject');
  const born = claimText(claims, profile.claims.birthDate);
  const birthDate = born !== undefined && isDay(born) ? born : undefined;
  const assurance = assuranceOf(claims, profile);
  const identity = { ssn, name, country, subject, assurance };
  return birthDate === undefined ? identity : { ...identity, birthDate };
}

function assuranceOf(claims: Claims, profile: OidcProfile): EidAssurance {
  for (const name of profile.claims.assurance) {
    const word = claimText(claims, [name])?.toLowerCase();
    if (word !== undefined && Object.hasOwn(profile.levels, word)) {
      return profile.levels[word] as EidAssurance;
    }
  }
  return 'unknown';
}

/** The first of the named claims that is a non-empty string of usable length, on one line. */
export function claimText(claims: Claims, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
    if (typeof value !== 'string') continue;
    const text = value.trim();
    if (text !== '' && text.length <= TEXT_LENGTH && !/\p{Cc}/u.test(text)) return text;
  }
  return undefined;
}

function fullName(claims: Claims): string | undefined {
  const parts = [claimText(claims, ['given_name']), claimText(claims, ['family_name'])];
  return parts.every((part) => part !== undefined) ? parts.join(' ') : undefined;
}

function missing(what: string): EidError {
  return new EidError('invalidResponse', `the claims do not state ${what} in a usable form`);
}
