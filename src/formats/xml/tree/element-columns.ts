import { unwrittenBytes } from '../../../base/bytes.ts';
import { limits } from '../../../base/limits.ts';
import { tooMuch } from '../reading/xml-error.ts';

/** Bytes that an element mostly takes, to grow seldom; room that is not used costs no memory. */
const BYTES_AN_ELEMENT = 32;
const COLUMNS = 10;
/** Room beyond what is expected. */
const SPARE = 1.05;

/**
 * The elements of a document as columns of numbers: 40 bytes an element, no object.
 *
 * ```
 * <a x="1">text<b/></a>
 * ^start   ^tagEnd ^close ^end      after: index of the first element behind the subtree
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
  /** Innermost namespace declaration in scope; -1 for none. */
  declared!: Int32Array;
  /** Innermost `xml:` attribute in scope; -1 for none. */
  inherited!: Int32Array;
  readonly #lengthBytes: number;
  /** Elements that a document of this length may have. */
  readonly #most: number;
  #capacity = 0;

  /** @param lengthBytes of the document */
  constructor(lengthBytes: number) {
    this.#lengthBytes = lengthBytes;
    const byLength = limits.xmlFreeElements + Math.floor(lengthBytes / limits.xmlElementBytes);
    this.#most = Math.min(limits.xmlElements, byLength);
    this.#reserve(16 + Math.floor(lengthBytes / BYTES_AN_ELEMENT));
  }

  /** Makes room for the element that starts at `offset`, and gives its index. @throws xml.limit */
  add(offset: number): number {
    if (this.count >= this.#most) throw tooMuch('elements', this.#most);
    if (this.count === this.#capacity) this.#grow(offset);
    return this.count++;
  }

  /**
   * The part of a range of indexes that holds all elements of a namespace: signatures stand at one
   * end of most documents, and what comes before is passed over much faster than by a loop.
   */
  inNamespace(uri: number, first: number, end: number): readonly [first: number, end: number] {
    const uris = this.uri.subarray(first, end);
    const start = uris.indexOf(uri);
    return start < 0 ? [end, end] : [first + start, first + uris.lastIndexOf(uri) + 1];
  }

  /**
   * Makes room for all elements, if the rest is like the part read so far: copying needs twice the
   * memory.
   */
  #grow(offset: number): void {
    const expected = Math.ceil((this.count * this.#lengthBytes * SPARE) / Math.max(1, offset));
    const least = Math.ceil(this.#capacity * 1.5);
    this.#reserve(Math.max(least, Math.min(this.#most, expected)));
  }

  /** Lays the columns with what they hold into one block of memory: one allocation, not ten. */
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
