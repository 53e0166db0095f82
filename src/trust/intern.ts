import { equalBytes } from '../base/bytes.ts';
import { getOrCompute } from '../base/memo.ts';

/** Number of bytes that distinguish entries: the end of a signature, and so nearly random. */
const KEY_BYTES = 6;

/** The last bytes as a number, which unlike a text needs no extra memory. */
function keyOf(bytes: Uint8Array): number {
  let key = bytes.length & 1;
  for (let i = Math.max(0, bytes.length - KEY_BYTES); i < bytes.length; i++) {
    key = key * 256 + (bytes[i] as number);
  }
  return key;
}

/**
 * Memoises `parse` in a table of at most `entries` values of at most `entryBytes` each, with the
 * oldest evicted first: equal bytes give the same value. Inputs are copied, so that a cached value
 * neither retains a whole document in memory nor changes when its owner overwrites the buffer.
 * Larger inputs are recognised by the identity of their array, which must not change.
 */
export function interned<T extends { readonly der: Uint8Array }>(
  entries: number,
  entryBytes: number,
  parse: (bytes: Uint8Array) => T,
): (bytes: Uint8Array) => T {
  const table = new Map<number, T>();
  const large = new WeakMap<Uint8Array, T>();
  return (bytes) => {
    if (bytes.length > entryBytes) return getOrCompute(large, bytes, parse);
    const key = keyOf(bytes);
    const known = table.get(key);
    if (known !== undefined && equalBytes(known.der, bytes)) return known;
    const value = parse(new Uint8Array(bytes));
    if (known === undefined && table.size >= entries) {
      for (const oldest of table.keys()) {
        table.delete(oldest);
        break;
      }
    }
    table.set(key, value);
    return value;
  };
}
