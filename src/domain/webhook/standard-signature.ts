import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../base/bytes.ts';
import { invalid } from '../../base/input.ts';
import type { RandomBytes } from '../keys.ts';
import { type SignatureVerdict, timeFault } from './event-signature.ts';

const prefix = 'whsec_';
const secretBytes = 32;
const secretBytesMin = 24;
const secretBytesMax = 64;

/** Maximum clock difference between sender and receiver: 5 minutes, as in reference libraries. */
export const standardToleranceMs = 5 * 60_000;

/** Maximum number of signatures verified in one header. */
const signaturesMax = 16;

/** Generates a Standard Webhooks secret: `whsec_` and Base64 of 32 bytes. */
export function newWebhookSecret(random: RandomBytes): string {
  return `${prefix}${Buffer.from(random(secretBytes)).toString('base64')}`;
}

/**
 * Requires a secret of 24 to 64 bytes in Base64, prefixed with `whsec_`. The error does not
 * disclose it.
 *
 * @throws validation.error
 */
export function requireWebhookSecret(secret: string): void {
  const bytes = secret.startsWith(prefix) ? secretKey(secret) : undefined;
  const isExact = bytes?.toString('base64').replace(/=+$/, '') === bare(secret).replace(/=+$/, '');
  if (isExact && bytes.length >= secretBytesMin && bytes.length <= secretBytesMax) return;
  const expected = `whsec_ and base64 of ${secretBytesMin} to ${secretBytesMax} bytes`;
  invalid('secret', `expected ${expected}`);
}

/**
 * Headers of one attempt: `webhook-id`, `webhook-timestamp` (seconds) and `webhook-signature` with
 * one `v1` per secret, so that receivers can rotate secrets while both are valid.
 */
export function standardHeaders(input: {
  readonly id: string;
  readonly atMs: number;
  readonly body: Uint8Array;
  readonly secrets: readonly string[];
}): Readonly<Record<string, string>> {
  const seconds = Math.floor(input.atMs / 1000).toString();
  const signatures = input.secrets.map((secret) => {
    const digest = macOf(secret, input.id, seconds, input.body);
    return `v1,${digest.toString('base64')}`;
  });
  return {
    'webhook-id': input.id,
    'webhook-timestamp': seconds,
    'webhook-signature': signatures.join(' '),
  };
}

/** Verifies the headers of Standard Webhooks over the bytes of the body as received. */
export function verifyStandardSignature(input: {
  /** Header names are case-insensitive. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** The signature must be by any one of them. */
  readonly secrets: readonly string[];
  readonly nowMs: number;
  /** Undefined: any age. */
  readonly toleranceMs?: number;
}): SignatureVerdict {
  const headers = new Map(
    Object.entries(input.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  const id = headers.get('webhook-id');
  const seconds = headers.get('webhook-timestamp');
  const given = headers.get('webhook-signature');
  if (!id || !seconds || !given) return { isValid: false, fault: 'missing' };
  if (id.includes('.') || !/^\d{1,11}$/.test(seconds)) {
    return { isValid: false, fault: 'malformed' };
  }
  const signatures = given
    .split(' ', signaturesMax)
    .filter((each) => each.startsWith('v1,'))
    .map((each) => Buffer.from(each.slice(3), 'base64'));
  const digests = input.secrets.map((secret) => macOf(secret, id, seconds, input.body));
  const isKnown = digests.some((digest) => signatures.some((each) => isSameSecret(each, digest)));
  if (!isKnown) return { isValid: false, fault: 'mismatch' };
  const atMs = Number(seconds) * 1000;
  const fault = timeFault(atMs, input.nowMs, input.toleranceMs);
  return fault === undefined ? { isValid: true, atMs } : { isValid: false, fault };
}

function macOf(secret: string, id: string, seconds: string, body: Uint8Array): Buffer {
  return createHmac('sha256', secretKey(secret)).update(`${id}.${seconds}.`).update(body).digest();
}

function secretKey(secret: string): Buffer {
  return Buffer.from(bare(secret), 'base64');
}

function bare(secret: string): string {
  return secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
}
