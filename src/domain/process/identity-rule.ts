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

/** The signees that one person is, and those of the other persons of the process or sequence. */
interface Persons {
  readonly own: readonly Signee[];
  readonly others: readonly (readonly Signee[])[];
}

/**
 * Refuses a login as this signee by a person who does not match, or who is a different person of
 * the process or its sequence: one for whom the number is a better match, or who has already logged
 * in or signed there. The person who has signed one of a signee's documents must sign the rest.
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
    // A link holder who adds a signee must not lock out a person named by the company: a login as
    // the named signee counts, but for the added signee only a signature.
    const hasLesserRight = isByLink && hasBetterClaim(other, found, fit);
    return (
      hasLesserRight ||
      other.some((place) => isLoginOf(place, found) && (isByLink || hasSigned(place)))
    );
  });
  return isOther ? mismatch(signee, 'a person who is a different signee') : undefined;
}

/**
 * Forbids a signature if the login was replaced by another person's, if the person has since become
 * a different signee, or if the certificate is not that of the person who logged in.
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
 * The login on which a signature is based: the identity in the certificate, or the login that the
 * process requires or that the signer presented. For a signature by link alone, an earlier login
 * proves nothing.
 */
export function loginOfSignature(
  { requiresAuth }: SigningProcess,
  { login }: Signee,
  { own, who }: { readonly own?: ProvedIdentity; readonly who?: string },
  nowMs: number,
): SigneeLogin | undefined {
  if (own !== undefined) return { ...own, atMs: nowMs };
  return requiresAuth || (who !== undefined && who === login?.who) ? login : undefined;
}

/** Refuses to start a login that could never prove the signee's identity. */
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

/** Data about a login for rows of the log. The given name is added if it differs. */
export function loginDetails(
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

/** Whether the login or signature of a signee is by a test person or test number. */
export function isByTestPerson({ login, proof }: Signee): boolean {
  return login?.isSimulated === true || proof?.channel === 'TestNumber';
}

/** Whether the newest login of the signee is by the person `found`. */
export function isLoginOf({ login }: Signee, found: Pick<Identity, 'ssn'>): boolean {
  return login !== undefined && isSameNumber(login.ssn, found.ssn);
}

/** All signees that are the same person as `signee`, `signee` first. */
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

/** Whether the identity matches the person at `places` better than `fit`. */
function hasBetterClaim(places: readonly Signee[], found: Identity, fit: Fit): boolean {
  return (claimOf(places, found) ?? fits.none) > fit;
}

/** Whether the person at `places` has logged in with this identity and a match at least as good. */
function isTakenBy(places: readonly Signee[], found: Identity, fit: Fit): boolean {
  const known = Math.max(claimOf(places, found) ?? fits.none, fits.unnumbered);
  // A login with a weaker match does not lock anyone out; a signature does.
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

/** A message about contact data missing for the signee's signature type and delivery, if any. */
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
