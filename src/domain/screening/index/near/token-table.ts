import { plainParts } from '../words/plain-names.ts';

/** At most half are used. Customers have some ten thousand distinct words; growing is expensive. */
const FIRST_SLOTS = 1 << 15;

/** Values by the spelling of a word, looked up within a name without creating a substring. */
export class TokenTable<T> {
  #texts: string[] = [];
  #values: T[] = [];
  /** By hash: number of a word plus one; 0 if free. */
  #slots = new Uint32Array(FIRST_SLOTS);
  #hashes: number[] = [];

  get size(): number {
    return this.#texts.length;
  }

  clear(): void {
    this.#texts = [];
    this.#values = [];
    this.#hashes = [];
    this.#slots = new Uint32Array(FIRST_SLOTS);
  }

  /** The value for a part of `name`, by its number in {@link plainParts}. */
  find(name: string, part: number): T | undefined {
    const from = plainParts[3 * part] as number;
    const to = plainParts[3 * part + 1] as number;
    const hash = plainParts[3 * part + 2] as number;
    const mask = this.#slots.length - 1;
    for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
      const number = (this.#slots[slot] as number) - 1;
      if (number < 0) return undefined;
      if (this.#hashes[number] === hash && isPart(this.#texts[number] as string, name, from, to)) {
        return this.#values[number];
      }
    }
  }

  /** Adds the value for a text that the table does not contain yet. */
  add(text: string, hash: number, value: T): void {
    this.#texts.push(text);
    this.#values.push(value);
    this.#hashes.push(hash);
    if (2 * this.#texts.length > this.#slots.length) this.#grow();
    else this.#place(this.#texts.length - 1);
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    for (let number = 0; number < this.#texts.length; number++) this.#place(number);
  }

  #place(number: number): void {
    const mask = this.#slots.length - 1;
    let slot = spread(this.#hashes[number] as number) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = number + 1;
  }
}

/** Hashes of short words differ in few bits only. */
function spread(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return mixed ^ (mixed >>> 13);
}

function isPart(text: string, name: string, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) !== name.charCodeAt(from + at)) return false;
  }
  return true;
}
