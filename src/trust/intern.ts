import { asBuffer, equalBytes } from '../base/bytes.ts';

/** Parsed values by their bytes: the same bytes give the same value, within bounds. */
export interface InternTable<T extends { readonly der: Uint8Array }> {
  /**
   * The value for `bytes`, from the table or newly parsed from a copy of them.
   * Larger inputs are parsed each time.
   */
  get(bytes: Uint8Array): T;
}

/** Bytes that tell entries apart; they are the tail of a signature, so nearly random. */
const KEY_BYTES = 24;

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
  const table = new Map<string, T>();
  return {
    get(bytes) {
      if (bytes.length > entryBytes) return parse(bytes);
      const key = asBuffer(bytes.subarray(-KEY_BYTES)).toString('latin1');
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
