import { assert, InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { characterClasses } from './characters.ts';
import { GrowingBytes } from './growing-bytes.ts';
import {
  type PdfDict,
  PdfName,
  type PdfObject,
  PdfRaw,
  PdfReference,
  PdfStream,
  PdfString,
} from './objects.ts';

/** Maximum length of one update. */
const MAX_BYTES = 2 ** 31 - 1;
const HEX = '0123456789abcdef';
/** Maximum number of cached serialized names, because a file can contain any number of them. */
const KEPT_NAMES = 4_096;
const writtenNames = new Map<string, string>();

/** Writes objects one after another and records the positions of marked bytes. */
export class PdfWriter {
  readonly output: GrowingBytes;
  readonly #marks = new Map<string, number>();

  constructor(startBytes = 8_192) {
    this.output = new GrowingBytes(startBytes, MAX_BYTES);
  }

  /** Position of each marked {@link PdfRaw}, relative to the first byte written. */
  get marks(): ReadonlyMap<string, number> {
    return this.#marks;
  }

  /** Writes characters up to U+00FF unchanged. */
  text(text: string): void {
    this.output.appendLatin1(text);
  }

  /**
   * Writes `12 0 obj`, the object and `endobj`, each on a separate line.
   *
   * @throws limit.exceeded if it is nested too deeply
   */
  indirect(reference: PdfReference, object: PdfObject): void {
    this.text(`${reference.objectNumber} ${reference.generation} obj\n`);
    if (object instanceof PdfStream) this.#stream(object);
    else this.value(object);
    this.text('\nendobj\n');
  }

  /**
   * Writes one value; a stream can only be an indirect object.
   *
   * @throws limit.exceeded if it is nested too deeply
   */
  value(object: PdfObject, depth = 0): void {
    if (depth > limits.pdfDepth) {
      const message = `objects are nested deeper than ${limits.pdfDepth}`;
      throw new InnsigliError('limit.exceeded', message);
    }
    if (object === null) this.text('null');
    else if (typeof object === 'number') this.text(formatNumber(object));
    else if (typeof object === 'boolean') this.text(object ? 'true' : 'false');
    else if (object instanceof PdfName) this.#name(object.value);
    else if (object instanceof PdfReference) {
      this.text(`${object.objectNumber} ${object.generation} R`);
    } else if (object instanceof PdfString) this.#string(object);
    else if (object instanceof PdfRaw) this.#raw(object);
    else if (object instanceof PdfStream) assert(false, 'a stream is an indirect object');
    else if (object instanceof Map) this.#dict(object, depth);
    else this.#array(object as readonly PdfObject[], depth);
  }

  #stream(stream: PdfStream): void {
    const { raw } = stream;
    const dict = new Map(stream.dict);
    dict.set('Length', raw.length);
    this.value(dict);
    this.text('\nstream\n');
    this.output.append(raw);
    this.text('\nendstream');
  }

  #dict(dict: PdfDict, depth: number): void {
    this.text('<<');
    for (const [key, value] of dict) {
      this.#name(key);
      if (!startsItself(value)) this.text(' ');
      this.value(value, depth + 1);
    }
    this.text('>>');
  }

  #array(items: readonly PdfObject[], depth: number): void {
    this.text('[');
    for (let i = 0; i < items.length; i++) {
      if (i > 0) this.text(' ');
      this.value(items[i] as PdfObject, depth + 1);
    }
    this.text(']');
  }

  #name(value: string): void {
    let text = writtenNames.get(value);
    if (text === undefined) {
      text = formatName(value);
      if (writtenNames.size < KEPT_NAMES) writtenNames.set(value, text);
    }
    this.text(text);
  }

  #string(string: PdfString): void {
    if (string.hex) {
      const { bytes } = string;
      this.text('<');
      this.text(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex'));
      this.text('>');
      return;
    }
    const { output } = this;
    output.push(0x28);
    for (const byte of string.bytes) {
      if (byte === 0x0d) this.text('\\r');
      else if (byte === 0x0a) this.text('\\n');
      else {
        if (byte === 0x28 || byte === 0x29 || byte === 0x5c) output.push(0x5c);
        output.push(byte);
      }
    }
    output.push(0x29);
  }

  #raw(raw: PdfRaw): void {
    if (raw.mark !== undefined) {
      assert(!this.#marks.has(raw.mark), `the mark ${raw.mark} is used twice`);
      this.#marks.set(raw.mark, this.output.lengthBytes);
    }
    this.output.append(raw.bytes);
  }
}

/**
 * The bytes of one value, without object number. Names and strings are escaped; numbers have no
 * exponent and parse to the same double.
 *
 * @throws limit.exceeded if it is nested too deeply
 */
export function serializeObject(object: PdfObject): Uint8Array {
  const writer = new PdfWriter(256);
  writer.value(object);
  return writer.output.bytes;
}

/** Whether the value starts with a delimiter, so that it needs no preceding space. */
function startsItself(value: PdfObject): boolean {
  if (value === null || typeof value !== 'object') return false;
  return !(value instanceof PdfReference || value instanceof PdfRaw);
}

function formatName(value: string): string {
  let text = '/';
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    assert(code >= 1 && code <= 0xff, 'names have characters from U+0001 to U+00FF');
    const plain = code > 0x20 && code < 0x7f && code !== 0x23 && characterClasses[code] === 0;
    text += plain ? value[i] : `#${HEX[code >> 4]}${HEX[code & 15]}`;
  }
  return text;
}

function formatNumber(value: number): string {
  assert(Number.isFinite(value), 'numbers are finite');
  const text = Object.is(value, -0) ? '0' : String(value);
  const exponentAt = text.indexOf('e');
  if (exponentAt < 0) return text;
  // "1.25e-7" or "1.25e+21": move the decimal point manually.
  const sign = text.startsWith('-') ? '-' : '';
  const [whole = '', fraction = ''] = text.slice(sign.length, exponentAt).split('.');
  const exponent = Number(text.slice(exponentAt + 1));
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(exponent, '0')}`;
}
