import { limits } from '../../base/limits.ts';
import type { IndirectObject } from './syntax/indirect.ts';

/**
 * Objects of a file by their offsets, before decryption: the file and its revisions, which are the
 * same bytes up to some length, parse each of them once.
 */
export interface ParsedObjects {
  /** Offsets count from this byte of the file. */
  readonly originBytes: number;
  /** The object at the offset, if it is complete in this number of bytes; else undefined. */
  find(offsetBytes: number, lengthBytes: number): IndirectObject | undefined;
  /** Keeps the object for the next reader, as far as there is room. */
  keep(offsetBytes: number, object: IndirectObject): void;
  /** Keeps no more objects; those that were kept are found. */
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
      // The byte behind it tells that it ends there: it must be in the revision, too.
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
