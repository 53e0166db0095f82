import { limits } from '../../base/limits.ts';
import type { IndirectObject } from './syntax/indirect.ts';

/**
 * Objects of a file by offset, before decryption. The file and its revisions, which are prefixes of
 * the same bytes, thus parse each object once.
 */
export interface ParsedObjects {
  /** Offsets are relative to this byte of the file. */
  readonly originBytes: number;
  /** Returns the object at the offset if it ends within this many bytes; otherwise undefined. */
  find(offsetBytes: number, lengthBytes: number): IndirectObject | undefined;
  /** Stores the object for other readers, if space permits. */
  keep(offsetBytes: number, object: IndirectObject): void;
  /** Stops storing objects; those already stored can still be found. */
  close(): void;
}

/** An empty table. */
export function parsedObjects(originBytes: number): ParsedObjects {
  const known = new Map<number, IndirectObject>();
  let roomBytes: number = limits.sharedObjectBytes;
  return {
    originBytes,
    find(offsetBytes, lengthBytes) {
      const found = known.get(offsetBytes);
      // The byte after the object marks its end, so it must be in the revision too.
      return found?.endBytes !== undefined && found.endBytes < lengthBytes ? found : undefined;
    },
    keep(offsetBytes, object) {
      const { endBytes } = object;
      if (endBytes === undefined || endBytes - offsetBytes > roomBytes) return;
      roomBytes -= endBytes - offsetBytes;
      known.set(offsetBytes, object);
    },
    close() {
      roomBytes = -1;
    },
  };
}
