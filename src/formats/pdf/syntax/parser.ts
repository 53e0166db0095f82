import { asBuffer, type ByteSource, latin1Bytes, latin1Text } from '../../../base/bytes.ts';
import { type ErrorCode, InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { budgetExceeded, type ReadBudget } from '../budget.ts';
import { characterClasses, hexValues, SPACE } from './characters.ts';
import { isLayoutEntry, isOddEntry } from './layout-entries.ts';
import {
  type PdfDict,
  type PdfName,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfString,
  pdfName,
} from './objects.ts';
import { decodeDigits, isLikeNumber, readLiteral, readNumber, unescapeName } from './scalars.ts';

/** Thrown if a token extends beyond the window, which is then enlarged. */
const endOfWindow = Object.freeze({ endOfWindow: true });
const FIRST_WINDOW_BYTES = 4_096;
/** For a source in memory, where a window is free: most signatures fit. */
const FIRST_IN_MEMORY_BYTES = 32_768;
const WINDOW_GROWTH = 8;

const strayBytes: ReadonlySet<number> = new Set(latin1Bytes('0123456789+-.R'));

/** Interned names, indexed by the hash of their bytes: common names need no new string. */
const NAME_SLOTS = 2_048;
const nameSlots: (PdfName | undefined)[] = new Array(NAME_SLOTS);

const TRUE = Uint8Array.from([0x74, 0x72, 0x75, 0x65]);
const FALSE = Uint8Array.from([0x66, 0x61, 0x6c, 0x73, 0x65]);
const NULL = Uint8Array.from([0x6e, 0x75, 0x6c, 0x6c]);

/**
 * The result of `read` for a parser at `offset`. The source is read in windows that grow until the
 * object fits: `read` may run several times and must be stateless.
 *
 * @throws pdf.truncated if the source ends inside the object
 * @throws pdf.syntax.invalid, limit.exceeded
 */
export function parseAt<T>(
  source: ByteSource,
  offset: number,
  budget: ReadBudget,
  read: (parser: PdfParser) => T,
): T {
  let windowBytes = source.bytes === undefined ? FIRST_WINDOW_BYTES : FIRST_IN_MEMORY_BYTES;
  for (;;) {
    const end = Math.min(source.lengthBytes, offset + windowBytes);
    const final = end === source.lengthBytes;
    const parser = new PdfParser(source.slice(offset, end), offset, final, budget);
    try {
      const result = read(parser);
      budget.parsedBytes -= parser.position;
      if (budget.parsedBytes < 0) throw budgetExceeded('bytes of objects');
      return result;
    } catch (error) {
      if (error !== endOfWindow) throw error;
      budget.parsedBytes -= end - offset;
      if (budget.parsedBytes < 0) throw budgetExceeded('bytes of objects');
      windowBytes *= WINDOW_GROWTH;
    }
  }
}

/**
 * Reads objects from a window of a file, or from a decoded object stream.
 *
 * @spec ISO 32000-1 §7.2, §7.3
 */
export class PdfParser {
  /** Index of the next byte in the window. */
  position = 0;
  readonly bytes: Uint8Array;
  readonly #base: number;
  readonly #final: boolean;
  readonly #budget: ReadBudget;

  /** `base` is the offset of the first byte; `final` is true if nothing follows the last one. */
  constructor(bytes: Uint8Array, base: number, final: boolean, budget: ReadBudget) {
    this.bytes = bytes;
    this.#base = base;
    this.#final = final;
    this.#budget = budget;
  }

  /** Offset of the next byte in the file or stream. */
  get offsetBytes(): number {
    return this.#base + this.position;
  }

  /** Returns an error with the position of the parser. */
  failure(message: string, code: ErrorCode = 'pdf.syntax.invalid'): InnsigliError {
    const offsetBytes = this.offsetBytes;
    return new InnsigliError(code, `${message} at byte ${offsetBytes}`, {
      details: { offsetBytes },
    });
  }

  /** What to throw at the window's end: a request for more bytes, or an error if there are none. */
  exhausted(): unknown {
    if (!this.#final) return endOfWindow;
    this.position = this.bytes.length;
    return this.failure('the data ends inside an object', 'pdf.truncated');
  }

  /** Returns the next byte; -1 at the end of the source. */
  peek(): number {
    if (this.position < this.bytes.length) return this.bytes[this.position] as number;
    if (!this.#final) throw endOfWindow;
    return -1;
  }

  /** Skips white space and, by default, comments. */
  skipSpace(comments = true): void {
    const { bytes } = this;
    const end = bytes.length;
    let at = this.position;
    for (;;) {
      while (at < end && characterClasses[bytes[at] as number] === SPACE) at++;
      if (at >= end) break;
      if (bytes[at] !== 0x25 || !comments) {
        this.position = at;
        return;
      }
      while (at < end && bytes[at] !== 0x0a && bytes[at] !== 0x0d) at++;
    }
    if (!this.#final) throw endOfWindow;
    this.position = end;
  }

  /** Skips the keyword if it is here as a whole token; returns whether it is. */
  acceptKeyword(keyword: Uint8Array): boolean {
    const { bytes, position } = this;
    for (let i = 0; i < keyword.length; i++) {
      if (position + i >= bytes.length) {
        if (!this.#final) throw endOfWindow;
        return false;
      }
      if (bytes[position + i] !== keyword[i]) return false;
    }
    if (!this.#endsToken(position + keyword.length)) return false;
    this.position = position + keyword.length;
    return true;
  }

  /** Reads the digits here as a number; undefined if none, too many, or the token continues. */
  acceptDigits(): number | undefined {
    const { bytes } = this;
    const start = this.position;
    let at = start;
    let value = 0;
    for (; at < bytes.length; at++) {
      const digit = (bytes[at] as number) - 0x30;
      if (digit < 0 || digit > 9) break;
      if (at - start >= 15) return undefined;
      value = value * 10 + digit;
    }
    if (!this.#endsToken(at) || at === start) return undefined;
    this.position = at;
    return value;
  }

  /**
   * Parses the object here. Streams are handled by the caller: their dictionary is returned.
   *
   * @throws pdf.syntax.invalid, pdf.truncated
   * @throws limit.exceeded if it is nested too deeply or has too many values
   */
  parseObject(depth = 0): PdfObject {
    this.skipSpace();
    if (--this.#budget.values < 0) throw budgetExceeded('number of values');
    const byte = this.peek();
    switch (byte) {
      case 0x2f:
        return this.parseName();
      case 0x28: {
        const literal = readLiteral(this.bytes, this.position);
        if (literal === undefined) throw this.exhausted();
        this.position = literal.end;
        return new PdfString(literal.bytes);
      }
      case 0x3c:
        if (this.#byteAt(this.position + 1) === 0x3c) return this.#parseDict(depth);
        return this.#parseHexString();
      case 0x5b:
        return this.#parseArray(depth);
      default:
        if (byte >= 0x30 && byte <= 0x39) return this.#parseNumberOrReference();
        if (byte === 0x2b || byte === 0x2d || byte === 0x2e) return this.#parseNumber();
        return this.#parseConstant(byte);
    }
  }

  /** Parses a name; the parser must be at its slash. */
  parseName(): PdfName {
    const { bytes } = this;
    const start = this.position + 1;
    let at = start;
    let hash = 0;
    let escaped = false;
    for (; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (characterClasses[byte] !== 0) break;
      if (byte === 0x23) escaped = true;
      hash = (Math.imul(hash, 31) + byte) | 0;
    }
    if (at - start > limits.pdfTokenBytes) throw this.#tooLong('name');
    if (at >= bytes.length && !this.#final) throw endOfWindow;
    this.position = at;
    if (escaped) return pdfName(unescapeName(bytes.subarray(start, at)));
    const slot = hash & (NAME_SLOTS - 1);
    const kept = nameSlots[slot];
    if (kept !== undefined && hasBytes(kept.value, bytes, start, at)) return kept;
    const name = pdfName(latin1Text(bytes.subarray(start, at)));
    nameSlots[slot] = name;
    return name;
  }

  #parseArray(depth: number): readonly PdfObject[] {
    if (depth >= limits.pdfDepth) throw this.#tooDeep();
    this.position++;
    const items: PdfObject[] = [];
    for (;;) {
      this.skipSpace();
      const byte = this.peek();
      if (byte === 0x5d) break;
      if (byte === -1) throw this.exhausted();
      items.push(this.parseObject(depth + 1));
    }
    this.position++;
    return items;
  }

  #parseDict(depth: number): PdfDict {
    if (depth >= limits.pdfDepth) throw this.#tooDeep();
    this.position += 2;
    const dict = new Map<string, PdfObject>();
    const oddKeys: string[] = [];
    let entries = 0;
    for (;;) {
      this.skipSpace();
      const byte = this.peek();
      if (byte === 0x3e) break;
      if (byte === -1) throw this.exhausted();
      if (byte !== 0x2f) {
        if (this.#skipStrayWord()) continue;
        throw this.failure('expected a name as dictionary key');
      }
      const start = this.position;
      const key = this.parseName().value;
      dict.set(key, this.parseObject(depth + 1));
      entries++;
      if (this.#budget.strict === true && isOddEntry(key, this.bytes, start, this.position)) {
        oddKeys.push(key);
      }
    }
    const odd = oddKeys.find((key) => isLayoutEntry(key, dict));
    if (odd !== undefined) throw this.failure(`/${odd} is not written as plain integers`);
    // If a key is repeated, some readers use the first value, most the last.
    if (entries !== dict.size && this.#budget.strict === true) {
      throw this.failure('a key occurs twice in the dictionary that ends');
    }
    if (this.#byteAt(this.position + 1) !== 0x3e) throw this.failure('expected ">>"');
    this.position += 2;
    return dict;
  }

  /** In a damaged file: skips a number or `R` without a key, `<</A 1 0 R 0 R/B 2>>`. */
  #skipStrayWord(): boolean {
    const budget = this.#budget;
    if (budget.strayWords === undefined) return false;
    const start = this.position;
    let at = start;
    while (strayBytes.has(this.#byteAt(at))) at++;
    if (at === start || !this.#endsToken(at)) return false;
    this.position = at;
    budget.strayWords++;
    return true;
  }

  #parseHexString(): PdfString {
    const start = this.position + 1;
    const end = asBuffer(this.bytes).indexOf(0x3e, start);
    if (end < 0) throw this.exhausted();
    const digits = this.bytes.subarray(start, end);
    const plain = decodeDigits(digits);
    if (plain !== undefined) {
      this.position = end + 1;
      return new PdfString(plain, true, digits);
    }
    const bytes = new Uint8Array((digits.length + 1) >> 1);
    let count = 0;
    for (let i = 0; i < digits.length; i++) {
      const byte = digits[i] as number;
      const value = hexValues[byte] as number;
      if (value === 255) {
        // In a damaged file, such a byte is skipped, as in other readers: a signature whose value
        // contains one is invalid, but must be found.
        const isDamaged = this.#budget.strayWords !== undefined;
        if (characterClasses[byte] === SPACE || isDamaged) continue;
        this.position = start + i;
        throw this.failure('expected a hexadecimal digit');
      }
      bytes[count >> 1] = (bytes[count >> 1] as number) | ((count & 1) === 0 ? value << 4 : value);
      count++;
    }
    this.position = end + 1;
    const value = bytes.subarray(0, (count + 1) >> 1);
    return new PdfString(value, true, count === digits.length ? digits : undefined);
  }

  #parseNumberOrReference(): PdfObject {
    const start = this.position;
    const first = this.acceptDigits();
    if (first === undefined) return this.#parseNumber();
    const behind = this.position;
    this.skipSpace();
    const byte = this.peek();
    if (byte >= 0x30 && byte <= 0x39) {
      const generation = this.acceptDigits();
      if (generation !== undefined && generation <= 65_535) {
        this.skipSpace();
        if (this.peek() === 0x52 && this.#endsToken(this.position + 1)) {
          this.position++;
          return new PdfReference(first, generation);
        }
      }
    }
    this.position = behind;
    if (start === behind) throw this.failure('expected a number');
    return first;
  }

  /**
   * Parses a number. One that ISO 32000 does not define, such as `1e30` or `--5`, is kept
   * unchanged: readers interpret it differently, and it is rarely needed.
   */
  #parseNumber(): number | PdfRaw {
    const start = this.position;
    let at = start;
    while (at < this.bytes.length && characterClasses[this.bytes[at] as number] === 0) at++;
    if (at - start > limits.pdfTokenBytes) throw this.#tooLong('number');
    if (!this.#endsToken(at)) throw this.failure('expected a number');
    const value = readNumber(this.bytes, start, at);
    const token = this.bytes.subarray(start, at);
    if (value === undefined && (this.#budget.strict === true || !isLikeNumber(token))) {
      throw this.failure('expected a number');
    }
    this.position = at;
    return value ?? new PdfRaw(Uint8Array.from(token));
  }

  #parseConstant(byte: number): boolean | null {
    if (byte === 0x74 && this.acceptKeyword(TRUE)) return true;
    if (byte === 0x66 && this.acceptKeyword(FALSE)) return false;
    if (byte === 0x6e && this.acceptKeyword(NULL)) return null;
    if (byte === -1) throw this.exhausted();
    throw this.failure('expected an object');
  }

  #byteAt(at: number): number {
    if (at < this.bytes.length) return this.bytes[at] as number;
    throw this.exhausted();
  }

  /** Whether there is no regular character at `at`. */
  #endsToken(at: number): boolean {
    if (at < this.bytes.length) return characterClasses[this.bytes[at] as number] !== 0;
    if (!this.#final) throw endOfWindow;
    return true;
  }

  #tooDeep(): InnsigliError {
    return this.failure(`objects are nested deeper than ${limits.pdfDepth}`, 'limit.exceeded');
  }

  #tooLong(what: string): InnsigliError {
    return this.failure(`a ${what} is longer than ${limits.pdfTokenBytes} bytes`, 'limit.exceeded');
  }
}

function hasBytes(text: string, bytes: Uint8Array, start: number, end: number): boolean {
  if (text.length !== end - start) return false;
  for (let i = 0; i < text.length; i++) {
    if (text.charCodeAt(i) !== bytes[start + i]) return false;
  }
  return true;
}
