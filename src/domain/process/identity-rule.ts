import {
  canFit,
  claimOf,
  type Fit,
  fitOf,
  fits,
  type Identity,
  isSameNumber,
  isSameText,
  maskedNumber,
  type ProvedIdentity,
  type SigneeLogin,
  usualSigneeIdentity,
} from '../person/index.ts';
import { refusal, type Verdict } from './guards.ts';
import type { DeliveryType, SignatureType, Signee, SigningProcess } from './process.ts';
import type { DecisionContext } from './turn.ts';

/** The places of one person, the others of the process or its sequence beside them. */
interface Persons {
  readonly own: readonly Signee[];
  readonly others: readonly (readonly Signee[])[];
}

/**
 * Refuses a login as this signee to a person who does not match, and to one who is another person
 * of the process or its sequence: one whose number is better known there, or who has logged in or
 * signed there already. A person who has signed one of a signee's documents signs the others.
 */
export function identityRule(
  process: SigningProcess,
  signee: Signee,
  found: Identity,
  context: DecisionContext,
): Verdict {
  const { own, others } = personsOf(process, signee, context);
  const fit = fitOf(own, found, process.policy.signeeIdentity ?? usualSigneeIdentity);
  if (fit === fits.none) return mismatch(signee, 'another person');
  const signed = own.filter((each) => hasSigned(each) && each.login !== undefined);
  if (!signed.every((each) => isLoginOf(each, found))) {
    return mismatch(signee, 'not the person who signed');
  }
  const isByLink = isAdded(signee);
  const isOther = others.some((other) => {
    if (isByLink === other.some(isAdded)) {
      return hasBetterClaim(other, found, fit) || isTakenBy(other, found, fit);
    }
    // A link holder who adds a signee must not keep out one whom the company has named: it is the
    // login there that counts, and of the added place a signature alone.
    const hasLesserRight = isByLink && hasBetterClaim(other, found, fit);
    return (
      hasLesserRight ||
      other.some((place) => isLoginOf(place, found) && (isByLink || hasSigned(place)))
    );
  });
  return isOther ? mismatch(signee, 'a person who is a different signee') : undefined;
}

/**
 * Forbids a signature of somebody who has logged in no longer, of one who has become another
 * signee meanwhile, and by another certificate than that of who has logged in.
 */
export function signerRule(
  process: SigningProcess,
  signee: Signee,
  { own, who }: { readonly own?: Identity; readonly who?: string },
  context: DecisionContext,
): Verdict {
  const login = process.requiresAuth ? signee.login : undefined;
  const isOther = who !== undefined && login !== undefined && who !== login.who;
  if (isOther || (own !== undefined && login !== undefined && !isSameNumber(own.ssn, login.ssn))) {
    return mismatch(signee, 'a different person than the signer');
  }
  const found = own ?? login;
  return found === undefined ? undefined : identityRule(process, signee, found, context);
}

/**
 * The login that a signature depends on: that of the certificate, or the one that the process
 * requires or that was displayed. For a signature by link alone, an earlier login proves nothing.
 */
export function loginBehind(
  { requiresAuth }: SigningProcess,
  { login }: Signee,
  { own, who }: { readonly own?: ProvedIdentity; readonly who?: string },
  nowMs: number,
): SigneeLogin | undefined {
  if (own !== undefined) return { ...own, atMs: nowMs };
  return requiresAuth || (who !== undefined && who === login?.who) ? login : undefined;
}

/** Refuses to start a login that can never prove the identity of the signee. */
export function startRule(
  process: SigningProcess,
  signee: Signee,
  tellsPhone: boolean,
  context: Pick<DecisionContext, 'persons'>,
): Verdict {
  const { own } = personsOf(process, signee, context);
  const rule = process.policy.signeeIdentity ?? usualSigneeIdentity;
  if (canFit(own, rule, tellsPhone)) return undefined;
  const hasPhone = own.some(({ phoneNumber }) => phoneNumber !== undefined);
  return refusal(
    'authentication.error.signee.unprovable',
    hasPhone
      ? `only a phone is known for signee ${signee.key}, which this type of login does not provide`
      : `no number is known for signee ${signee.key}, and the process accepts logins only by ` +
          'number',
    hasPhone ? 'log in by SIM' : 'a signee with a national number or phone can log in',
  );
}

