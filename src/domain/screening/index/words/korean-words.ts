import { scripts } from '../../names/fold.ts';
import { spellingsOfSyllable } from '../../names/korean.ts';
import type { IndexArrays } from '../layout.ts';

const korean = scripts.indexOf('korean');
const none: readonly number[] = [];

/** The syllables of Korean names in an index, by how each may be written in Latin. */
export class KoreanWords {
  readonly #arrays: IndexArrays;
  readonly #textOf: (word: number) => string;
  #bySpelling: Map<string, number[]> | undefined;
  readonly #isAny: boolean;

  /** @param textOf the letters of a word of the index */
  constructor(arrays: IndexArrays, textOf: (word: number) => string) {
    this.#arrays = arrays;
    this.#textOf = textOf;
    this.#isAny = arrays.wordScript.includes(korean);
  }

  /** Syllables that may be written so. */
  of(spelling: string): readonly number[] {
    if (!this.#isAny) return none;
    this.#bySpelling ??= this.#made();
    return this.#bySpelling.get(spelling) ?? none;
  }

  #made(): Map<string, number[]> {
    const { wordScript } = this.#arrays;
    const found = new Map<string, number[]>();
    for (let word = 0; word < wordScript.length; word++) {
      if (wordScript[word] !== korean) continue;
      for (const spelling of spellingsOfSyllable(this.#textOf(word)).keys()) {
        const known = found.get(spelling);
        if (known === undefined) found.set(spelling, [word]);
        else known.push(word);
      }
    }
    return found;
  }
}
