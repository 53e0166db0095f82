import { limits } from '../../../base/limits.ts';
import { decodeCharacters } from '../reading/characters.ts';
import { tooMuch } from '../reading/xml-error.ts';
import { grown } from './grown.ts';

/** The identifying attributes of a document; their values are read on first lookup. */
export class Identifiers {
  readonly #bytes: Buffer;
  #count = 0;
  #elements: Int32Array = new Int32Array(16);
  #starts: Int32Array = new Int32Array(16);
  #ends: Int32Array = new Int32Array(16);
  /** Index of the first attribute plus 1, by value; `#next` links more with the same value. */
  #first: ReadonlyMap<string, number> | undefined;
  #next: Int32Array = new Int32Array(0);

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Records an attribute whose value is from `start` to `end`. @throws xml.limit */
  add(element: number, start: number, end: number): void {
    if (this.#count === limits.xmlIds) throw tooMuch('identifying attributes', limits.xmlIds);
    if (this.#count === this.#elements.length) {
      this.#elements = grown(this.#elements);
      this.#starts = grown(this.#starts);
      this.#ends = grown(this.#ends);
    }
    const place = this.#count++;
    this.#elements[place] = element;
    this.#starts[place] = start;
    this.#ends[place] = end;
  }

  /** Returns the elements with this value, each once, in document order. */
  find(value: string): readonly number[] {
    this.#first ??= this.#index();
    const found: number[] = [];
    let place = this.#first.get(value) ?? 0;
    for (; place > 0; place = this.#next[place - 1] as number) {
      const element = this.#elements[place - 1] as number;
      if (found[found.length - 1] !== element) found.push(element);
    }
    return found;
  }

  #index(): ReadonlyMap<string, number> {
    const first = new Map<string, number>();
    this.#next = new Int32Array(this.#count);
    for (let place = this.#count; place > 0; place--) {
      const start = this.#starts[place - 1] as number;
      const value = decodeCharacters(this.#bytes, start, this.#ends[place - 1] as number, true);
      this.#next[place - 1] = first.get(value) ?? 0;
      first.set(value, place);
    }
    return first;
  }
}
