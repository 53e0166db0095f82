import type { NameWord } from '../../names/words.ts';
import type { Term } from '../asked-words.ts';
import type { IndexArrays } from '../layout.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { consonantsOf } from './consonant-bags.ts';
import { TwoWords } from './two-words.ts';

/** A word of a query, and the names that it leads to. */
export interface NearTerm extends Term {
  /** Those that have a word which is alike. */
  readonly names: readonly number[];
  /** Those of them that are alike by more than their words. */
  readonly special: readonly number[];
  /** Those that have the two words which it may be. */
  readonly splitNames: readonly number[];
  /** Those of which two neighbours may be it. */
  readonly twoWords: readonly number[];
  /** Its consonants, as `wholeName` has them. */
  readonly consonants: string;
}

/** Words that are remembered. */
const REMEMBERED_MAX = 100_000;

/** The words of queries, each looked up once. */
export class NearTerms {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #weightOf: (text: string) => number;
  readonly #isSpecial: (name: number) => boolean;
  readonly #twoWords: TwoWords;
  readonly #known = new Map<string, NearTerm>();

  /**
   * @param weightOf how much a word of a query says
   * @param isSpecial true for a name that is alike by more than its words
   */
  constructor(
    arrays: IndexArrays,
    vocabulary: Vocabulary,
    weightOf: (text: string) => number,
    isSpecial: (name: number) => boolean,
  ) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#weightOf = weightOf;
    this.#isSpecial = isSpecial;
    this.#twoWords = new TwoWords(arrays, vocabulary);
  }

  /** The term of a word. */
  of(word: NameWord): NearTerm {
    const { text, script } = word;
    const key = script === 'latin' ? text : `${script} ${text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#made(word);
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(key, made);
    return made;
  }

  #made(word: NameWord): NearTerm {
    const { text } = word;
    const expansion = this.#vocabulary.expand(word);
    const names = this.namesWith(expansion.words);
    return {
      word,
      expansion,
      weight: word.weight * this.#weightOf(text),
      postings: 0,
      names,
      special: names.length === 0 ? noNames : names.filter(this.#isSpecial),
      splitNames: this.#splitNames(text),
      twoWords: this.#twoWords.namesOf(word),
      consonants: consonantsOf([word]),
    };
  }

  /** Names that have one of these words, each once. */
  namesWith(words: readonly number[]): readonly number[] {
    if (words.length === 0) return noNames;
    if (words.length === 1) return Array.from(this.#namesOf(words[0] as number));
    const found = new Set<number>();
    for (const word of words) for (const name of this.#namesOf(word)) found.add(name);
    return [...found];
  }

  /** Names with two words that `text` is when it is parted. */
  #splitNames(text: string): readonly number[] {
    const splits = this.#vocabulary.splits(text);
    if (splits.length === 0) return noNames;
    return splits.flatMap(({ first, second }) => {
      const others = new Set(this.#namesOf(second));
      return [...this.#namesOf(first)].filter((name) => others.has(name));
    });
  }

  #namesOf(word: number): Uint32Array {
    const { postingStart, postings } = this.#arrays;
    return postings.subarray(postingStart[word], postingStart[word + 1]);
  }
}

const noNames: readonly number[] = [];
