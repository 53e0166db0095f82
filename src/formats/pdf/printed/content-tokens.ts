import { latin1Text } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { characterClasses, DELIMITER, hexValues, SPACE } from '../syntax/characters.ts';
import { PdfName, pdfName } from '../syntax/objects.ts';
import { readLiteral, readNumber } from '../syntax/scalars.ts';
import { findImageEnd } from './image-end.ts';

/** Operand of an operator; dictionaries are skipped. */
export type Operand = number | PdfName | Uint8Array | readonly Operand[];

/** Maximum number of operands stored for one operator, and of elements of an array. */
const OPERANDS = 64;
const ELEMENTS = 10_000;
/** Operators in an array that are treated as mistakes. */
const SLIPS = 8;

/**
 * Reads the operators of a content stream one by one. Meaningless bytes are skipped, as viewers do.
 *
 * @spec ISO 32000-1 §7.8.2
 */
export class ContentTokens {
  /** Operands of the operator read last. */
  operands: Operand[] = [];
  position = 0;
  /** True if an element has no end, or a doubtful one: the content after it is not fully known. */
  isBroken = false;
  readonly #bytes: Uint8Array;
  #array: Operand[] | undefined;
  /** Operators in the array. */
  #slips = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /**
   * Returns the next operator; undefined at the end.
   *
   * @throws pdf.stream.invalid if an unclosed array includes the operators after it
   */
  next(): string | undefined {
    this.operands = [];
    this.#array = undefined;
    const bytes = this.#bytes;
    while (this.position < bytes.length) {
      const byte = bytes[this.position] as number;
      const kind = characterClasses[byte];
      if (kind === SPACE) this.position++;
      else if (kind === DELIMITER) this.#readDelimited(byte);
      else {
        const operator = this.#readWord(byte);
        if (operator !== undefined) return operator;
      }
    }
    // Not every viewer skips them, so it is unknown what they paint.
    if (this.#array !== undefined && this.#slips > 0) throw swallowed();
    return undefined;
  }

  /**
   * Skips the data of an inline image: this many bytes if given, otherwise up to a separate `EI`.
   *
   * @spec ISO 32000-1 §8.9.7
   */
  skipImageData(lengthBytes?: number): void {
    const found = findImageEnd(this.#bytes, this.position, lengthBytes);
    this.position = found.end;
    if (found.isDoubtful) this.isBroken = true;
  }

  #push(operand: Operand): void {
    if (this.#array !== undefined) {
      if (this.#array.length < ELEMENTS) this.#array.push(operand);
    } else {
      if (this.operands.length >= OPERANDS) this.operands.shift();
      this.operands.push(operand);
    }
  }

  #readWord(first: number): string | undefined {
    const bytes = this.#bytes;
    const start = this.position;
    let end = start + 1;
    while (end < bytes.length && characterClasses[bytes[end] as number] === 0) end++;
    this.position = end;
    if (isOfNumber(first)) {
      end = endOfNumber(bytes, start, end);
      this.position = end;
      this.#push(readNumber(bytes, start, end) ?? lenientNumber(bytes, start, end));
      return undefined;
    }
    const word = wordAt(bytes, start, end);
    if (word === 'true' || word === 'false' || word === 'null') this.#push(0);
    else if (this.#array === undefined) return word;
    else if (++this.#slips > SLIPS) throw swallowed();
    return undefined;
  }

  #readDelimited(byte: number): void {
    const bytes = this.#bytes;
    const start = this.position++;
    switch (byte) {
      case 0x28: {
        const literal = readLiteral(bytes, start);
        this.position = literal?.end ?? bytes.length;
        if (literal !== undefined) this.#push(literal.bytes);
        else this.isBroken = true;
        return;
      }
      case 0x3c:
        if (bytes[this.position] === 0x3c) this.#skipDictionary();
        else this.#readHex();
        return;
      case 0x2f:
        this.#readName();
        return;
      case 0x5b:
        if (this.#array === undefined) this.#slips = 0;
        this.#array ??= [];
        return;
      case 0x5d: {
        const array = this.#array;
        this.#array = undefined;
        if (array !== undefined) this.#push(array);
        return;
      }
      case 0x25: {
        const isEnd = (each: number): boolean => each === 0x0a || each === 0x0d;
        while (this.position < bytes.length && !isEnd(bytes[this.position] as number)) {
          this.position++;
        }
      }
    }
  }

  #readName(): void {
    const bytes = this.#bytes;
    const start = this.position;
    let at = start;
    while (at < bytes.length && characterClasses[bytes[at] as number] === 0) at++;
    this.position = at;
    const text = latin1Text(bytes.subarray(start, at));
    const unescaped = text.replace(/#([\da-f]{2})/gi, (_, digits: string) =>
      String.fromCharCode(Number.parseInt(digits, 16)),
    );
    // Only short names are interned.
    this.#push(unescaped.length > 256 ? new PdfName(unescaped) : pdfName(unescaped));
  }

  #readHex(): void {
    const bytes = this.#bytes;
    const digits: number[] = [];
    for (; this.position < bytes.length; this.position++) {
      const byte = bytes[this.position] as number;
      if (byte === 0x3e) break;
      const value = hexValues[byte] as number;
      if (value !== 255) digits.push(value);
    }
    if (this.position >= bytes.length) this.isBroken = true;
    this.position++;
    if (digits.length % 2 === 1) digits.push(0);
    const decoded = new Uint8Array(digits.length / 2);
    for (let at = 0; at < decoded.length; at++) {
      decoded[at] = (digits[2 * at] as number) * 16 + (digits[2 * at + 1] as number);
    }
    this.#push(decoded);
  }

  #skipDictionary(): void {
    const bytes = this.#bytes;
    let depth = 0;
    this.position--;
    for (; this.position < bytes.length; this.position++) {
      const byte = bytes[this.position];
      if (byte === 0x28) {
        this.position = (readLiteral(bytes, this.position)?.end ?? bytes.length) - 1;
        continue;
      }
      if (byte !== bytes[this.position + 1]) continue;
      if (byte === 0x3c) depth++;
      else if (byte === 0x3e) depth--;
      else continue;
      this.position++;
      if (depth > 0) continue;
      this.position++;
      return;
    }
    this.isBroken = true;
  }
}

