import { type Contact, isSameNumber } from './person.ts';
import { isNameOfOne } from './same-name.ts';

/**
 * Rules for logins as a signee without a known number: nobody, a person of that name, or anybody. A
 * known number alone decides.
 */
export const signeeIdentities = ['number', 'name', 'anybody'] as const;

/** One of {@link signeeIdentities}. */
export type SigneeIdentity = (typeof signeeIdentities)[number];

/** The default rule, also for processes created before there was a choice. */
export const usualSigneeIdentity: SigneeIdentity = 'name';

/** Identity as an identity provider states it. */
export interface Identity {
  readonly ssn: string;
  readonly name: string;
  /** Only from providers that know it. */
  readonly phoneNumber?: string;
}

/** An identity with how it was shown. */
export interface ProvedIdentity extends Identity {
  /** Opaque; the same for the same national number. */
  readonly who: string;
  /** Name of the identity provider. */
  readonly method: string;
  /** Test persons were at work: it proves nothing about anybody. */
  readonly isSimulated?: true;
}

/** Login of a signee, or signature with their own certificate, with its time. */
export interface SigneeLogin extends ProvedIdentity {
  readonly atMs: number;
}

/** Name and contact data of a person in one place. */
type Known = Pick<Contact, 'name' | 'ssn' | 'phoneNumber'>;

/**
 * Strength of the match between an identity and a person: a national number counts more than a
 * phone number, and both more than a name.
 */
export const fits = { none: 0, unnumbered: 1, phone: 2, number: 3 } as const;

/** One of {@link fits}. */
export type Fit = (typeof fits)[keyof typeof fits];

/** The match between an identity and a person, by the data known at all of their places. */
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

/**
 * False when no login can ever fit the person: of a provider that tells a phone number or does not.
 */
export function canFit(
  places: readonly Known[],
  rule: SigneeIdentity,
  tellsPhone: boolean,
): boolean {
  if (places.some(({ ssn }) => ssn !== undefined)) return true;
  if (places.some(({ phoneNumber }) => phoneNumber !== undefined)) return tellsPhone;
  return rule !== 'number';
}

/** A national number as logs show it: its end. */
export function maskedNumber(ssn: string): string {
  return `…${ssn.slice(-2)}`;
}

/** Data about a person at one place. */
interface KnownPlace extends Contact {
  readonly byLink?: { readonly isAdded?: true };
  readonly login?: SigneeLogin;
}

/**
 * Relation of a number to a person. `own`: the company named it, or the person answered a login
 * there. `known`: named by a link. `named`: a phone number of a person whose national number the
 * company named, so that the login shows the owner. `any`: the owner is unknown.
 */
export type NumberStanding = 'own' | 'known' | 'named' | 'any';

/** The number that a login is sent to: the phone, the national number, or either. */
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

/** The relation of `hint` to the person at `places`; undefined for the number of another person. */
export function standingOf(
  places: readonly KnownPlace[],
  channel: NumberChannel,
  hint: string,
): NumberStanding | undefined {
  const isHint = (number: string) => isSameNumber(number, hint);
  // Only the company's word binds a place to a person: a person named by link could be anybody.
  const sure = places.filter(({ byLink }) => byLink?.isAdded !== true);
  if (numbersOf(sure, channel).some(isHint)) return 'own';
  const known = numbersOf(places, channel);
  if (known.length > 0) return known.some(isHint) ? 'known' : undefined;
  if (channel !== 'Sim') return 'any';
  if (sure.some(({ login }) => isSameNumber(login?.phoneNumber, hint))) return 'own';
  return sure.some(({ ssn }) => ssn !== undefined) ? 'named' : 'any';
}
