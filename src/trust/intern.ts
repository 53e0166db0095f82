import { equalBytes } from '../base/bytes.ts';

/** Parsed values by their bytes: the same bytes give the same value, within bounds. */
export interface InternTable<T extends { readonly der: Uint8Array }> {
  /**
   * The value for `bytes`, from the table or newly parsed from a copy of them.
   * Larger inputs are known again by their array, which must not change.
   */
  get(bytes: Uint8Array): T;
}

/** Bytes that tell entries apart; they are the tail of a signature, so nearly random. */
const KEY_BYTES = 6;

/** The last bytes as a number: unlike text it costs no memory. */
function keyOf(bytes: Uint8Array): number {
  let key = bytes.length & 1;
  for (let i = Math.max(0, bytes.length - KEY_BYTES); i < bytes.length; i++) {
    key = key * 256 + (bytes[i] as number);
  }
  return key;
}

/**
 * An empty table of at most `entries` values of at most `entryBytes` each; the oldest goes
 * first. Copies keep a cached value from holding a whole document in memory, and from changing
 * with a buffer that its owner writes to.
 */
export function createInternTable<T extends { readonly der: Uint8Array }>(
  entries: number,
  entryBytes: number,
  parse: (bytes: Uint8Array) => T,
): InternTable<T> {
  const table = new Map<number, T>();
  const large = new WeakMap<Uint8Array, T>();
  return {
    get(bytes) {
      if (bytes.length > entryBytes) {
        const found = large.get(bytes) ?? parse(bytes);
        large.set(bytes, found);
        return found;
      }
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
    },
  };
}
