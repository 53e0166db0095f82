import { decodeCharacters, isSpace } from '../reading/characters.ts';
import type { KnownName, NameTable } from './name-table.ts';

/** An attribute, namespace declarations excepted. */
export interface XmlAttribute {
  /** As written, with its prefix. */
  readonly name: string;
  readonly prefix: string;
  readonly localName: string;
  /** Empty when the attribute has no prefix. */
  readonly namespaceUri: string;
  /** With references resolved and white space normalised. */
  readonly value: string;
}

/**
 * Reads the attributes of a tag that the parser accepted; made once and used for many tags, since
 * canonical form asks for each tag of a document.
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
  /** Bytes at which the names start. */
  readonly nameStarts: number[] = [];
  /** Bytes at which the values start and end, without quotes. */
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly #bytes: Buffer;
  readonly #table: NameTable;

  constructor(bytes: Buffer, table: NameTable) {
    this.#bytes = bytes;
    this.#table = table;
  }

  /** Reads what stands between the name of an element and the `>` or `/>` of its tag. */
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

  /** The known properties of the name of an attribute. */
  nameOf(i: number): KnownName {
    return this.#table.known[this.names[i] as number] as KnownName;
  }

  /** The value of an attribute. */
  valueOf(i: number): string {
    return decodeCharacters(this.#bytes, this.starts[i] as number, this.ends[i] as number, true);
  }
}
