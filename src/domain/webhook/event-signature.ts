import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../base/bytes.ts';

/** The `EventSignature` of a payload. {@link timeStamp} is text: numbers are exact only to 2^53. */
export interface EventSignature {
  /** 100-nanosecond ticks since 0001-01-01T00:00:00Z, decimal. */
  readonly timeStamp: string;
  /** GUID with dashes. */
  readonly guid: string;
  /** Base64 of HMAC-SHA256 over {@link signedData}. */
  readonly signature: string;
  /** {@link timeStamp} and {@link guid}, concatenated. */
  readonly signedData: string;
}

/** Reason for rejecting a signature. */
export type SignatureFault =
  /** Required parts are missing. */
  | 'missing'
  /** The parts are inconsistent. */
  | 'malformed'
  /** Signed with another secret, or over other data. */
  | 'mismatch'
  /** Older than the window, possibly a replay. */
  | 'too old'
  /** The event is dated in the future. */
  | 'too new';

/** Result of a verification. */
export type SignatureVerdict =
  | { readonly isValid: true; readonly atMs: number }
  | { readonly isValid: false; readonly fault: SignatureFault };

const ticksOfEpoch = 621_355_968_000_000_000n;
const ticksPerMs = 10_000n;

/** Maximum age of a signed event for a receiver that rejects replays: 24 hours. */
export const eventWindowMs = 24 * 3_600_000;
const futureToleranceMs = 5 * 60_000;

/** Converts `atMs` (epoch) to 100-nanosecond ticks since the year 1, decimal. */
export function ticksText(atMs: number): string {
  return (BigInt(Math.trunc(atMs)) * ticksPerMs + ticksOfEpoch).toString();
}

/** The published signature of an event. It covers time and GUID, **not** the body. */
export function signEvent(input: {
  readonly atMs: number;
  readonly guid: string;
  readonly signatureKey: string;
}): EventSignature {
  const timeStamp = ticksText(input.atMs);
  const signedData = `${timeStamp}${input.guid}`;
  const signature = mac(input.signatureKey, signedData).toString('base64');
  return { timeStamp, guid: input.guid, signature, signedData };
}

/**
 * Verifies the `EventSignature` of a payload. The time is read from `SignedData`, because as a JSON
 * number it has lost its last digits. A valid result says nothing about the rest of the body.
 */
export function verifyEventSignature(
  payload: unknown,
  options: {
    readonly signatureKey: string;
    readonly nowMs: number;
    /** Undefined: any age. */
    readonly windowMs?: number;
  },
): SignatureVerdict {
  const found = member(payload, 'EventSignature');
  const [stamp, guid] = [member(found, 'TimeStamp'), member(found, 'Guid')];
  const [signature, signedData] = [member(found, 'Signature'), member(found, 'SignedData')];
  if (typeof guid !== 'string' || typeof signature !== 'string' || typeof signedData !== 'string') {
    return { isValid: false, fault: 'missing' };
  }
  const digits = signedData.slice(0, Math.max(0, signedData.length - guid.length));
  const isWhole = guid !== '' && signedData.endsWith(guid) && /^\d{1,19}$/.test(digits);
  // A parsed number and the digits round to the same double. Text is compared exactly.
  const isSame = typeof stamp === 'number' ? Number(digits) === stamp : digits === stamp;
  if (!isWhole || !isSame) return { isValid: false, fault: 'malformed' };
  const expected = mac(options.signatureKey, signedData);
  const given = Buffer.from(signature, 'base64');
  if (!isSameSecret(given, expected)) {
    return { isValid: false, fault: 'mismatch' };
  }
  const atMs = Number((BigInt(digits) - ticksOfEpoch) / ticksPerMs);
  const fault = timeFault(atMs, options.nowMs, options.windowMs);
  return fault === undefined ? { isValid: true, atMs } : { isValid: false, fault };
}

/** `too old` or `too new` for a time outside the window; undefined within it. */
export function timeFault(
  atMs: number,
  nowMs: number,
  windowMs: number | undefined,
): SignatureFault | undefined {
  if (windowMs === undefined) return undefined;
  if (nowMs - atMs > windowMs) return 'too old';
  return atMs - nowMs > Math.min(windowMs, futureToleranceMs) ? 'too new' : undefined;
}

function mac(key: string, text: string): Buffer {
  return createHmac('sha256', Buffer.from(key, 'utf8')).update(text, 'utf8').digest();
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
