import { createHash } from 'node:crypto';
import { isSameSecret, sha256Of } from '../../base/bytes.ts';

/**
 * Lifetime of the code of a result: covers one browser redirect and one request from the server
 * that receives it. @spec RFC 6749 §4.1.2 (ten minutes at most)
 */
export const resultLifeMs = 60_000;

/** Time after a login in which the page still issues a code: suspended browsers ask late. */
export const resultIssueMs = 180_000;

/** Length of the secret in a code, in bytes. */
export const resultSecretBytes = 32;

/** The code of a result as stored with its login. The code itself is never stored. */
export interface LoginResult {
  /** SHA-256 of the secret in the code, hexadecimal. */
  readonly sha256: string;
  readonly issuedAtMs: number;
  /** Absent until the result has been fetched. */
  readonly takenAtMs?: number;
}

/** A code: the key of its login, used to find it, and the secret, which proves possession. */
export interface ResultCode {
  /** Hexadecimal. */
  readonly loginKey: string;
  readonly secret: Uint8Array;
}

/** The code as text: 86 characters of base64url after `r`, as a leading hyphen starts options. */
export function formatResultCode({ loginKey, secret }: ResultCode): string {
  const bytes = Buffer.concat([Buffer.from(loginKey, 'hex'), secret]);
  return `r${bytes.toString('base64url')}`;
}

/** Parses a code; undefined if `text` is not a code. */
export function parseResultCode(text: string): ResultCode | undefined {
  if (!/^r[\w-]{86}$/.test(text)) return undefined;
  const bytes = Buffer.from(text.slice(1), 'base64url');
  // The last character has unused bits: accept only the canonical form.
  if (`r${bytes.toString('base64url')}` !== text) return undefined;
  return { loginKey: bytes.subarray(0, 32).toString('hex'), secret: bytes.subarray(32) };
}

/** The digest of a code's secret, as stored. */
export function resultDigest(secret: Uint8Array): string {
  return sha256Of(secret);
}

/** Whether `secret` is that of the result. */
export function isSecretOf({ sha256 }: LoginResult, secret: Uint8Array): boolean {
  return isSameSecret(sha256, resultDigest(secret));
}

/**
 * Whether `verifier` matches the challenge of the link. A link without a challenge must come
 * without a verifier; otherwise an attacker could strip the challenge from the link of another
 * person.
 *
 * @spec RFC 7636 §4.6, RFC 9700 §2.1.1
 */
export function isVerifierOf(challenge: string | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined) return challenge === verifier;
  const own = createHash('sha256').update(verifier, 'utf8').digest('base64url');
  return isSameSecret(own, challenge);
}
