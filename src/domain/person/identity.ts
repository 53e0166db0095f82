import { type Contact, isSameNumber } from './person.ts';
import { isNameOfOne } from './same-name.ts';

/**
 * Rules for logins as a signee without a known national number: no one, a person with the signee's
 * name, or anyone. A known number takes precedence over the rule.
 */
export const signeeIdentities = ['number', 'name', 'anybody'] as const;

/** One of {@link signeeIdentities}. */
export type SigneeIdentity = (typeof signeeIdentities)[number];

/** Default rule, also for processes created before the rule existed. */
export const usualSigneeIdentity: SigneeIdentity = 'name';

/** Identity as asserted by an identity provider. */
export interface Identity {
  readonly ssn: string;
  readonly name: string;
  /** Only from providers that supply it. */
  readonly phoneNumber?: string;
}

/** An identity and how it was established. */
export interface ProvedIdentity extends Identity {
  /** Opaque; equal for equal national numbers. */
  readonly who: string;
  /** Name of the identity provider. */
  readonly method: string;
  /** The login used a simulator with test persons: it proves nothing about anyone. */
  readonly isSimulated?: true;
}

/** Login of a signee, or signature with their own certificate, and its time. */
export interface SigneeLogin extends ProvedIdentity {
  readonly atMs: number;
}

/** Known name and contact data of a person as one signee. */
type Known = Pick<Contact, 'name' | 'ssn' | 'phoneNumber'>;

/** Strength of an identity's match to a person: national number over phone number over name. */
export const fits = { none: 0, unnumbered: 1, phone: 2, number: 3 } as const;

/** One of {@link fits}. */
export type Fit = (typeof fits)[keyof typeof fits];

/** The match between an identity and a person, using the data of all their signees. */
export function fitOf(places: readonly Known[], found: Identity, rule: SigneeIdentity): Fit {
  const claim = claimOf(places, found);
  if (claim !== undefined) return claim;
  if (rule === 'number') return fits.none;
  const isNamed = rule === 'anybody' || places.some(({ name }) => isNameOfOne(name, found.name));
  return isNamed ? fits.unnumbered : fits.none;
}

/** The match by number between an identity and a person; undefined if no number is known. */
export function claimOf(places: readonly Known[], found: Identity): Fit | undefined {
  const ssns = places.flatMap(({ ssn }) => ssn ?? []);
  if (ssns.length > 0) {
    return ssns.every((ssn) => isSameNumber(ssn, found.ssn)) ? fits.number : fits.none;
  }
  const phones = places.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  if (phones.length === 0) return undefined;
  const isTheirs = phones.every((phone) => isSameNumber(phone, found.phoneNumber));
  return isTheirs ? fits.phone : fits.none;
}

/** False if no login with a provider that supplies a phone number, or not, can match the person. */
export function canFit(
  places: readonly Known[],
  rule: SigneeIdentity,
  tellsPhone: boolean,
): boolean {
  if (places.some(({ ssn }) => ssn !== undefined)) return true;
  if (places.some(({ phoneNumber }) => phoneNumber !== undefined)) return tellsPhone;
  return rule !== 'number';
}

/** A national number masked for logs: only its end remains. */
export function maskedNumber(ssn: string): string {
  return `…${ssn.slice(-2)}`;
}

/** Contact data of a person as one signee. */
interface KnownPlace extends Contact {
  readonly byLink?: { readonly isAdded?: true };
  readonly login?: SigneeLogin;
}

/**
 * Relation of a number to a person. `own`: the company specified it, or the person has logged in
 * with it. `known`: specified by link. `named`: a phone number of a person whose national number
 * the company specified, so that a login reveals the owner. `any`: the owner is unknown.
 */
export type NumberStanding = 'own' | 'known' | 'named' | 'any';

/** The number to which a login is sent: the phone number, the national number, or either. */
type NumberChannel = 'Sim' | 'App' | 'any';

/** The known numbers of the person at `places`, those of the first place first. */
export function numbersOf(
  places: readonly KnownPlace[],
  channel: NumberChannel,
): readonly string[] {
  const ssns = channel === 'Sim' ? [] : places.flatMap(({ ssn }) => ssn ?? []);
  const phones = channel === 'App' ? [] : places.flatMap(({ phoneNumber }) => phoneNumber ?? []);
  return [...ssns, ...phones];
}

/** The relation of `hint` to the person at `places`; undefined for another person's number. */
export function standingOf(
  places: readonly KnownPlace[],
  channel: NumberChannel,
  hint: string,
): NumberStanding | undefined {
  const isHint = (number: string) => isSameNumber(number, hint);
  // Only data from the company bind a place to a person: a person named by link could be anyone.
  const sure = places.filter(({ byLink }) => byLink?.isAdded !== true);
  if (numbersOf(sure, channel).some(isHint)) return 'own';
  const known = numbersOf(places, channel);
  if (known.length > 0) return known.some(isHint) ? 'known' : undefined;
  if (channel !== 'Sim') return 'any';
  if (sure.some(({ login }) => isSameNumber(login?.phoneNumber, hint))) return 'own';
  return sure.some(({ ssn }) => ssn !== undefined) ? 'named' : 'any';
}
