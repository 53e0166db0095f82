import { latin1Bytes, latin1Text } from '../../../../base/bytes.ts';
import type { ByteScanner } from './byte-scanner.ts';

/** Cached search result: first match at or after `from`. Damaged files repeat the same search. */
interface Answer {
  readonly from: number;
  /** -1 if there is none. */
  readonly at: number;
}

const NOTHING_ASKED: Answer = { from: Number.POSITIVE_INFINITY, at: -1 };
const ENDOBJ = latin1Bytes('endobj');
const ENDSTREAM = latin1Bytes('endstream');
const HEADER_BYTES = 48;
const nextHeader = /^[\0\t\n\f\r ]*\d{1,10}[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/;

/** Whether the cached result is also valid for a search starting at `from`. */
function holds(answer: Answer, from: number): boolean {
  return from >= answer.from && (answer.at < 0 || from <= answer.at);
}

/** Finds the end of stream data of unknown length. */
export class StreamEnds {
  readonly #scanner: ByteScanner;
  #end = NOTHING_ASKED;
  #endstream = NOTHING_ASKED;

  constructor(scanner: ByteScanner) {
    this.#scanner = scanner;
  }

  /** Returns the offset of the keyword that ends data without a usable length; -1 if none. */
  find(dataOffset: number): number {
    if (!holds(this.#end, dataOffset)) {
      this.#end = { from: dataOffset, at: this.#findEnd(dataOffset) };
    }
    return this.#end.at;
  }

  #findEndstream(dataOffset: number): number {
    if (!holds(this.#endstream, dataOffset)) {
      this.#endstream = { from: dataOffset, at: this.#scanner.find(ENDSTREAM, dataOffset) };
    }
    return this.#endstream.at;
  }

  /** The next `endstream`, or a preceding `endobj` that is followed by the next object. */
  #findEnd(dataOffset: number): number {
    const stop = this.#findEndstream(dataOffset);
    const limit = stop < 0 ? this.#scanner.source.lengthBytes : stop;
    let found = this.#scanner.find(ENDOBJ, dataOffset, limit);
    while (found >= 0) {
      const behind = found + ENDOBJ.length;
      const text = latin1Text(this.#scanner.view(behind, behind + HEADER_BYTES));
      if (nextHeader.test(text)) return found;
      found = this.#scanner.find(ENDOBJ, behind, limit);
    }
    return stop;
  }

  /** Whether the keyword at `stop` is `endstream`. */
  isEndstream(stop: number): boolean {
    return this.#scanner.find(ENDSTREAM, stop, stop + ENDSTREAM.length) === stop;
  }

  /** Returns the end of the data without the end of line before `endstream`. */
  trim(dataOffset: number, stop: number): number {
    let end = stop;
    if (end > dataOffset && this.#scanner.byteAt(end - 1) === 0x0a) end--;
    if (end > dataOffset && this.#scanner.byteAt(end - 1) === 0x0d) end--;
    return end;
  }
}
