import { sha256Of } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { invalid } from '../../../base/input.ts';
import { type EidFailCode, expiredHint } from '../../../domain/auth/index.ts';
import { chooseLanguage } from '../../../domain/message/index.ts';
import {
  digitsOf,
  type Identity,
  numbersOf,
  type ProvedIdentity,
  standingOf,
} from '../../../domain/person/index.ts';
import { type Signee, signeeRefs, startRule } from '../../../domain/process/index.ts';
import type { Challenge } from '../../../domain/signing/index.ts';
import type { IdentityProvider, IdentitySession, StoreUnit } from '../../ports/index.ts';
import { requireProcess } from '../../required.ts';
import { applyCommand, readPersons, refusalError } from '../../service/index.ts';
import { unknownToken } from '../commit-signature.ts';
import type { SigneeInProcess, SigneeRequest, SigningPorts } from '../find-signee.ts';

/** Channel of a signee to the identity provider. */
export interface EidChoice {
  readonly channel: 'Sim' | 'App';
  /** Phone for `Sim`, national number for `App`; left out: that of the signee. */
  readonly loginHint?: string;
  readonly includeVerificationCode?: boolean;
  /** For providers that show pages of their own. */
  readonly returnUrl?: string;
  readonly endUserIp?: string;
}

/** Channel of a signee who logs in, or a provider with codes and links of its own. */
export interface LoginChoice extends EidChoice {
  /** In place of SIM and app; the number is that of the signee, where it is known. */
  readonly method?: 'device-link' | 'eid-se';
}

/** A session that was started. */
export interface StartedSession extends Omit<IdentitySession, 'ref'> {
  /** Unpredictable; to be polled with. */
  readonly token: string;
}

/** A token with its owner. */
export interface SessionPoll extends SigneeRequest {
  readonly token: string;
}

/** Time behind the end of a session in which an answer that came before it still counts. */
export const graceMs = 30_000;

/** The language of a signee, for their provider. */
export function languageOf({ process, signee }: SigneeInProcess): string {
  return chooseLanguage(signee.language, process.policy.language).toLowerCase();
}

/**
 * The request that starts a session at the provider.
 *
 * @param places those of the person; one of them may have a number
 * @throws validation.error, authentication.error.signee.logon.mismatch
 */
export function startRequest(
  request: LoginChoice & Pick<SigneeRequest, 'circumstances'>,
  places: readonly Signee[],
  purpose: 'auth' | 'sign',
  { text, language }: { readonly text: string; readonly language: string },
) {
  const { channel, loginHint, includeVerificationCode = false, returnUrl } = request;
  const endUserIp = request.endUserIp ?? request.circumstances.ip;
  const isByCode = request.method !== undefined;
  const numbers = isByCode ? 'any' : channel;
  const hint = loginHint ?? numbersOf(places, numbers)[0] ?? (isByCode ? '' : undefined);
  const common = { purpose, channel, text, language, includeVerificationCode };
  const where = defined({ returnUrl, endUserIp });
  // Without a number it is the person who tells it, to the provider.
  if (hint === '' && isByCode) {
    return { start: { ...common, loginHint: hint, ...where }, standing: 'own' as const };
  }
  if (hint === undefined || hint.trim() === '') {
    const wanted = channel === 'Sim' ? 'a phone number' : 'a national number';
    const advice = 'pass it as the login hint, or choose the other channel';
    return invalid('loginHint', `expected ${wanted} for ${channel}, found none`, advice);
  }
  // A link is for its signee: it rings at nobody else.
  const standing = standingOf(places, numbers, hint);
  if (standing === undefined) throw foreignHintError();
  return { start: { ...common, loginHint: hint, ...where }, standing };
}

/**
 * The places of the person who is the signee, unless no session could ever prove the identity.
 *
 * @throws authentication.error.signee.unprovable
 */
export async function requirePlaces(
  { store, identity, now }: SigningPorts,
  { process, signee }: SigneeInProcess,
  channel: EidChoice['channel'],
): Promise<readonly Signee[]> {
  const persons = await store.read((unit) => readPersons(unit, process));
  const tellsPhone = identity.phoneChannels.includes(channel);
  const refusal = startRule(process, signee, tellsPhone, persons);
  if (refusal !== undefined) throw refusalError(refusal, now());
  return signeeRefs(process, signee, persons);
}

