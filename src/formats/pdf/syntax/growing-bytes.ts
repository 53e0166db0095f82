import { unwrittenBytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';

/** A byte buffer that grows by doubling, up to a limit. */
export class GrowingBytes {
  #bytes: Uint8Array;
  #length = 0;
  readonly #maxBytes: number;

  constructor(startBytes: number, maxBytes: number) {
    this.#bytes = unwrittenBytes(Math.min(Math.max(16, startBytes), maxBytes));
    this.#maxBytes = maxBytes;
  }

  /** Number of bytes written so far. */
  get lengthBytes(): number {
    return this.#length;
  }

  /** The written bytes, as a view. */
  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Appends one byte. @throws limit.exceeded */
  push(byte: number): void {
    if (this.#length === this.#bytes.length) this.#reserve(1);
    this.#bytes[this.#length++] = byte;
  }

  /** Appends bytes. @throws limit.exceeded */
  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Appends text of characters up to U+00FF, one byte per character. @throws limit.exceeded */
  appendLatin1(text: string): void {
    this.#reserve(text.length);
    const bytes = this.#bytes;
    let at = this.#length;
    for (let i = 0; i < text.length; i++) bytes[at++] = text.charCodeAt(i);
    this.#length = at;
  }

  /** Appends a copy of `count` bytes of the output from `start`; may overlap the copy itself. */
  repeat(start: number, count: number): void {
    this.#reserve(count);
    const bytes = this.#bytes;
    for (let i = start; i < start + count; i++) bytes[this.#length++] = bytes[i] as number;
  }

  /** Appends one byte several times. @throws limit.exceeded */
  fill(byte: number, count: number): void {
    this.#reserve(count);
    this.#bytes.fill(byte, this.#length, this.#length + count);
    this.#length += count;
  }

  #reserve(count: number): void {
    const needed = this.#length + count;
    if (needed <= this.#bytes.length) return;
    if (needed > this.#maxBytes) {
      throw new InnsigliError('limit.exceeded', `data grows beyond ${this.#maxBytes} bytes`);
    }
    const grown = unwrittenBytes(
      Math.min(Math.max(needed, this.#bytes.length * 2), this.#maxBytes),
    );
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