/** Data about a login in the rows of the log; a differing given name is added. */
export function toldLogin(
  { name, byLink }: Pick<Signee, 'name' | 'byLink'>,
  login: Identity | undefined,
): Readonly<Record<string, string>> {
  if (login === undefined) return {};
  return {
    loginName: login.name,
    loginNumber: maskedNumber(login.ssn),
    ...(isSameText(name, login.name) ? {} : { [nameBy(byLink)]: name }),
  };
}

function nameBy(byLink: Signee['byLink']): 'linkName' | 'senderName' {
  return byLink?.isAdded === true ? 'linkName' : 'senderName';
}

/** True when the login or signature of a signee is one of a test person or test number. */
export function restsOnTest({ login, proof }: Signee): boolean {
  return login?.isSimulated === true || proof?.channel === 'TestNumber';
}

/** True when the newest login at the place is by that person. */
export function isLoginOf({ login }: Signee, found: Pick<Identity, 'ssn'>): boolean {
  return login !== undefined && isSameNumber(login.ssn, found.ssn);
}

/** The places of the person who is that signee, the one of the signee first. */
export function signeeRefs(
  process: SigningProcess,
  signee: Signee,
  context: Pick<DecisionContext, 'persons'>,
): readonly Signee[] {
  const { own } = personsOf(process, signee, context);
  return [signee, ...own.filter(({ key }) => key !== signee.key)];
}

function personsOf(
  process: SigningProcess,
  signee: Signee,
  { persons }: Pick<DecisionContext, 'persons'>,
): Persons {
  const all = persons?.() ?? process.signees.map((each) => [each]);
  const isOwn = (places: readonly Signee[]) => places.some(({ key }) => key === signee.key);
  return { own: all.find(isOwn) ?? [signee], others: all.filter((places) => !isOwn(places)) };
}

/** True when more is known of the person at `places` that is that identity. */
function hasBetterClaim(places: readonly Signee[], found: Identity, fit: Fit): boolean {
  return (claimOf(places, found) ?? fits.none) > fit;
}

/** True when the person at `places` has shown that identity before, with no lesser right. */
function isTakenBy(places: readonly Signee[], found: Identity, fit: Fit): boolean {
  const known = Math.max(claimOf(places, found) ?? fits.none, fits.unnumbered);
  // A login that fits less keeps nobody out of their own place; a signature does.
  const taken = places.filter((place) => isLoginOf(place, found));
  return taken.some((place) => hasSigned(place) || known >= fit);
}

function isAdded({ byLink }: Signee): boolean {
  return byLink?.isAdded === true;
}

function hasSigned({ state }: Signee): boolean {
  return state === 'Signed';
}

function mismatch({ key }: Signee, who: string): Verdict {
  return refusal('authentication.error.signee.logon.mismatch', `${who} logged in as signee ${key}`);
}

/**
 * The contact data that a signee lacks for their kind of signature and of delivery, in words;
 * undefined if they can be reached.
 */
export function reachFault(
  { ssn, phoneNumber, email }: Pick<Signee, 'ssn' | 'phoneNumber' | 'email'>,
  type: SignatureType,
  delivery: DeliveryType,
): string | undefined {
  if (type === 'Qualified' && ssn === undefined && phoneNumber === undefined) {
    return 'a Qualified signature needs ssn or phone, found neither';
  }
  if (type === 'Simple' && (phoneNumber === undefined || email === undefined)) {
    return 'a Simple signature needs phone and email';
  }
  if (type === 'ClickToSign' && email === undefined) return 'a ClickToSign signature needs email';
  if (delivery === 'Sms' && type !== 'Qualified') {
    return `Sms cannot be used with ${type}: expected None or Email`;
  }
  if (delivery === 'Email' && email === undefined) return 'delivery by Email needs email';
  if (delivery === 'Sms' && phoneNumber === undefined) return 'delivery by Sms needs phone';
  return undefined;
}
