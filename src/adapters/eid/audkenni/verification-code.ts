import { createHash } from 'node:crypto';

/**
 * Four digits that the app shows for a hash: the last two bytes of the SHA-256 of its bytes, as a
 * number modulo 10000.
 */
export function appVerificationCode(hash: Uint8Array): string {
  const digest = createHash('sha256').update(hash).digest();
  return String(digest.readUInt16BE(30) % 10_000).padStart(4, '0');
}

/** Four digits made from at least four random bytes: SIM cards have no code of their own. */
export function randomCode(random: Uint8Array): string {
  return String(Buffer.from(random).readUInt32BE(0) % 10_000).padStart(4, '0');
}

/** Characters of a message that a phone shows. */
const MOST_CHARACTERS = 60;

/**
 * The text of a request as one line of at most `most` characters, the code in front when there is
 * one, so that shortening never takes it away.
 */
export function messageLine(text: string, code?: string, most = MOST_CHARACTERS): string {
  const line = `${code === undefined ? '' : `[${code}] `}${text.replace(/[\s\p{C}]+/gu, ' ')}`;
  const characters = [...line.trim()];
  if (characters.length <= most) return characters.join('');
  return `${characters.slice(0, most - 1).join('')}…`;
}
