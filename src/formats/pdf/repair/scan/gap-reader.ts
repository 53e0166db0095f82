import { latin1Bytes } from '../../../../base/bytes.ts';
import type { ByteScanner } from './byte-scanner.ts';

/** A longer text in brackets is taken for a bracket that nothing closes. */
const STRING_BYTES = 65_536;
const PERCENT = 0x25;
const OPEN = 0x28;
const CLOSE = 0x29;
const BACKSLASH = 0x5c;

/** The end of a file or of an update. @spec ISO 32000-1 §7.5.5 */
export const END_OF_FILE = latin1Bytes('%%EOF');

/** End of the `%%EOF` at `start` when a digit stands behind it, which begins an object; else -1. */
export function endOfMarker(scanner: ByteScanner, start: number): number {
  const end = start + END_OF_FILE.length;
  const isMarker = END_OF_FILE.every((byte, i) => scanner.byteAt(start + i) === byte);
  const next = scanner.byteAt(end);
  return isMarker && next >= 0x30 && next <= 0x39 ? end : -1;
}

/**
 * Reads the bytes between objects as a reader does: the content of comments and strings is neither
 * an object nor a trailer.
 *
 * @spec ISO 32000-1 §7.2.3, §7.3.4.2
 */
export class GapReader {
  readonly #scanner: ByteScanner;
  /** Start of the bytes that were read last, and of the next token. */
  #from = -1;
  #at = 0;
  /** Up to here brackets close nothing: a row of a million of them must not cost their square. */
  #unclosedUntil = 0;

  constructor(scanner: ByteScanner) {
    this.#scanner = scanner;
  }

  /**
   * End of the comment or string around `offset`, -1 when there is none. Reading
   * starts at `from`, where no token is open.
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
    // Some programs write an update right behind a file that has no end of line.
    const marker = endOfMarker(this.#scanner, start);
    if (marker >= 0) return marker;
    let at = start + 1;
    for (; at < lengthBytes; at++) {
      const byte = this.#scanner.byteAt(at);
      if (byte === 0x0a || byte === 0x0d) break;
    }
    return at;
  }

  /** Behind the closing bracket; behind the opening one when nothing closes it. */
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