function swallowed(): InnsigliError {
  return new InnsigliError('pdf.stream.invalid', 'an array of the content has operators');
}

/** Cached operators by their bytes: creating a string costs more than executing the operator. */
const knownWords = new Map<number, string>();

function wordAt(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 3) return latin1Text(bytes.subarray(start, Math.min(end, start + 8)));
  let key = 0;
  for (let at = start; at < end; at++) key = key * 256 + (bytes[at] as number);
  const known = knownWords.get(key);
  if (known !== undefined) return known;
  const word = latin1Text(bytes.subarray(start, end));
  if (knownWords.size < 1_024) knownWords.set(key, word);
  return word;
}

/** Digits, signs and the period. */
function isOfNumber(byte: number): boolean {
  return byte <= 0x39 && byte >= 0x2b && byte !== 0x2f && byte !== 0x2c;
}

/** A number ends where a letter starts: `12Tf` is a number and an operator. */
function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = start + 1;
  while (at < end && isOfNumber(bytes[at] as number)) at++;
  return at;
}

/** The number that viewers read in `--5`, `1.2.3` and `4-2`: the numeric prefix. */
function lenientNumber(bytes: Uint8Array, start: number, end: number): number {
  const text = latin1Text(bytes.subarray(start, Math.min(end, start + 64)));
  const value = Number.parseFloat(text.replace(/^([+-])[+-]+/, '$1'));
  return Number.isFinite(value) ? value : 0;
}
