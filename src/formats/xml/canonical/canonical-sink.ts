import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';

const BUFFER_BYTES = 1 << 16;
/** A longer run is passed on as a view of the document instead of being copied. */
const COPIED_BYTES = 1 << 13;
/** Up to this many bytes, a loop over words, or over bytes, costs less than a native call. */
const LOOPED_WORDS = 96;
const LOOPED_BYTES = 8;
const WORD = 4;
/** Growth allowed for any document, in bytes; the rest depends on its size. */
const GROWTH_BYTES = 1 << 26;

const lineFeed = Buffer.from('\n');

/** An unused buffer, for reuse: most canonicalisations need one briefly. */
let spare: Buffer | undefined;

function takeBuffer(): Buffer {
  const buffer = spare ?? Buffer.allocUnsafe(BUFFER_BYTES + WORD);
  spare = undefined;
  return buffer;
}

function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/**
 * Collects canonical bytes. Most of a document is already canonical: adjacent ranges that are
 * copied unchanged are merged into one run, which costs one call regardless of its length.
 */
export class CanonicalSink {
  readonly #document: Buffer;
  readonly #documentWords: DataView;
  readonly #take: (piece: Uint8Array) => void;
  /** Remaining number of bytes allowed. */
  #left: number;
  readonly #buffer = takeBuffer();
  readonly #bufferWords = viewOf(this.#buffer);
  #filled = 0;
  #runStart = 0;
  #runEnd = 0;

  constructor(document: Buffer, take: (piece: Uint8Array) => void) {
    this.#document = document;
    this.#documentWords = viewOf(document);
    this.#take = take;
    const most = GROWTH_BYTES + document.length * limits.xmlCanonicalGrowth;
    this.#left = Math.min(most, limits.xmlCanonicalBytes);
  }

  /** Copies the bytes of the document from `start` to `end`. */
  copy(start: number, end: number): void {
    if (start === this.#runEnd) {
      this.#runEnd = end;
      return;
    }
    this.#flushRun();
    this.#runStart = start;
    this.#runEnd = end;
  }

  /** Adds text that is not in the document in this form. */
  write(text: string): void {
    this.#flushRun();
    const most = text.length * 3;
    if (most > BUFFER_BYTES - this.#filled) this.#flushBuffer();
    if (most > BUFFER_BYTES) this.#give(Buffer.from(text, 'utf8'));
    else this.#filled += this.#buffer.write(text, this.#filled, 'utf8');
  }

  /** Adds bytes that are not in the document in this form. */
  writeBytes(bytes: Uint8Array): void {
    this.#flushRun();
    const { length } = bytes;
    if (length > BUFFER_BYTES - this.#filled) this.#flushBuffer();
    if (length > BUFFER_BYTES) {
      this.#give(bytes);
      return;
    }
    const buffer = this.#buffer;
    const filled = this.#filled;
    if (length > LOOPED_BYTES) buffer.set(bytes, filled);
    else for (let i = 0; i < length; i++) buffer[filled + i] = bytes[i] as number;
    this.#filled = filled + length;
  }

  /** Adds a line feed. */
  line(): void {
    this.writeBytes(lineFeed);
  }

  /** Flushes the remaining bytes; nothing may be added afterwards. */
  end(): void {
    this.#flushRun();
    this.#flushBuffer();
    spare = this.#buffer;
  }

  #flushRun(): void {
    const start = this.#runStart;
    const end = this.#runEnd;
    this.#runStart = this.#runEnd;
    const length = end - start;
    if (length === 0) return;
    if (length > COPIED_BYTES) {
      this.#flushBuffer();
      this.#give(this.#document.subarray(start, end));
      return;
    }
    if (length > BUFFER_BYTES - this.#filled) this.#flushBuffer();
    if (length <= LOOPED_WORDS && end + WORD <= this.#document.length) this.#addWords(start, end);
    else this.#document.copy(this.#buffer, this.#filled, start, end);
    this.#filled += length;
  }

  /** Copies a range word by word; surplus bytes after the last word are overwritten later. */
  #addWords(start: number, end: number): void {
    const source = this.#documentWords;
    const target = this.#bufferWords;
    let filled = this.#filled;
    for (let at = start; at < end; at += WORD, filled += WORD) {
      target.setInt32(filled, source.getInt32(at, true), true);
    }
  }

  #flushBuffer(): void {
    if (this.#filled > 0) this.#give(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #give(piece: Uint8Array): void {
    this.#left -= piece.length;
    if (this.#left < 0) {
      throw new InnsigliError('xml.limit', 'the canonical form exceeds the limit');
    }
    this.#take(piece);
  }
}
