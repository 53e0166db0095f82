import type { IndexArrays } from '../layout.ts';

/** The letters of the words of an index as texts, created on demand. */
export class WordTexts {
  readonly #arrays: IndexArrays;
  readonly #known: (string | undefined)[];

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
    this.#known = new Array<string | undefined>(arrays.wordScript.length).fill(undefined);
  }

  /** The letters of a word. */
  of(word: number): string {
    const known = this.#known[word];
    if (known !== undefined) return known;
    const { letters, wordStart } = this.#arrays;
    const part = letters.subarray(wordStart[word], wordStart[word + 1]);
    const made = String.fromCharCode.apply(undefined, part as unknown as number[]);
    this.#known[word] = made;
    return made;
  }
}
