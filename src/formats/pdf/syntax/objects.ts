/** A name such as `/Type`. Compare `value`, not identity. @spec ISO 32000-1 §7.3.5 */
export class PdfName {
  /** The name without slash, one character a byte, `#xx` decoded. */
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}

/** A string, as bytes. @spec ISO 32000-1 §7.3.4 */
export class PdfString {
  /** Decoded bytes; may be a view of the input. */
  readonly bytes: Uint8Array;
  /** True when it is written as `<...>` and not as `(...)`. */
  readonly hex: boolean;
  /** What stands between the brackets of `<...>`, a view; undefined when spaces stand there too. */
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

/** A dictionary; the keys are names without slash, in the order of the file. */
export type PdfDict = ReadonlyMap<string, PdfObject>;

/** A dictionary with encoded data; the data is fetched when it is asked for. */
export class PdfStream {
  readonly dict: PdfDict;
  readonly #raw: Uint8Array | (() => Uint8Array);
  constructor(dict: PdfDict, raw: Uint8Array | (() => Uint8Array)) {
    this.dict = dict;
    this.#raw = raw;
  }
  /** The encoded bytes, a view where the source allows it. */
  get raw(): Uint8Array {
    return typeof this.#raw === 'function' ? this.#raw() : this.#raw;
  }
}

/** Bytes that are written as they are; the reader gives one for a number that it cannot read. */
export class PdfRaw {
  readonly bytes: Uint8Array;
  /** Name under which an update reports the file offset of the bytes. */
  readonly mark: string | undefined;
  constructor(bytes: Uint8Array, mark?: string) {
    this.bytes = bytes;
    this.mark = mark;
  }
}

/** Any value that a PDF can hold. */
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

/** Names kept for reuse; bounded, because a file can hold any number of different ones. */
const KEPT_NAMES = 4_096;
const keptNames = new Map<string, PdfName>();

/** The name with this value (characters up to U+00FF); usual names share one object. */
export function pdfName(value: string): PdfName {
  const kept = keptNames.get(value);
  if (kept !== undefined) return kept;
  const name = new PdfName(value);
  if (keptNames.size < KEPT_NAMES) keptNames.set(value, name);
  return name;
}

/** The dictionary, or undefined for anything else (also for a stream). */
export function asDict(value: PdfObject | undefined): PdfDict | undefined {
  return value instanceof Map ? value : undefined;
}

/** The array, or undefined for anything else. */
export function asArray(value: PdfObject | undefined): readonly PdfObject[] | undefined {
  return Array.isArray(value) ? value : undefined;
}

/** The name, or undefined for anything else. */
export function asName(value: PdfObject | undefined): PdfName | undefined {
  return value instanceof PdfName ? value : undefined;
}

/** The number, or undefined for anything else. */
export function asNumber(value: PdfObject | undefined): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The number when it is an integer without loss, or undefined for anything else. */
export function asInteger(value: PdfObject | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined;
}

/** The string, or undefined for anything else. */
export function asString(value: PdfObject | undefined): PdfString | undefined {
  return value instanceof PdfString ? value : undefined;
}

/** The reference, or undefined for anything else. */
export function asReference(value: PdfObject | undefined): PdfReference | undefined {
  return value instanceof PdfReference ? value : undefined;
}

/** The stream, or undefined for anything else. */
export function asStream(value: PdfObject | undefined): PdfStream | undefined {
  return value instanceof PdfStream ? value : undefined;
}
