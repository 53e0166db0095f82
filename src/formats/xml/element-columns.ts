import { limits } from '../../base/limits.ts';
import { grown } from './grown.ts';
import { tooMuch } from './xml-error.ts';

/** Bytes that an element mostly takes, to grow seldom; room that is not used costs no memory. */
const BYTES_AN_ELEMENT = 64;

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
  name: Int32Array;
  /** Number of the namespace URI. */
  uri: Int32Array;
  start: Int32Array;
  tagEnd: Int32Array;
  close: Int32Array;
  end: Int32Array;
  /** Index of the parent; -1 for the root. */
  parent: Int32Array;
  after: Int32Array;
  /** Innermost namespace declaration in scope; -1 for none. */
  declared: Int32Array;
  /** Innermost `xml:` attribute in scope; -1 for none. */
  inherited: Int32Array;

  /** @param lengthBytes of the document */
  constructor(lengthBytes: number) {
    const capacity = 16 + Math.floor(lengthBytes / BYTES_AN_ELEMENT);
    this.name = new Int32Array(capacity);
    this.uri = new Int32Array(capacity);
    this.start = new Int32Array(capacity);
    this.tagEnd = new Int32Array(capacity);
    this.close = new Int32Array(capacity);
    this.end = new Int32Array(capacity);
    this.parent = new Int32Array(capacity);
    this.after = new Int32Array(capacity);
    this.declared = new Int32Array(capacity);
    this.inherited = new Int32Array(capacity);
  }

  /** Makes room for one more element and gives its index. @throws xml.limit */
  add(): number {
    if (this.count >= limits.xmlElements) throw tooMuch('elements', limits.xmlElements);
    if (this.count === this.name.length) this.#grow();
    return this.count++;
  }

  #grow(): void {
    this.name = grown(this.name);
    this.uri = grown(this.uri);
    this.start = grown(this.start);
    this.tagEnd = grown(this.tagEnd);
    this.close = grown(this.close);
    this.end = grown(this.end);
    this.parent = grown(this.parent);
    this.after = grown(this.after);
    this.declared = grown(this.declared);
    this.inherited = grown(this.inherited);
  }
}
