import { asBuffer } from '../../base/bytes.ts';
import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

const BUFFER_BYTES = 1 << 16;
/** A run that is longer is handed on as a view of the document instead of being copied. */
const COPIED_BYTES = 1 << 13;
/** Up to so many bytes a loop costs less than a call. */
const LOOPED_BYTES = 96;
/** What any document may grow by; more depends on its size. */
const GROWTH_BYTES = 1 << 26;

/**
 * Collects canonical octets. Most of a document is canonical already: neighbouring stretches that
 * are taken over as they stand grow into one run, which costs one call however long it is.
 */
export class CanonicalSink {
  readonly #document: Uint8Array;
  readonly #source: Buffer;
  readonly #take: (piece: Uint8Array) => void;
  /** Octets that may still come. */
  #left: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #filled = 0;
  #runStart = 0;
  #runEnd = 0;

  constructor(document: Uint8Array, take: (piece: Uint8Array) => void) {
    this.#document = document;
    this.#source = asBuffer(document);
    this.#take = take;
    const most = GROWTH_BYTES + document.length * limits.xmlCanonicalGrowth;
    this.#left = Math.min(most, limits.xmlCanonicalBytes);
  }

  /** Takes over the bytes of the document from `start` up to `end`. */
  copy(start: number, end: number): void {
    if (start === this.#runEnd) {
      this.#runEnd = end;
      return;
    }
    this.#flushRun();
    this.#runStart = start;
    this.#runEnd = end;
  }

  /** Adds text that does not stand in the document like this. */
  write(text: string): void {
    this.#flushRun();
    const most = text.length * 3;
    if (most > BUFFER_BYTES - this.#filled) this.#flushBuffer();
    if (most > BUFFER_BYTES) this.#give(Buffer.from(text, 'utf8'));
    else this.#filled += this.#buffer.write(text, this.#filled, 'utf8');
  }

  /** Adds octets that do not stand in the document like this. */
  writeBytes(octets: Uint8Array): void {
    this.#flushRun();
    const { length } = octets;
    if (length > BUFFER_BYTES - this.#filled) this.#flushBuffer();
    if (length > BUFFER_BYTES) this.#give(octets);
    else this.#add(octets, 0, length);
  }

  /** Hands on what is left. */
  end(): void {
    this.#flushRun();
    this.#flushBuffer();
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
    if (length <= LOOPED_BYTES) this.#add(this.#document, start, end);
    else {
      this.#source.copy(this.#buffer, this.#filled, start, end);
      this.#filled += length;
    }
  }

  #add(octets: Uint8Array, start: number, end: number): void {
    const buffer = this.#buffer;
    let filled = this.#filled;
    for (let at = start; at < end; at++) buffer[filled++] = octets[at] as number;
    this.#filled = filled;
  }

  #flushBuffer(): void {
    if (this.#filled > 0) this.#give(this.#buffer.subarray(0, this.#filled));
    this.#filled = 0;
  }

  #give(piece: Uint8Array): void {
    this.#left -= piece.length;
    if (this.#left < 0) {
      throw new CoreError('xml.limit', 'the canonical form is longer than is accepted');
    }
    this.#take(piece);
  }
}
