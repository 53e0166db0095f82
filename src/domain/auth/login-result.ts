import { createHash } from 'node:crypto';
import { isSameSecret, sha256Of } from '../../base/bytes.ts';

/**
 * Time for which the code of a result is good: one redirection of a browser, and one request of the
 * server behind it. @spec RFC 6749 §4.1.2 (ten minutes at most)
 */
export const resultLifeMs = 60_000;

/** Time after a login in which the page still gives a code: the browser asks when it is awake. */
export const resultGivenMs = 180_000;

/** Bytes of the secret in a code. */
export const resultSecretBytes = 32;

/** The code of a result as it is kept with its login: the code itself is nowhere. */
export interface LoginResult {
  /** SHA-256 of the secret in the code, hexadecimal. */
  readonly sha256: string;
  readonly issuedAtMs: number;
  /** Absent: nobody has fetched the result. */
  readonly takenAtMs?: number;
}

/** A code: the key of its login, by which it is found, and the secret, by which it counts. */
export interface ResultCode {
  /** Hexadecimal. */
  readonly loginKey: string;
  readonly secret: Uint8Array;
}

/**
 * The code as text: `r`, because commands take what begins with a hyphen for an option, and 86
 * characters of base64url.
 */
export function formatResultCode({ loginKey, secret }: ResultCode): string {
  const bytes = Buffer.concat([Buffer.from(loginKey, 'hex'), secret]);
  return `r${bytes.toString('base64url')}`;
}

/** The parts of a code; undefined for what is none. */
export function parseResultCode(text: string): ResultCode | undefined {
  if (!/^r[\w-]{86}$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(1), 'base64url');
  // The last character has bits to spare: a code has one form.
  if (`r${bytes.toString('base64url')}` !== text) return undefined;
  return { loginKey: bytes.subarray(0, 32).toString('hex'), secret: bytes.subarray(32) };
}

/** The stored form of the secret of a code. */
export function resultDigest(secret: Uint8Array): string {
  return sha256Of(secret);
}

/** True when `secret` is that of the result. */
export function isSecretOf({ sha256 }: LoginResult, secret: Uint8Array): boolean {
  return isSameSecret(sha256, resultDigest(secret));
}

/**
 * True when `verifier` is what the challenge of the link was made of; of a link without challenge
 * when there is none: else somebody could take the challenge off the link of another person.
 *
 * @spec RFC 7636 §4.6, RFC 9700 §2.1.1
 */
export function isVerifierOf(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  const own = createHash('sha256').update(verifier, 'utf8').digest('base64url');
  return isSameSecret(own, challenge);
}
