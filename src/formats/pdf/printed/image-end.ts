import { characterClasses, SPACE } from '../syntax/characters.ts';

/** End of an inline image. */
export interface ImageEnd {
  /** Offset after `EI`; the end of the content if there is none. */
  readonly end: number;
  /** True if the end could also be elsewhere, or there is none. */
  readonly isDoubtful: boolean;
}

/** Searches for the end of image data that starts after `start`. */
export function findImageEnd(bytes: Uint8Array, start: number, lengthBytes?: number): ImageEnd {
  if (lengthBytes !== undefined) {
    let at = start + 1 + lengthBytes;
    while (at < bytes.length && isSpace(bytes[at])) at++;
    if (isMark(bytes, at)) return { end: at + 2, isDoubtful: false };
  }
  let isDoubtful = false;
  for (let at = start + 1; at + 1 < bytes.length; at++) {
    if (!isMark(bytes, at) || !isEndOfWord(bytes, at + 2)) continue;
    // `>` ends data of the filters ASCIIHex and ASCII85.
    if (!isSpace(bytes[at - 1]) && bytes[at - 1] !== 0x3e) continue;
    if (isFollowedByText(bytes, at + 2)) return { end: at + 2, isDoubtful };
    isDoubtful = true;
  }
  return { end: bytes.length, isDoubtful: true };
}

function isMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x45 && bytes[at + 1] === 0x49;
}

function isEndOfWord(bytes: Uint8Array, at: number): boolean {
  return at >= bytes.length || characterClasses[bytes[at] as number] !== 0;
}

function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && characterClasses[byte] === SPACE;
}

/** Image data can contain `EI` by chance; then it is followed by other data, not by text. */
function isFollowedByText(bytes: Uint8Array, start: number): boolean {
  for (const byte of bytes.subarray(start, start + 10)) {
    if (byte > 0x7e || (byte < 0x20 && !isSpace(byte))) return false;
  }
  return true;
}
