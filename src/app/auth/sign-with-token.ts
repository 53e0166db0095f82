import { InnsigliError } from '../../base/errors.ts';
import { loginDeadlineMs } from '../../domain/auth/index.ts';
import { asKey, newToken } from '../../domain/keys.ts';
import type { Challenge } from '../../domain/signing/index.ts';
import type { ForeignScheme } from '../ports/index.ts';
import {
  type DrawnRequest,
  pollQualified,
  type QualifiedAnswer,
  readSignee,
  type SigneeRequest,
  type StartedSession,
  signByClick,
  startQualified,
} from '../signing/index.ts';
import { paceChallenge } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** Providers with which documents can be signed besides SIM and app. */
export type SigningScheme = Exclude<ForeignScheme, 'device-link'>;

/** Addresses of a person before and after a login, for providers with pages of their own. */
export interface ReturnPlace {
  /** Address to which the provider returns the person, with a token. */
  readonly returnUrl?: string;
  /** Address of the person, which some providers ask for. */
  readonly endUserIp?: string;
}

/**
 * Starts a signature with a foreign electronic identity.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 * @throws eid.provider.error when the provider refuses the start
 */
export async function startForeignSigning(
  ports: AuthPorts,
  scheme: SigningScheme,
  request: SigneeRequest & ReturnPlace,
): Promise<StartedSession> {
  const { signee } = await readSignee(ports, request);
  const channel = signee.ssn === undefined ? 'Sim' : 'App';
  const own = { ...ports, identity: ports.foreign[scheme] };
  return startQualified(own, { ...request, channel }, scheme);
}

/** Signs by a click, and gives a token under which that can be asked for. */
export async function signByClickWithToken(
  ports: AuthPorts,
  request: DrawnRequest,
): Promise<string> {
  const { processKey, signeeKey } = request;
  const token = newToken(ports.random);
  // With the signature, or nobody could ask for it: to sign again is refused.
  await signByClick(ports, request, async (unit) => {
    const createdAtMs = ports.now();
    const challenge: Challenge = {
      token,
      kind: 'click',
      processKey,
      signeeKey,
      tries: 0,
      createdAtMs,
      expiresAtMs: createdAtMs + loginDeadlineMs,
      state: 'done',
    };
    await unit.challenges.add(challenge);
  });
  return token;
}

/**
 * Asks how a signature stands, however it was started; `scheme` takes those of one provider only.
 *
 * @throws process.not_found also for a token that belongs to something else
 * @throws authentication.poll.too_frequent, authentication.error.signee.logon.mismatch
 */
export async function pollSigning(
  ports: AuthPorts,
  request: SigneeRequest & { readonly token: string },
  scheme?: SigningScheme,
): Promise<QualifiedAnswer> {
  const { processKey, signeeKey, token } = request;
  const nowMs = ports.now();
  const challenge = await ports.store.read(async (unit) => {
    const found = await unit.challenges.find(token);
    const isNamed = (each: Challenge | undefined, one: SigningScheme) =>
      each?.provider === ports.foreign[one].name;
    const isOurs = found?.processKey === processKey && found.signeeKey === signeeKey;
    const isPlain = scheme === undefined || found?.scheme === scheme || isNamed(found, scheme);
    if (found === undefined || !isOurs || !isPlain || found.kind === 'eid-auth') {
      throw new InnsigliError('process.not_found', 'the process has no such signature in progress');
    }
    return found;
  });
  if (challenge.kind === 'eid-sign') {
    await paceChallenge(ports, challenge, nowMs);
    return pollQualified(ports, request);
  }
  const { state, failureCode = '1121', expiresAtMs } = challenge;
  if (state === 'done') {
    const { process } = await readSignee(ports, request);
    return { state: 'signed', process };
  }
  if (state !== 'waiting' || nowMs >= expiresAtMs) return { state: 'failed', hint: failureCode };
  return { state: 'waiting' };
}

/** The request of a signee from the texts of a path. */
export function signeeRequest(
  place: { readonly processKey: string; readonly signeeKey: string },
  circumstances: SigneeRequest['circumstances'],
): SigneeRequest {
  return {
    processKey: asKey('process', place.processKey),
    signeeKey: asKey('signee', place.signeeKey),
    circumstances,
  };
}
