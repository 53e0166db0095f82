import { decodeCharacters, isSpace } from '../reading/characters.ts';
import type { KnownName, NameTable } from './name-table.ts';

/** An attribute other than a namespace declaration. */
export interface XmlAttribute {
  /** As written, including the prefix. */
  readonly name: string;
  readonly prefix: string;
  readonly localName: string;
  /** Empty if the attribute has no prefix. */
  readonly namespaceUri: string;
  /** With references resolved and white space normalised. */
  readonly value: string;
}

/**
 * Reads the attributes of a validated tag. One instance is reused for many tags, because
 * canonicalisation reads every tag of a document.
 *
 * ```
 * <a  x = "1"  p:y='2'>
 *     ^name ^start,end
 * ```
 */
export class TagReader {
  count = 0;
  /** Numbers of the names. */
  readonly names: number[] = [];
  /** Offsets of the names. */
  readonly nameStarts: number[] = [];
  /** Offsets of the start and end of the values, without quotes. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #bytes: Buffer;
  readonly #table: NameTable;

  constructor(bytes: Buffer, table: NameTable) {
    this.#bytes = bytes;
    this.#table = table;
  }

  /** Reads everything between the element name and the `>` or `/>` of the tag. */
  read(nameEnd: number): void {
    const bytes = this.#bytes;
    this.count = 0;
    for (let at = nameEnd; ; ) {
      while (isSpace(bytes[at])) at++;
      if (bytes[at] === 0x3e || bytes[at] === 0x2f) return;
      const i = this.count++;
      this.nameStarts[i] = at;
      this.names[i] = this.#table.read(at);
      at = this.#table.endOffset;
      while (bytes[at] !== 0x22 && bytes[at] !== 0x27) at++;
      const quote = bytes[at] as number;
      this.starts[i] = ++at;
      while (bytes[at] !== quote) at++;
      this.ends[i] = at++;
    }
  }

  /** Returns the properties of an attribute's name. */
  nameOf(i: number): KnownName {
    return this.#table.known[this.names[i] as number] as KnownName;
  }

  /** Returns the value of an attribute. */
  valueOf(i: number): string {
    return decodeCharacters(this.#bytes, this.starts[i] as number, this.ends[i] as number, true);
  }
}
