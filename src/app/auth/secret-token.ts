import { createHash } from 'node:crypto';
import type { RandomBytes } from '../../domain/keys.ts';

/** What is stored of a token: its SHA-256, hexadecimal. */
export function tokenDigest(token: string): string {
  return createHash('sha256').update(token, 'utf8').digest('hex');
}

/** A new token of 256 unpredictable bits. */
export function newToken(random: RandomBytes): string {
  return Buffer.from(random(32)).toString('base64url');
}
