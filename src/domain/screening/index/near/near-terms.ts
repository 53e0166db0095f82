import { WORDS_MAX } from '../../names/align.ts';
import { isBareScript } from '../../names/alike/asked-word.ts';
import { isSyllable } from '../../names/fold.ts';
import { looseSkeleton } from '../../names/skeleton.ts';
import { type NameWord, wordsOf } from '../../names/words.ts';
import { type Term, termOf } from '../asked-words.ts';
import type { IndexArrays } from '../layout.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { emptied, emptyOf } from '../words/expansion.ts';
import { partPlain, plainParts, plainWord } from '../words/plain-names.ts';
import { NearTexts } from './near-texts.ts';
import { TokenTable } from './token-table.ts';
import { TwoWords } from './two-words.ts';

/**
 * A word of a query, and the names found by it. The members read for every word come first: a term
 * spans several cache lines, and most words find no name.
 */
export interface NearTerm {
  /** Bits of {@link nearFlag}. */
  readonly flags: number;
  /** Names that contain a similar word. */
  readonly names: readonly number[];
  /** Those among them that can be more similar than their words show. */
  readonly special: readonly number[];
  /** Names that contain both words into which it can be split. */
  readonly splitNames: readonly number[];
  /** Names in which two adjacent words may be this word. */
  readonly twoWords: readonly number[];
  /** Its consonants, as in `wholeName`. */
  readonly consonants: string;
  readonly term: Term;
}

/** Properties of a word, as bits. */
export const nearFlag = {
  /** Finds at least one name. */
  leads: 1,
  particle: 2,
  /** Any name may omit it. */
  untold: 4,
  /** Its script omits vowels or adds unpronounced ones. */
  bare: 8,
  /** With the next word it may be one word of a name: by letters, or as Korean syllables. */
  begins: 16,
  koreanBegins: 32,
  /** The same with the previous word: {@link ENDS} bits higher. */
  ends: 64,
  koreanEnds: 128,
} as const;

/** Distance in bits between the flags for the first and the second of two joined words. */
export const ENDS = 2;

/** Maximum number of cached words. */
const REMEMBERED_MAX = 100_000;

/** The words of queries; each is looked up only once. */
export class NearTerms {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  readonly #weightOf: (text: string) => number;
  readonly #isSpecial: (name: number) => boolean;
  readonly #texts: NearTexts;
  readonly #twoWords: TwoWords;
  /** For each name: the number of the last lookup that found it. */
  readonly #marks: Uint32Array;
  #mark = 0;
  readonly #terms = emptyOf<NearTerm>();
  readonly #known = new Map<string, NearTerm>();
  /** By the spelling in the name; null for a word that adjacent words may change. */
  readonly #tokens = new TokenTable<NearTerm | null>();

  /**
   * @param weightOf weight of a word of a query
   * @param isSpecial whether a name can be more similar than its words show
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
    this.#marks = new Uint32Array(arrays.namePerson.length);
    this.#texts = new NearTexts(arrays);
    this.#twoWords = new TwoWords(arrays);
  }

  /** The terms of a name, in an array that the next call overwrites. */
  ofName(name: string): readonly NearTerm[] {
    const count = partPlain(name);
    if (count < 0) return this.#ofWords(wordsOf(name));
    const terms = this.#terms;
    let length = 0;
    for (let at = 0; at < count; at++) {
      const known = this.#tokens.find(name, at);
      const term = known === undefined ? this.#ofToken(name, at) : known;
      if (term === null) return this.#ofWords(wordsOf(name));
      if (length < WORDS_MAX) terms[length++] = term;
    }
    while (terms.length > length) terms.pop();
    return terms;
  }

  #ofWords(words: readonly NameWord[]): readonly NearTerm[] {
    // Reuses the array of plain names: another array would have another hidden class.
    const terms = emptied(this.#terms);
    for (const word of words) terms.push(this.of(word));
    return terms;
  }

  #ofToken(name: string, part: number): NearTerm | null {
    const token = name.slice(plainParts[3 * part], plainParts[3 * part + 1]);
    const hash = plainParts[3 * part + 2] as number;
    const word = plainWord(token);
    const made = word === undefined ? null : this.of(word);
    if (this.#tokens.size >= REMEMBERED_MAX) this.#tokens.clear();
    this.#tokens.add(token, hash, made);
    return made;
  }

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
    const expansion = this.#vocabulary.expandOnce(word);
    const names = this.namesWith(expansion.words);
    const splitNames = this.#splitNames(text);
    const leads = names.length > 0 || splitNames.length > 0;
    return {
      flags: this.#flagsOf(word) | (leads ? nearFlag.leads : 0),
      names,
      special: names.length === 0 ? noNames : names.filter(this.#isSpecial),
      splitNames,
      twoWords: this.#twoWords.namesOf(word),
      consonants: word.isParticle ? '' : looseSkeleton(word.skeleton),
      term: termOf(word, expansion, word.weight * this.#weightOf(text), 0),
    };
  }

  #flagsOf({ text, script, isParticle, isInitial }: NameWord): number {
    let flags = 0;
    if (isParticle) flags |= nearFlag.particle;
    if (isParticle || isInitial) flags |= nearFlag.untold;
    if (isBareScript(script)) flags |= nearFlag.bare;
    // Han syllables also have several spellings.
    if (isSyllable(script)) flags |= nearFlag.koreanBegins | nearFlag.koreanEnds;
    if (text.length < 2) return flags;
    if (this.#texts.mayBegin(text)) flags |= nearFlag.begins;
    if (this.#texts.mayEnd(text)) flags |= nearFlag.ends;
    return flags;
  }

  /** Distinct names that contain one of these words. */
  namesWith(words: readonly number[]): readonly number[] {
    if (words.length === 0) return noNames;
    const { postingStart, postings } = this.#arrays;
    const found: number[] = [];
    this.#mark += 1;
    for (let at = 0; at < words.length; at++) {
      const word = words[at] as number;
      const end = postingStart[word + 1] as number;
      for (let place = postingStart[word] as number; place < end; place++) {
        const name = postings[place] as number;
        if (this.#marks[name] === this.#mark) continue;
        this.#marks[name] = this.#mark;
        found.push(name);
      }
    }
    return found;
  }

  /** Names that contain the two words of some split of `text`. */
  #splitNames(text: string): readonly number[] {
    const splits = this.#vocabulary.splitsOnce(text);
    if (splits.length === 0) return noNames;
    const found: number[] = [];
    for (const { first, second } of splits) {
      const others = new Set(this.#namesOf(second));
      for (const name of this.#namesOf(first)) if (others.has(name)) found.push(name);
    }
    return found;
  }

  #namesOf(word: number): Uint32Array {
    const { postingStart, postings } = this.#arrays;
    return postings.subarray(postingStart[word], postingStart[word + 1]);
  }
}

const noNames: readonly number[] = [];
