import { createHash } from 'node:crypto';

/** Octets of a document that came as base64; undefined: it was none. */
export interface TakenDocument {
  /** Hexadecimal. */
  readonly sha256: string;
  readonly octets: Buffer | undefined;
}

const DIGITS = 4;
const OCTETS = 3;
/** A beginning of an escape: the rest comes with the next piece. */
const cutEscape = /\\(?:u[\da-fA-F]{0,3})?$/;
const escapes = /\\(?:u([\da-fA-F]{4})|(["\\/bfnrt]))/g;
const unescaped: Readonly<Record<string, string>> = {
  ...{ '"': '"', '\\': '\\', '/': '/' },
  ...{ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
};

/**
 * Decodes the text of a JSON string piece by piece, as it stands between its quotes: base64 with
 * white space, and with the escapes that some writers make of slashes. No text is ever held.
 */
export class Base64Octets {
  #octets: Buffer;
  #length = 0;
  /** Digits that make no whole octets yet. */
  #rest = '';
  /** The beginning of an escape. */
  #cut = '';
  #isPadded = false;
  #isBase64 = true;
  readonly #hash = createHash('sha256');

  /** @param sizeBytes octets that are expected at most; more find room too */
  constructor(sizeBytes: number) {
    // Memory that nothing is written to takes no room.
    this.#octets = Buffer.allocUnsafeSlow(sizeBytes);
  }

  /** Octets so far. */
  get lengthBytes(): number {
    return this.#length;
  }

  /** Takes the next piece. */
  take(piece: Buffer): void {
    if (!this.#isBase64) return;
    const text = this.#cut + piece.toString('latin1');
    this.#cut = (text.includes('\\') ? cutEscape.exec(text)?.[0] : undefined) ?? '';
    const digits = this.#rest + this.#digitsOf(text.slice(0, text.length - this.#cut.length));
    const whole = digits.length - (digits.length % DIGITS);
    this.#rest = digits.slice(whole);
    this.#decode(digits.slice(0, whole));
  }

  /** The document, when its text has ended. */
  end(): TakenDocument {
    this.#isBase64 &&= this.#cut === '' && this.#rest.length !== 1;
    this.#decode(this.#rest);
    const isDocument = this.#isBase64 && this.#length > 0;
    const octets = isDocument ? this.#octets.subarray(0, this.#length) : undefined;
    return { sha256: this.#hash.digest('hex'), octets };
  }

  /** `text` without escapes, white space and the padding at its end. */
  #digitsOf(text: string): string {
    let digits = text;
    if (digits.includes('\\')) {
      digits = digits.replaceAll(escapes, (_, code: string | undefined, letter = '') =>
        code === undefined ? (unescaped[letter] ?? '') : String.fromCharCode(Number(`0x${code}`)),
      );
    }
    if (/\s/.test(digits)) digits = digits.replaceAll(/\s+/g, '');
    const padding = digits.indexOf('=');
    if (this.#isPadded && /[^=]/.test(digits)) this.#isBase64 = false;
    if (padding < 0) return digits;
    this.#isPadded = true;
    if (/[^=]/.test(digits.slice(padding))) this.#isBase64 = false;
    return digits.slice(0, padding);
  }

  #decode(digits: string): void {
    if (digits === '' || !this.#isBase64) return;
    const octets = Buffer.from(digits, 'base64');
    // Node skips what is no base64: then there are fewer octets than digits.
    if (octets.length !== Math.floor((digits.length * OCTETS) / DIGITS)) {
      this.#isBase64 = false;
      this.#octets = Buffer.alloc(0);
      return;
    }
    const length = this.#length + octets.length;
    if (length > this.#octets.length) {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#octets.length));
      this.#octets.copy(grown, 0, 0, this.#length);
      this.#octets = grown;
    }
    octets.copy(this.#octets, this.#length);
    this.#hash.update(octets);
    this.#length = length;
  }
}
