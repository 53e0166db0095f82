import { fstatSync, readSync, type Stats } from 'node:fs';
import type { ByteSource } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';

/** A file that is read on demand; it must not change in the meantime. */
export interface FileSource extends ByteSource {
  /**
   * Checks by size and modification time that the file has not changed since it was opened.
   *
   * @throws io.input.changed
   */
  requireUnchanged(): void;
}

const BLOCK_BYTES = 64 * 1024;
/** Number of cached blocks: objects, cross-reference sections and fields are close together. */
const KEPT_BLOCKS = 32;
const SCAN_BYTES = 256 * 1024;

/**
 * Creates a source for an open regular file. Small slices are served from a few cached blocks, so
 * that memory use does not grow with the file. A slice stays valid after its block is evicted.
 *
 * @param name for messages
 * @throws io.input.changed from `slice` and `scan` if the file has become shorter
 */
export function fileSource(descriptor: number, name: string): FileSource {
  const opened = fstatSync(descriptor, { bigint: false });
  const lengthBytes = opened.size;
  const blocks = new Map<number, Uint8Array>();
  const read = (into: Uint8Array, at: number) => readFully(descriptor, into, at, name);
  const blockAt = (index: number): Uint8Array => {
    const kept = blocks.get(index);
    if (kept !== undefined) return kept;
    const start = index * BLOCK_BYTES;
    const block = new Uint8Array(Math.min(BLOCK_BYTES, lengthBytes - start));
    read(block, start);
    if (blocks.size >= KEPT_BLOCKS) blocks.delete(blocks.keys().next().value as number);
    blocks.set(index, block);
    return block;
  };
  let scratch: Uint8Array | undefined;
  return {
    lengthBytes,
    slice(start, end) {
      const index = Math.floor(start / BLOCK_BYTES);
      if (end <= start) return new Uint8Array();
      if (end <= (index + 1) * BLOCK_BYTES) {
        return blockAt(index).subarray(start - index * BLOCK_BYTES, end - index * BLOCK_BYTES);
      }
      const bytes = new Uint8Array(end - start);
      read(bytes, start);
      return bytes;
    },
    scan(start, end, take) {
      scratch ??= new Uint8Array(SCAN_BYTES);
      for (let at = start; at < end; at += SCAN_BYTES) {
        const piece = scratch.subarray(0, Math.min(SCAN_BYTES, end - at));
        read(piece, at);
        take(piece);
      }
    },
    requireUnchanged() {
      if (!sameFile(opened, fstatSync(descriptor))) throw changed(name);
    },
  };
}

function readFully(descriptor: number, into: Uint8Array, start: number, name: string): void {
  let done = 0;
  while (done < into.length) {
    const count = readSync(descriptor, into, done, into.length - done, start + done);
    if (count === 0) throw changed(name);
    done += count;
  }
}

function sameFile(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs;
}

function changed(name: string): InnsigliError {
  return new InnsigliError('io.input.changed', `${name} was changed while it was read`, {
    details: { file: name },
    hint: 'wait until the program writing it has finished',
  });
}