/** The error for a login hint that is not the number of the signee. */
export function foreignHintError(): InnsigliError {
  return new InnsigliError(mismatchCode, 'the login hint is not the number of the signee', {
    details: { field: 'loginHint' },
    hint: 'omit it, or ask the company to correct the number of the signee',
  });
}

/** The session of a token. @throws process.not_found, authentication.token.invalid */
export async function findSession(
  ports: SigningPorts,
  poll: SessionPoll,
  kind: 'eid-sign' | 'eid-auth',
): Promise<Challenge & { readonly providerRef: string }> {
  const { token, processKey, signeeKey, companyKey } = poll;
  const challenge = await ports.store.read(async (unit) => {
    if (companyKey !== undefined) await requireProcess(unit, companyKey, processKey);
    return unit.challenges.find(token);
  });
  const isOurs =
    challenge?.kind === kind &&
    (challenge.provider ?? ports.identity.name) === ports.identity.name &&
    challenge.processKey === processKey &&
    challenge.signeeKey === signeeKey;
  if (!isOurs || challenge.providerRef === undefined) throw unknownToken();
  return { ...challenge, providerRef: challenge.providerRef };
}

/** Ends a session without success, and gives back the lease that it holds. */
export async function failSession(
  ports: SigningPorts,
  challenge: Challenge,
  failureCode: string,
): Promise<void> {
  await ports.store.write((unit) => failSessionIn(unit, ports, challenge, failureCode));
}

/** Word of a provider that has seen itself that somebody else answered. */
const otherPersonHint: EidFailCode = 'identityMismatch';

/**
 * Ends a session with the word of the provider for its failure, and gives the answer to the poll.
 *
 * @throws authentication.error.signee.logon.mismatch when the provider reports another person
 */
export async function endFailed(
  ports: SigningPorts,
  session: Challenge,
  hint: string,
): Promise<{ readonly state: 'failed'; readonly hint: string }> {
  const isOther = hint === otherPersonHint;
  await failSession(ports, session, isOther ? mismatchCode : hint);
  if (isOther) throw mismatchError();
  return { state: 'failed', hint };
}

/** As {@link failSession}, in a transaction. */
export async function failSessionIn(
  unit: StoreUnit,
  ports: SigningPorts,
  challenge: Challenge,
  failureCode: string,
): Promise<void> {
  const { processKey, signeeKey, leaseToken: token } = challenge;
  if (token !== undefined) {
    const command = { type: 'abandonSigning', signeeKey, token, cause: failureCode } as const;
    await applyCommand(unit, ports, processKey, command);
  }
  const now = await unit.challenges.find(challenge.token);
  if (now?.state !== 'waiting') return;
  const state = failureCode === expiredHint ? 'expired' : 'failed';
  await unit.challenges.save({ ...challenge, state, failureCode });
}

/** The identity of the person who answered, as it is stored with a signee. */
export function loginOf(
  { vault }: Pick<SigningPorts, 'vault'>,
  { name: method, isSimulated }: Pick<IdentityProvider, 'name' | 'isSimulated'>,
  { ssn, name, phoneNumber }: Identity,
): ProvedIdentity {
  return {
    ssn,
    name,
    ...defined({ phoneNumber }),
    who: whoIs({ vault }, ssn),
    method,
    ...(isSimulated ? { isSimulated } : {}),
  };
}

/** The pseudonym of a person in tokens and logins, instead of their number. */
export function whoIs({ vault }: Pick<SigningPorts, 'vault'>, ssn: string): string {
  return vault.index(digitsOf(ssn));
}

/** Error code of a session that another person answered. */
export const mismatchCode = 'authentication.error.signee.logon.mismatch';

/** The error for another person. */
export function mismatchError(): InnsigliError {
  return new InnsigliError(mismatchCode, 'the person who responded is not the signee');
}

/** The name of a session in the evidence: it tells nothing of the token that opens it. */
export function sessionIdOf(token: string): string {
  return sha256Of(`session ${token}`).slice(0, 32);
}
