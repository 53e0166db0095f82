import { latin1Bytes } from '../../../../base/bytes.ts';
import type { ByteScanner } from './byte-scanner.ts';

/** If a string is longer, its opening parenthesis is treated as unclosed. */
const STRING_BYTES = 65_536;
const PERCENT = 0x25;
const OPEN = 0x28;
const CLOSE = 0x29;
const BACKSLASH = 0x5c;

/** The end-of-file marker of a file or an update. @spec ISO 32000-1 §7.5.5 */
export const END_OF_FILE = latin1Bytes('%%EOF');

/** End of the `%%EOF` at `start` if followed by a digit, which starts an object; otherwise -1. */
export function endOfMarker(scanner: ByteScanner, start: number): number {
  const end = start + END_OF_FILE.length;
  const isMarker = END_OF_FILE.every((byte, i) => scanner.byteAt(start + i) === byte);
  const next = scanner.byteAt(end);
  return isMarker && next >= 0x30 && next <= 0x39 ? end : -1;
}

/**
 * Reads the bytes between objects like a PDF reader: comments and strings contain neither objects
 * nor trailers.
 *
 * @spec ISO 32000-1 §7.2.3, §7.3.4.2
 */
export class GapReader {
  readonly #scanner: ByteScanner;
  /** Start of the gap read last, and of the next token. */
  #from = -1;
  #at = 0;
  /** No parenthesis before this offset is closed: avoids quadratic cost for a million of them. */
  #unclosedUntil = 0;

  constructor(scanner: ByteScanner) {
    this.#scanner = scanner;
  }

  /**
   * Returns the end of the comment or string around `offset`; -1 if there is none. Reading starts
   * at `from`, which must be outside tokens.
   */
  hiddenUntil(from: number, offset: number): number {
    if (from !== this.#from || offset < this.#at) {
      this.#from = from;
      this.#at = from;
    }
    while (this.#at < offset) {
      const byte = this.#scanner.byteAt(this.#at);
      let end = this.#at + 1;
      if (byte === PERCENT) end = this.#commentEnd(this.#at);
      else if (byte === OPEN) end = this.#stringEnd(this.#at);
      if (end > offset) return end;
      this.#at = end;
    }
    return -1;
  }

  #commentEnd(start: number): number {
    const { lengthBytes } = this.#scanner.source;
    // Some programs append an update directly to a file without a final end of line.
    const marker = endOfMarker(this.#scanner, start);
    if (marker >= 0) return marker;
    let at = start + 1;
    for (; at < lengthBytes; at++) {
      const byte = this.#scanner.byteAt(at);
      if (byte === 0x0a || byte === 0x0d) break;
    }
    return at;
  }

  /** After the closing parenthesis; after the opening one if it is unclosed. */
  #stringEnd(start: number): number {
    if (start < this.#unclosedUntil) return start + 1;
    const limit = Math.min(this.#scanner.source.lengthBytes, start + STRING_BYTES);
    let depth = 0;
    for (let at = start; at < limit; at++) {
      const byte = this.#scanner.byteAt(at);
      if (byte === BACKSLASH) at++;
      else if (byte === OPEN) depth++;
      else if (byte === CLOSE && --depth === 0) return at + 1;
    }
    this.#unclosedUntil = limit;
    return start + 1;
  }
}
