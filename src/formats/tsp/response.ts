import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import {
  der,
  derOf,
  readDer,
  readNamedBits,
  readSequence,
  readSmallInteger,
  readText,
} from '../asn1/index.ts';
import { asTspError, readOptional } from './request.ts';

/** PKIStatus by number. @spec RFC 3161 §2.4.2 */
const statuses = [
  'granted',
  'grantedWithMods',
  'rejection',
  'waiting',
  'revocationWarning',
  'revocationNotification',
] as const;

/** Status of a response; the first two values come with a token. */
export type TimestampStatus = (typeof statuses)[number];

/** PKIFailureInfo by bit. @spec RFC 3161 §2.4.2 */
const failureBits = {
  badAlg: 0,
  badRequest: 2,
  badDataFormat: 5,
  timeNotAvailable: 14,
  unacceptedPolicy: 15,
  unacceptedExtension: 16,
  addInfoNotAvailable: 17,
  systemFailure: 25,
} as const;

/** Reason for a rejection by an authority. */
export type TimestampFailure = keyof typeof failureBits;

/** The contents of a response. */
export interface TimestampResponse {
  readonly status: TimestampStatus;
  /** Human-readable text of the authority; empty if there is none. */
  readonly statusText: string;
  readonly failure: TimestampFailure | undefined;
  /** ContentInfo, DER. */
  readonly token: Uint8Array | undefined;
}

/**
 * A TimeStampResp, DER.
 *
 * @spec RFC 3161 §2.4.2
 */
export function buildTimestampResponse(input: {
  readonly status: TimestampStatus;
  readonly statusText?: string;
  readonly failure?: TimestampFailure;
  readonly token?: Uint8Array;
}): Uint8Array {
  const status = [der.smallInteger(statuses.indexOf(input.status))];
  if (input.statusText) status.push(der.sequence(der.utf8String(input.statusText)));
  if (input.failure !== undefined) status.push(der.namedBits(1 << failureBits[input.failure]));
  const statusInfo = der.element(0x30, status);
  return input.token === undefined
    ? der.sequence(statusInfo)
    : der.sequence(statusInfo, input.token);
}

const MAX_TEXT = 500;

/**
 * Parses a TimeStampResp, but not the token in it.
 *
 * @throws tsp.invalid if it is something else, or the status is unknown
 * @spec RFC 3161 §2.4.2
 */
export function parseTimestampResponse(bytes: Uint8Array): TimestampResponse {
  return asTspError('TimeStampResp', () => {
    const [statusInfo, token] = readSequence(readDer(bytes), 'TimeStampResp');
    const [number, ...rest] = readSequence(statusInfo, 'PKIStatusInfo');
    const [texts, bits] = readOptional(rest, [0x30, 0x03]);
    const code = readSmallInteger(number, 'status');
    const status = statuses[code];
    if (status === undefined) throw new InnsigliError('tsp.invalid', `unknown status ${code}`);
    const text = texts === undefined ? '' : readSequence(texts, 'text').map(readText).join(' ');
    const failures = bits === undefined ? 0 : readNamedBits(bits, 'failure information');
    const failure = Object.entries(failureBits).find(([, bit]) => failures & (1 << bit));
    return {
      status,
      statusText: printable(text),
      failure: failure?.[0] as TimestampFailure | undefined,
      token: token === undefined ? undefined : derOf(token),
    };
  });
}

/**
 * The token of a response, not parsed.
 *
 * @throws tsa.refused if the authority rejected the request
 * @throws tsa.response.invalid if the bytes are not a response with a token
 */
export function requireToken(response: Uint8Array, authority: string): Uint8Array {
  const details = { authority };
  let answer: TimestampResponse;
  try {
    answer = parseTimestampResponse(response);
  } catch (cause) {
    if (!isInnsigliError(cause)) throw cause;
    const hint = 'check the address of the time-stamp authority';
    const message = `${authority}: ${cause.message}`;
    throw new InnsigliError('tsa.response.invalid', message, { details, hint, cause });
  }
  const { status, statusText, failure, token } = answer;
  if (status !== 'granted' && status !== 'grantedWithMods') {
    const reasons = [failure, statusText].filter((part) => part).join(': ');
    const message = `${authority} answered ${status}${reasons === '' ? '' : ` (${reasons})`}`;
    throw new InnsigliError('tsa.refused', message, { details: { ...details, status } });
  }
  if (token !== undefined) return token;
  throw new InnsigliError('tsa.response.invalid', `${authority}: granted, but no token`, {
    details,
  });
}

/** The text is used in messages: control characters are removed and the length is limited. */
function printable(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .replace(/\p{C}+/gu, ' ')
    .trim();
}
