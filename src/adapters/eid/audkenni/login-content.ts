import { type EidEnvironment, EidError, type EidRequest } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import type { CommonOptions } from './options.ts';
import { hashOf } from './person/verify-signature.ts';
import { appVerificationCode, messageLine, randomCode } from './verification-code.ts';

/** What a person is shown at a login, and what they sign. */
export interface LoginContent {
  readonly channel: 'Sim' | 'App';
  readonly digest: 'sha256' | 'sha512';
  /** Base64 of random bytes whose hash is signed; absent where the text itself is. */
  readonly challenge?: string;
  readonly text: string;
  readonly verificationCode?: string;
}

/** Hash algorithms that the documentation names for each channel. */
export const channelDigests = { Sim: 'sha256', App: 'sha512' } as const;

const CHALLENGE_BYTES = 64;

/** A new content for a login. */
export function loginContent(
  request: EidRequest,
  { simSigns = 'hash' }: CommonOptions,
  { random }: EidEnvironment,
): LoginContent {
  const channel = request.channel === 'Sim' ? 'Sim' : 'App';
  const digest = channelDigests[channel];
  const signsText = channel === 'Sim' && simSigns === 'text';
  const challenge = signsText ? undefined : random(CHALLENGE_BYTES);
  const withCode = request.includeVerificationCode ? randomCode(random(4)) : undefined;
  const simCode = channel === 'Sim' ? withCode : undefined;
  const appCode =
    channel === 'App' && challenge !== undefined
      ? appVerificationCode(hashOf(digest, challenge).value)
      : undefined;
  return defined({
    channel,
    digest,
    challenge: challenge === undefined ? undefined : Buffer.from(challenge).toString('base64'),
    text: messageLine(request.text, simCode),
    verificationCode: simCode ?? appCode,
  });
}

/** The bytes that are signed at a login. */
export function loginMessage({ challenge, text }: LoginContent): Uint8Array {
  const bytes =
    challenge === undefined ? Buffer.from(text, 'utf8') : Buffer.from(challenge, 'base64');
  return new Uint8Array(bytes);
}

const levels = ['unknown', 'low', 'substantial', 'high'] as const;

/** @throws EidError `assuranceTooLow` when the contract promises less than the request demands */
export function requireAssurance(
  { minAssurance }: EidRequest,
  { assurance = 'unknown' }: CommonOptions,
): void {
  if (minAssurance === undefined) return;
  if (levels.indexOf(assurance) >= levels.indexOf(minAssurance)) return;
  throw new EidError('assuranceTooLow', `expected ${minAssurance}, the contract says ${assurance}`);
}
