import { scripts } from '../../names/fold.ts';
import { spellingsOfSyllable } from '../../names/korean.ts';
import type { IndexArrays } from '../layout.ts';
import type { WordTexts } from './word-texts.ts';

const korean = scripts.indexOf('korean');
const none: readonly number[] = [];

/** The Korean syllables in an index, by their possible romanisations. */
export class KoreanWords {
  readonly #arrays: IndexArrays;
  readonly #texts: WordTexts;
  #bySpelling: Map<string, number[]> | undefined;
  readonly #isAny: boolean;

  constructor(arrays: IndexArrays, texts: WordTexts) {
    this.#arrays = arrays;
    this.#texts = texts;
    this.#isAny = arrays.wordScript.includes(korean);
  }

  /** Syllables with this romanisation. */
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
      for (const spelling of spellingsOfSyllable(this.#texts.of(word)).keys()) {
        const known = found.get(spelling);
        if (known === undefined) found.set(spelling, [word]);
        else known.push(word);
      }
    }
    return found;
  }
}
