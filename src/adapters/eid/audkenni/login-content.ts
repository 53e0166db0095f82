import { createHash } from 'node:crypto';
import { EidError, type EidRequest } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { normalPhone, shortened } from '../../../base/text/index.ts';
import type { AudkenniClient } from './options.ts';
import { nationalNumber } from './person/user-info.ts';
import { hashOf } from './person/verify-signature.ts';

/** What the person is shown at a login and what they sign. */
export interface LoginContent {
  readonly channel: 'Sim' | 'App';
  readonly digest: 'sha256' | 'sha512';
  /** Random bytes whose hash is signed, base64; absent if the text itself is signed. */
  readonly challenge?: string;
  readonly text: string;
  readonly verificationCode?: string;
}

/** Hash algorithm of each channel, according to the documentation. */
export const channelDigests = { Sim: 'sha256', App: 'sha512' } as const;

const CHALLENGE_BYTES = 64;

/** Creates the content of a new login. */
export function loginContent(
  request: EidRequest,
  { options: { simSigns = 'hash' }, environment: { random } }: AudkenniClient,
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

/** The message that is signed at a login. */
export function loginMessage({ challenge, text }: LoginContent): Uint8Array {
  const bytes =
    challenge === undefined ? Buffer.from(text, 'utf8') : Buffer.from(challenge, 'base64');
  return new Uint8Array(bytes);
}

/**
 * Returns the number that identifies the person to the provider: a phone number of seven digits for
 * `Sim`, a national number of ten digits for `App`.
 *
 * @throws EidError `notAUser` if it is not a possible number; `internalError` for any other channel
 */
export function loginHintOf({ channel, loginHint }: EidRequest): string {
  if (channel === 'Sim') {
    const phone = normalPhone(loginHint);
    if (/^[678]\d{6}$/.test(phone)) return phone;
    throw new EidError('notAUser', 'expected the number of an Icelandic mobile phone');
  }
  if (channel !== 'App') throw new EidError('internalError', 'expected the channel Sim or App');
  const number = nationalNumber(loginHint);
  if (number !== undefined) return number;
  throw new EidError('notAUser', 'expected an Icelandic national number');
}

/** Four-digit code the app shows for a hash: the last two bytes of its SHA-256, modulo 10000. */
export function appVerificationCode(hash: Uint8Array): string {
  const digest = createHash('sha256').update(hash).digest();
  return String(digest.readUInt16BE(30) % 10_000).padStart(4, '0');
}

/** A code of four digits from at least four random bytes, for SIM cards, which compute no code. */
export function randomCode(random: Uint8Array): string {
  return String(Buffer.from(random).readUInt32BE(0) % 10_000).padStart(4, '0');
}

/** Maximum length of a message on a phone, in characters. */
const MOST_CHARACTERS = 60;

/**
 * Returns the text of a request as one line of at most `most` characters. The code, if any, comes
 * first, so that truncation never removes it.
 */
export function messageLine(text: string, code?: string, most = MOST_CHARACTERS): string {
  const line = `${code === undefined ? '' : `[${code}] `}${text.replace(/[\s\p{C}]+/gu, ' ')}`;
  return shortened(line.trim(), most);
}
