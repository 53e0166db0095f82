import { unwrittenBytes } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import { tooMuch } from '../reading/xml-error.ts';

/** Typical length of an element in bytes, to grow rarely; unused capacity costs no memory. */
const BYTES_AN_ELEMENT = 32;
const COLUMNS = 10;
/** Extra capacity relative to the estimate. */
const SPARE = 1.05;

/**
 * The elements of a document as numeric columns: 40 bytes per element, no objects.
 *
 * ```
 * <a x="1">text<b/></a>
 * ^start   ^tagEnd ^close ^end      after: index of the first element after the subtree
 * ```
 */
export class ElementColumns {
  count = 0;
  /** Number of the name. */
  name!: Int32Array;
  /** Number of the namespace URI. */
  uri!: Int32Array;
  start!: Int32Array;
  tagEnd!: Int32Array;
  close!: Int32Array;
  end!: Int32Array;
  /** Index of the parent; -1 for the root. */
  parent!: Int32Array;
  after!: Int32Array;
  /** Innermost namespace declaration in scope; -1 if there is none. */
  declared!: Int32Array;
  /** Innermost `xml:` attribute in scope; -1 if there is none. */
  inherited!: Int32Array;
  readonly #lengthBytes: number;
  /** Maximum number of elements for a document of this length. */
  readonly #most: number;
  #capacity = 0;

  /** @param lengthBytes length of the document */
  constructor(lengthBytes: number) {
    this.#lengthBytes = lengthBytes;
    const byLength = limits.xmlFreeElements + Math.floor(lengthBytes / limits.xmlElementBytes);
    this.#most = Math.min(limits.xmlElements, byLength);
    this.#reserve(16 + Math.floor(lengthBytes / BYTES_AN_ELEMENT));
  }

  /** Adds the element that starts at `offset`, and returns its index. @throws xml.limit */
  add(offset: number): number {
    if (this.count >= this.#most) throw tooMuch('elements', this.#most);
    if (this.count === this.#capacity) this.#grow(offset);
    return this.count++;
  }

  /**
   * Returns the part of an index range that contains all elements of a namespace. Signatures are at
   * one end of most documents, and this search skips the rest much faster than a loop.
   */
  inNamespace(uri: number, first: number, end: number): readonly [first: number, end: number] {
    const uris = this.uri.subarray(first, end);
    const start = uris.indexOf(uri);
    return start < 0 ? [end, end] : [first + start, first + uris.lastIndexOf(uri) + 1];
  }

  /** Reserves capacity for all elements, going by those so far: copying needs twice the memory. */
  #grow(offset: number): void {
    const expected = Math.ceil((this.count * this.#lengthBytes * SPARE) / Math.max(1, offset));
    const least = Math.ceil(this.#capacity * 1.5);
    this.#reserve(Math.max(least, Math.min(this.#most, expected)));
  }

  /** Moves the columns into one block of memory: one allocation instead of ten. */
  #reserve(capacity: number): void {
    const lengthBytes = capacity * Int32Array.BYTES_PER_ELEMENT;
    const { buffer, byteOffset } = unwrittenBytes(COLUMNS * lengthBytes);
    let start = byteOffset;
    const column = (values: Int32Array | undefined) => {
      const room = new Int32Array(buffer, start, capacity);
      start += lengthBytes;
      if (values !== undefined) room.set(values);
      return room;
    };
    this.name = column(this.name);
    this.uri = column(this.uri);
    this.start = column(this.start);
    this.tagEnd = column(this.tagEnd);
    this.close = column(this.close);
    this.end = column(this.end);
    this.parent = column(this.parent);
    this.after = column(this.after);
    this.declared = column(this.declared);
    this.inherited = column(this.inherited);
    this.#capacity = capacity;
  }
}
