import { grown } from './grown.ts';

/** Marks the absence of an entry in a {@link ScopeChain}. */
export const NO_ENTRY = -1;

/**
 * Inherited values of elements, as numeric columns. Each entry refers to the previous one in scope:
 * the values at an element form a chain from the innermost outwards, independent of the size of the
 * tags they come from.
 */
export class ScopeChain {
  #count = 0;
  /** Key of the value: the number of a prefix, or of the local name of an `xml:` attribute. */
  key: Int32Array = new Int32Array(16);
  /** The value: the number of a namespace URI, or the offset of an attribute value. */
  value: Int32Array = new Int32Array(16);
  /** The enclosing entry; {@link NO_ENTRY} if there is none. */
  outer: Int32Array = new Int32Array(16);

  /** Adds an entry inside the scope of `outer` and returns its number. */
  add(key: number, value: number, outer: number): number {
    if (this.#count === this.key.length) {
      this.key = grown(this.key);
      this.value = grown(this.value);
      this.outer = grown(this.outer);
    }
    const entry = this.#count++;
    this.key[entry] = key;
    this.value[entry] = value;
    this.outer[entry] = outer;
    return entry;
  }

  /** Returns the innermost value of a key; undefined if it has none. */
  find(key: number, innermost: number): number | undefined {
    for (let entry = innermost; entry !== NO_ENTRY; entry = this.outer[entry] as number) {
      if (this.key[entry] === key) return this.value[entry];
    }
    return undefined;
  }
}
