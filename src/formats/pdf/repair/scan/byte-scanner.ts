import { asBuffer, type ByteSource, scanBytes } from '../../../../base/bytes.ts';

/** Chunk size: large enough that searching costs more than reading. */
const CHUNK_BYTES = 1024 * 1024;
/** The next bytes are compared one by one: most words are close, and a native call costs more. */
const NEAR_BYTES = 96;
/** Number of bytes before a position that stay in the chunk; longer than any word searched for. */
const MARGIN_BYTES = 64;

function startsWith(bytes: Uint8Array, at: number, word: Uint8Array): boolean {
  for (let i = 0; i < word.length; i++) {
    if (bytes[at + i] !== word[i]) return false;
  }
  return true;
}

/** Searches a source chunk by chunk; one chunk is cached. */
export class ByteScanner {
  readonly source: ByteSource;
  #chunk: Buffer = Buffer.alloc(0);
  #base = 0;
  /** Buffer reused for every chunk; undefined if each chunk has its own memory. */
  readonly #room: Buffer | undefined;

  /** @param isSparing whether a pass over a large file uses the memory of a single chunk */
  constructor(source: ByteSource, isSparing = false) {
    this.source = source;
    const isRead = isSparing && source.bytes === undefined && source.scan !== undefined;
    const roomBytes = Math.min(source.lengthBytes, MARGIN_BYTES + CHUNK_BYTES);
    this.#room = isRead ? Buffer.allocUnsafe(roomBytes) : undefined;
  }

  /** Offset of the first `word` (up to 64 bytes) wholly between `from` and `limit`; -1 if none. */
  find(word: Uint8Array, from: number, limit = this.source.lengthBytes): number {
    let at = from;
    while (at + word.length <= limit) {
      this.#load(at);
      const base = this.#base;
      const end = Math.min(limit - base, this.#chunk.length);
      const near = Math.min(end - word.length + 1, at - base + NEAR_BYTES);
      for (let i = at - base; i < near; i++) {
        if (startsWith(this.#chunk, i, word)) return base + i;
      }
      at = Math.max(at, base + near);
      if (at + word.length > limit) return -1;
      const chunk = end === this.#chunk.length ? this.#chunk : this.#chunk.subarray(0, end);
      const found = chunk.indexOf(word, at - base);
      if (found >= 0) return base + found;
      if (base + end >= limit) return -1;
      at = base + end - word.length + 1;
    }
    return -1;
  }

  /** Returns the bytes from `start` to `end`, limited to the source; valid until the next call. */
  view(start: number, end: number): Uint8Array {
    const from = Math.max(0, start);
    const to = Math.min(end, this.source.lengthBytes);
    if (from >= this.#base && to <= this.#base + this.#chunk.length) {
      return this.#chunk.subarray(from - this.#base, to - this.#base);
    }
    return this.source.slice(from, Math.max(from, to));
  }

  /** Returns the byte at `at`; -1 outside the source. */
  byteAt(at: number): number {
    const index = at - this.#base;
    if (index >= 0 && index < this.#chunk.length) return this.#chunk[index] as number;
    return at >= 0 && at < this.source.lengthBytes ? (this.view(at, at + 1)[0] as number) : -1;
  }

  #load(at: number): void {
    const { lengthBytes } = this.source;
    const end = this.#base + this.#chunk.length;
    const enough = at + MARGIN_BYTES <= end || end === lengthBytes;
    if (this.#chunk.length > 0 && at >= this.#base && enough) return;
    this.#base = Math.max(0, at - MARGIN_BYTES);
    const stop = Math.min(lengthBytes, at + CHUNK_BYTES);
    this.#chunk = this.#read(this.#base, stop);
  }

  #read(start: number, end: number): Buffer {
    const room = this.#room;
    if (room === undefined) return asBuffer(this.source.slice(start, end));
    let length = 0;
    scanBytes(this.source, start, end, (piece) => {
      room.set(piece, length);
      length += piece.length;
    });
    return room.subarray(0, length);
  }
}
