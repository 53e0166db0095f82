import { unwrittenBytes } from '../../base/bytes.ts';
import { limits } from '../../base/limits.ts';
import { tooMuch } from './xml-error.ts';

/** Bytes that an element mostly takes, to grow seldom; room that is not used costs no memory. */
const BYTES_AN_ELEMENT = 32;
const COLUMNS = 10;

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
  #capacity = 0;

  /** @param lengthBytes of the document */
  constructor(lengthBytes: number) {
    this.#reserve(16 + Math.floor(lengthBytes / BYTES_AN_ELEMENT));
  }

  /** Makes room for one more element and gives its index. @throws xml.limit */
  add(): number {
    if (this.count >= limits.xmlElements) throw tooMuch('elements', limits.xmlElements);
    if (this.count === this.#capacity) this.#reserve(this.#capacity * 2);
    return this.count++;
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
