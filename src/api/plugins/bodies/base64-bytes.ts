import { createHash } from 'node:crypto';

/** Bytes of a document that arrived as base64. Undefined if the text was not base64. */
export interface DecodedDocument {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly bytes: Buffer | undefined;
}

const DIGITS = 4;
const BYTES = 3;
const FIRST_BYTES = 256 * 1024;
/** Start of an escape sequence that continues in the next chunk. */
const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/;
const escapes = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/g;
const unescaped: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

const isPlain = (text: string): boolean => !/[^A-Za-z0-9+/_-]/.test(text);

/**
 * Decodes a JSON string chunk by chunk, as it appears between its quotes: base64 with white space,
 * and with the escapes that some encoders write for slashes. The text itself is never held in
 * memory.
 */
export class Base64Bytes {
  #bytes = Buffer.alloc(0);
  #length = 0;
  readonly #sizeBytes: number;
  /** Digits that do not make up whole bytes yet. */
  #rest = '';
  /** Start of an escape sequence. */
  #cut = '';
  #isPadded = false;
  #isBase64 = true;
  readonly #hash = createHash('sha256');

  /** @param sizeBytes maximum number of bytes expected; more are accepted, too */
  constructor(sizeBytes: number) {
    this.#sizeBytes = sizeBytes;
  }

  /** Bytes so far. */
  get lengthBytes(): number {
    return this.#length;
  }

  /** Decodes the next chunk. */
  take(piece: Buffer): void {
    if (!this.#isBase64) return;
    const text = this.#cut + piece.toString('latin1');
    this.#cut = '';
    const digits = this.#rest + (isPlain(text) && !this.#isPadded ? text : this.#readRest(text));
    const whole = digits.length - (digits.length % DIGITS);
    this.#rest = digits.slice(whole);
    this.#decode(digits.slice(0, whole));
  }

  /** Returns the document after the end of its text. */
  end(): DecodedDocument {
    this.#isBase64 &&= this.#cut === '' && this.#rest.length !== 1;
    this.#decode(this.#rest);
    const isDocument = this.#isBase64 && this.#length > 0;
    return { sha256: this.#hash.digest('hex'), bytes: isDocument ? this.#fitted() : undefined };
  }

  /** The bytes, copied if the unused part of their buffer is larger than they are. */
  #fitted(): Buffer {
    const bytes = this.#bytes.subarray(0, this.#length);
    if (this.#bytes.length <= 2 * this.#length) return bytes;
    const copy = Buffer.allocUnsafeSlow(this.#length);
    bytes.copy(copy);
    return copy;
  }

  /** `text` without escapes, white space and padding. */
  #readRest(text: string): string {
    this.#cut = cutEscape.exec(text)?.[0] ?? '';
    let digits = text.slice(0, text.length - this.#cut.length);
    if (digits.includes('\\')) {
      digits = digits.replaceAll(escapes, (_, code: string | undefined, letter = '') =>
        code === undefined ? (unescaped[letter] ?? '') : String.fromCharCode(Number(`0x${code}`)),
      );
    }
    digits = digits.replaceAll(/\s+/g, '');
    const padding = digits.indexOf('=');
    if (this.#isPadded && /[^=]/.test(digits)) this.#isBase64 = false;
    if (padding < 0) return digits;
    this.#isPadded = true;
    if (/[^=]/.test(digits.slice(padding))) this.#isBase64 = false;
    return digits.slice(0, padding);
  }

  #decode(digits: string): void {
    if (digits === '' || !this.#isBase64) return;
    const count = Math.floor((digits.length * BYTES) / DIGITS);
    const start = this.#length;
    if (start + count > this.#bytes.length) this.#grow(start + count);
    // Node skips what is not base64, which leaves fewer bytes than digits.
    if (this.#bytes.write(digits, start, 'base64') !== count) {
      this.#isBase64 = false;
      this.#bytes = Buffer.alloc(0);
      return;
    }
    this.#length = start + count;
    this.#hash.update(this.#bytes.subarray(start, this.#length));
  }

  /** Grows the buffer: first a little, as the document may be short, then to the expected size. */
  #grow(lengthBytes: number): void {
    const size = this.#length === 0 ? FIRST_BYTES : this.#sizeBytes;
    // Memory that is never written is not committed.
    const grown = Buffer.allocUnsafeSlow(Math.max(lengthBytes, size, 2 * this.#length));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
