import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { FamilyFacts, HomeAddress } from '../../domain/auth/index.ts';

/** What is asked about a person. */
export type LookupKind = keyof LookupResults;

interface LookupResults {
  readonly address: HomeAddress;
  readonly family: FamilyFacts;
  readonly meter: boolean;
}

type Members = ReadonlyMap<string, unknown>;

const CHARACTERS_MAX = 200;

/**
 * The answer of a register about a person; undefined for a person without an entry. Members with
 * other names are ignored. Messages hold no part of the answer.
 *
 * @throws register.answer.invalid when it has another shape, or is about somebody else
 */
export function readRegisterAnswer<Kind extends LookupKind>(
  body: Uint8Array,
  ssn: string,
  kind: Kind,
): LookupResults[Kind] | undefined {
  const members = readMembers(body);
  // Answers may be mixed up on the way: data about another person must never be taken.
  if (members.get('ssn') !== ssn) throw invalid('ssn', 'the number that was asked for');
  const found = members.get('found');
  if (typeof found !== 'boolean') throw invalid('found', 'true or false');
  return found ? readers[kind](members) : undefined;
}

const readers: { readonly [Kind in LookupKind]: (members: Members) => LookupResults[Kind] } = {
  address: (members) => ({
    address: textOf(members, 'address'),
    postalCode: textOf(members, 'postalCode'),
    city: textOf(members, 'city'),
  }),
  family: (members) => {
    const partner = members.get('partnerSsn') ?? undefined;
    const partnerSsn = partner === undefined ? undefined : digitsOf(members, 'partnerSsn');
    return {
      ...defined({ partnerSsn }),
      familyNumber: digitsOf(members, 'familyNumber'),
      genderCode: digitsOf(members, 'genderCode'),
      familyStatus: digitsOf(members, 'familyStatus'),
    };
  },
  meter: (members) => {
    const hasMeter = members.get('hasMeter');
    if (typeof hasMeter === 'boolean') return hasMeter;
    throw invalid('hasMeter', 'true or false');
  },
};

function readMembers(body: Uint8Array): Members {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new InnsigliError('register.answer.invalid', `${what}: expected JSON in UTF-8`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InnsigliError('register.answer.invalid', `${what}: expected an object`);
  }
  // Own members only: none of a prototype.
  return new Map(Object.entries(value));
}

function textOf(members: Members, name: string): string {
  const text = members.get(name);
  const isText = typeof text === 'string' && text.length <= CHARACTERS_MAX;
  if (isText && !/\p{Cc}/u.test(text)) return text;
  throw invalid(name, `text of at most ${CHARACTERS_MAX} characters`);
}

function digitsOf(members: Members, name: string): string {
  const text = members.get(name);
  if (typeof text === 'string' && /^\d{1,14}$/.test(text)) return text;
  throw invalid(name, 'digits as text');
}

const what = 'the answer of the register of persons';

function invalid(name: string, expected: string): InnsigliError {
  return new InnsigliError('register.answer.invalid', `${what}: ${name}: expected ${expected}`);
}
