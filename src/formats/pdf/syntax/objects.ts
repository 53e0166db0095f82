/** A name such as `/Type`. Compare `value`, not identity. @spec ISO 32000-1 §7.3.5 */
export class PdfName {
  /** The name without the slash, one character per byte, `#xx` decoded. */
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string, as bytes. @spec ISO 32000-1 §7.3.4 */
export class PdfString {
  /** Decoded bytes; may be a view of the input. */
  readonly bytes: Uint8Array;
  /** Whether it is written as `<...>` instead of `(...)`. */
  readonly hex: boolean;
  /** The digits between the brackets of `<...>`, a view; undefined if they contain spaces. */
  readonly digits: Uint8Array | undefined;
  constructor(bytes: Uint8Array, hex = false, digits?: Uint8Array) {
    this.bytes = bytes;
    this.hex = hex;
    this.digits = digits;
  }
}

/** The reference `12 0 R` to an indirect object. @spec ISO 32000-1 §7.3.10 */
export class PdfReference {
  readonly objectNumber: number;
  readonly generation: number;
  constructor(objectNumber: number, generation = 0) {
    this.objectNumber = objectNumber;
    this.generation = generation;
  }
}

/** A dictionary; the keys are names without the slash, in file order. */
export type PdfDict = ReadonlyMap<string, PdfObject>;

/** A dictionary with encoded data, which is read on access. */
export class PdfStream {
  readonly dict: PdfDict;
  readonly #raw: Uint8Array | (() => Uint8Array);
  constructor(dict: PdfDict, raw: Uint8Array | (() => Uint8Array)) {
    this.dict = dict;
    this.#raw = raw;
  }
  /** The encoded bytes, a view if the source supports it. */
  get raw(): Uint8Array {
    return typeof this.#raw === 'function' ? this.#raw() : this.#raw;
  }
}

/** Bytes written unchanged; the parser returns one for a number it cannot interpret. */
export class PdfRaw {
  readonly bytes: Uint8Array;
  /** Name under which an update reports the file offset of the bytes. */
  readonly mark: string | undefined;
  constructor(bytes: Uint8Array, mark?: string) {
    this.bytes = bytes;
    this.mark = mark;
  }
}

/** Any PDF value. */
export type PdfObject =
  | null
  | boolean
  | number
  | PdfName
  | PdfString
  | PdfReference
  | readonly PdfObject[]
  | PdfDict
  | PdfStream
  | PdfRaw;

/** Maximum number of interned names, because a file can contain any number of different ones. */
const KEPT_NAMES = 4_096;
const keptNames = new Map<string, PdfName>();

/** The name with this value (characters up to U+00FF); common names share one object. */
export function pdfName(value: string): PdfName {
  const kept = keptNames.get(value);
  if (kept !== undefined) return kept;
  const name = new PdfName(value);
  if (keptNames.size < KEPT_NAMES) keptNames.set(value, name);
  return name;
}

/** The dictionary; undefined for anything else, including a stream. */
export function asDict(value: PdfObject | undefined): PdfDict | undefined {
  return value instanceof Map ? value : undefined;
}

/** The array; undefined for anything else. */
export function asArray(value: PdfObject | undefined): readonly PdfObject[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The name; undefined for anything else. */
export function asName(value: PdfObject | undefined): PdfName | undefined {
  return value instanceof PdfName ? value : undefined;
}

/** The number; undefined for anything else. */
export function asNumber(value: PdfObject | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The number if it is a safe integer; undefined for anything else. */
export function asInteger(value: PdfObject | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The string; undefined for anything else. */
export function asString(value: PdfObject | undefined): PdfString | undefined {
  return value instanceof PdfString ? value : undefined;
}

/** The reference; undefined for anything else. */
export function asReference(value: PdfObject | undefined): PdfReference | undefined {
  return value instanceof PdfReference ? value : undefined;
}

/** The stream; undefined for anything else. */
export function asStream(value: PdfObject | undefined): PdfStream | undefined {
  return value instanceof PdfStream ? value : undefined;
}
