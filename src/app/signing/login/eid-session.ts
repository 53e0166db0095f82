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
  /** Phone number for `Sim`, national number for `App`. Default: that of the signee. */
  readonly loginHint?: string;
  readonly includeVerificationCode?: boolean;
  /** For providers with pages of their own. */
  readonly returnUrl?: string;
  readonly endUserIp?: string;
}

/** Channel of a login, or a provider with its own codes and links. */
export interface LoginChoice extends EidChoice {
  /** Replaces SIM and app. The number is that of the signee, if known. */
  readonly method?: 'device-link' | 'eid-se';
}

/** A started session. */
export interface StartedSession extends Omit<IdentitySession, 'ref'> {
  /** Unpredictable token used for polling. */
  readonly token: string;
}

/** A token with its owner. */
export interface SessionPoll extends SigneeRequest {
  readonly token: string;
}

/** Time after the end of a session in which an earlier response still counts. */
export const graceMs = 30_000;

/** The language of a signee, as passed to the provider. */
export function languageOf({ process, signee }: SigneeInProcess): string {
  return chooseLanguage(signee.language, process.policy.language).toLowerCase();
}

/**
 * Builds the request that starts a session at the provider.
 *
 * @param places the person's signee entries, any of which may have a number
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
  // Without a number, the provider asks the person for it.
  if (hint === '' && isByCode) {
    return { start: { ...common, loginHint: hint, ...where }, standing: 'own' as const };
  }
  if (hint === undefined || hint.trim() === '') {
    const wanted = channel === 'Sim' ? 'a phone number' : 'a national number';
    const advice = 'pass it as the login hint, or choose the other channel';
    return invalid('loginHint', `expected ${wanted} for ${channel}, found none`, advice);
  }
  // A link must not send prompts to anyone but its signee.
  const standing = standingOf(places, numbers, hint);
  if (standing === undefined) throw foreignHintError();
  return { start: { ...common, loginHint: hint, ...where }, standing };
}

/**
 * Returns all entries of the person who is the signee, unless no session could ever prove the
 * identity.
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

/** Returns the session of a token. @throws process.not_found, authentication.token.invalid */
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

/** Ends a session as failed and releases its lease. */
export async function failSession(
  ports: SigningPorts,
  challenge: Challenge,
  failureCode: string,
): Promise<void> {
  await ports.store.write((unit) => failSessionIn(unit, ports, challenge, failureCode));
}

/** Code of a provider that detected itself that a different person responded. */
const otherPersonHint: EidFailCode = 'identityMismatch';

/**
 * Ends a session with the failure code of the provider and returns the result of the poll.
 *
 * @throws authentication.error.signee.logon.mismatch if the provider reports a different person
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

/** Like {@link failSession}, within a transaction. */
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
  await unit.challenges.save({ ...now, state, failureCode });
}

/** The identity of the person who responded, as stored with a signee. */
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

/** The pseudonym of a person in tokens and logins, which replaces the national number. */
export function whoIs({ vault }: Pick<SigningPorts, 'vault'>, ssn: string): string {
  return vault.index(digitsOf(ssn));
}

/** Error code of a session in which a different person responded. */
export const mismatchCode = 'authentication.error.signee.logon.mismatch';

/** The error for a response by a different person. */
export function mismatchError(): InnsigliError {
  return new InnsigliError(mismatchCode, 'the person who responded is not the signee');
}

/** Identifier of a session in evidence. Reveals nothing about the token. */
export function sessionIdOf(token: string): string {
  return sha256Of(`session ${token}`).slice(0, 32);
}
