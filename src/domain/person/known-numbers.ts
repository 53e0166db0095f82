import type { SigneeLogin } from './identity.ts';
import { type Contact, isSameNumber } from './person.ts';

/** What is known of a person at one place. */
interface KnownPlace extends Contact {
  readonly byLink?: { readonly isAdded?: true };
  readonly login?: SigneeLogin;
}

/**
 * What a number is to a person. `own`: the company has said that it is theirs, or they have
 * answered a login there. `known`: a link has said so. `named`: a phone of somebody of whom the
 * company has said the national number, so that the answer shows whose it is. `any`: it could be
 * anybody's.
 */
export type NumberStanding = 'own' | 'known' | 'named' | 'any';

/** Which numbers ring: the phone, the national number, or either. */
type NumberChannel = 'Sim' | 'App' | 'any';

/** The numbers that are known of the person at `places`, those of the first place first. */
export function numbersOf(
  places: readonly KnownPlace[],
  channel: NumberChannel,
): readonly string[] {
  const ssns = channel === 'Sim' ? [] : places.flatMap(({ ssn }) => ssn ?? []);
  const phones = channel === 'App' ? [] : places.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  return [...ssns, ...phones];
}

/** What `hint` is to the person at `places`; undefined for the number of somebody else. */
export function standingOf(
  places: readonly KnownPlace[],
  channel: NumberChannel,
  hint: string,
): NumberStanding | undefined {
  const isHint = (number: string) => isSameNumber(number, hint);
  // Only the company's word binds a place to a person: whom a link has named could be anybody.
  const sure = places.filter(({ byLink }) => byLink?.isAdded !== true);
  if (numbersOf(sure, channel).some(isHint)) return 'own';
  const known = numbersOf(places, channel);
  if (known.length > 0) return known.some(isHint) ? 'known' : undefined;
  if (channel !== 'Sim') return 'any';
  if (sure.some(({ login }) => isSameNumber(login?.phoneNumber, hint))) return 'own';
  return sure.some(({ ssn }) => ssn !== undefined) ? 'named' : 'any';
}
