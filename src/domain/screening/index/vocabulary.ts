import { lettersOf } from '../names/alike/letters.ts';
import { scripts } from '../names/fold.ts';
import { joinedSpellings, spellingsOfSyllable } from '../names/korean.ts';
import { otherSpellings } from '../names/korean-in-latin.ts';
import { mandarinWord } from '../names/languages/mandarin.ts';
import { nicknamesOf } from '../names/nicknames.ts';
import { spellingsOfName } from '../names/own-names.ts';
import { skeletonOf, soundKeyOf, soundOf } from '../names/skeleton.ts';
import {
  isFarByLetters,
  joinedWords,
  likenessOfCodes,
  mayBeJoined,
} from '../names/word-likeness.ts';
import { type NameWord, nameWord } from '../names/words.ts';
import { hashWithout, type IndexArrays, pairOf, wordOfPair } from './layout.ts';
import { PairTable } from './pair-table.ts';
import { type Expansion, nothing, ranked } from './words/expansion.ts';
import { KoreanWords } from './words/korean-words.ts';
import { SpellingTable } from './words/spelling-table.ts';
import { spellingHashes, wordKeys } from './words/word-keys.ts';
import { WordRecords } from './words/word-records.ts';
import { WordTexts } from './words/word-texts.ts';

/** Two words of the index that the query writes as one. */
export interface WordSplit {
  readonly first: number;
  readonly second: number;
}

/** Words whose expansion is cached: names repeat. */
const REMEMBERED_MAX = 20_000;
/** Maximum number of words compared with one word. Short words share their sound with many. */
const LOOKED_AT_MAX = 3000;
/** A word that occurs in no more names than this may be a misspelling. */
const MISTAKEN_MAX = 2;

/** The words of an index, searchable by spelling and sound. */
export class Vocabulary {
  readonly #arrays: IndexArrays;
  readonly #spellings: SpellingTable;
  readonly #sounds: PairTable;
  readonly #known = new Map<string, Expansion>();
  readonly #joined = new Map<string, Expansion>();
  readonly #splits = new Map<string, readonly WordSplit[]>();
  readonly #words: (NameWord | undefined)[];
  readonly #texts: WordTexts;
  readonly #records: WordRecords;
  /** Words to compare with one text, in the order in which they were found. */
  #near: Uint32Array = new Uint32Array(2 * LOOKED_AT_MAX);
  #nearCount = 0;
  readonly #soundLetters: Uint32Array;
  /** Letters of two joined words. Longer ones are ignored. */
  readonly #codes = new Uint16Array(64);
  readonly #korean: KoreanWords;

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
    const count = arrays.wordScript.length;
    this.#words = new Array<NameWord | undefined>(count).fill(undefined);
    this.#texts = new WordTexts(arrays);
    this.#spellings = new SpellingTable(arrays);
    this.#sounds = new PairTable(arrays.sounds);
    this.#records = new WordRecords(arrays, this.#texts);
    this.#soundLetters = lettersOfSounds(arrays);
    this.#korean = new KoreanWords(arrays, this.#texts);
  }

  /** The letters of a word. */
  text(word: number): string {
    return this.#texts.of(word);
  }

  /** A word in the form used for comparison. */
  word(word: number): NameWord {
    const known = this.#words[word];
    if (known !== undefined) return known;
    const script = scripts[this.#arrays.wordScript[word] as number] ?? 'latin';
    const made = nameWord(this.text(word), script);
    this.#words[word] = made;
    return made;
  }

  /** Words similar to `word`. */
  expand(word: NameWord): Expansion {
    const key = `${word.script} ${word.text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    return remember(this.#known, key, this.expandOnce(word));
  }

  /** Whether a word may have these letters up to one: {@link expandJoined} may then find it. */
  hasNear(text: string): boolean {
    return this.#spellings.hasNear(text);
  }

  /** Words similar to two words joined to one. */
  expandJoined(first: NameWord, second: NameWord): Expansion {
    const text = first.text + second.text;
    const isKorean = first.script === 'korean' && second.script === 'korean';
    const key = isKorean ? `${first.text} ${second.text}` : text;
    const known = this.#joined.get(key);
    if (known !== undefined) return known;
    this.#begin();
    if (isKorean) {
      this.#asSyllables(first.text, second.text);
    } else {
      if (first.script === 'han') this.#asSpelt(mandarinWord(text)?.spellings ?? []);
      this.#bySpelling(text);
    }
    const likenessOf = joinedWords(first, second);
    const count = this.#nearCount;
    const likenesses = new Float64Array(count);
    for (let at = 0; at < count; at++) {
      likenesses[at] = likenessOf(this.text(this.#near[at] as number));
    }
    const found = ranked(this.#near, count, likenesses);
    return remember(this.#joined, key, found);
  }

  /** Adds words that are some spelling of two Korean syllables. Most spellings match no word. */
  #asSyllables(first: string, second: string): void {
    let known = '';
    let hash = 0;
    joinedSpellings(first, second, (before, after) => {
      // Each spelling of the first syllable is combined with all of the second.
      if (before !== known) hash = hashWithout(before, -1);
      known = before;
      if (this.#spellings.mayHave(hash, after)) this.#asSpelt([before + after]);
    });
  }

  /** Adds the words that have one of these spellings. */
  #asSpelt(spellings: Iterable<string>): void {
    for (const spelling of spellings) for (const each of this.same(spelling)) this.#add(each);
  }

  /** See {@link SpellingTable.same}. */
  same(text: string, from = 0, to = text.length): readonly number[] {
    return this.#spellings.same(text, from, to);
  }

  /** Pairs of words into which `text` can be split; one of the two may be misspelt. */
  splits(text: string): readonly WordSplit[] {
    const known = this.#splits.get(text);
    if (known !== undefined) return known;
    return remember(this.#splits, text, this.splitsOnce(text));
  }

  /** Like {@link splits}, without caching. */
  splitsOnce(text: string): readonly WordSplit[] {
    if (text.length < SHORTEST_SPLIT) return noSplits;
    let found = noSplits as WordSplit[];
    const add = (firsts: readonly number[], seconds: readonly number[]) => {
      for (const first of firsts) {
        for (const second of seconds) {
          if (found === noSplits) found = [];
          found.push({ first, second });
        }
      }
    };
    for (const reading of mandarinWord(text)?.asWade ?? []) {
      const [first = '', second] = reading.split(' ');
      if (second !== undefined) add(this.same(first), this.same(second));
    }
    for (let at = 2; at <= text.length - 2; at++) {
      const firsts = this.same(text, 0, at);
      const seconds = this.same(text, at);
      if (firsts.length > 0) add(firsts, [...seconds, ...this.#misspelt(text, at, text.length)]);
      if (seconds.length > 0) add(this.#misspelt(text, 0, at), seconds);
      if (at > LONGEST_SYLLABLE) continue;
      const syllables = this.#korean.of(text.slice(0, at));
      if (syllables.length > 0) add(syllables, this.#korean.of(text.slice(at)));
    }
    return found;
  }

  /** Words of which the letters of `text` from `from` to before `to` may be a misspelling. */
  #misspelt(text: string, from: number, to: number): readonly number[] {
    const part = text.slice(from, to);
    this.#begin();
    this.#bySpelling(part);
    if (part.length >= LEAST_BY_SOUND) {
      const spelt = { text: part, letters: lettersOf(part), script: 'latin' } as const;
      const key = soundKeyOf({ skeleton: skeletonOf(part), sound: soundOf(part) });
      this.#collectSound(hashWithout(key, -1), spelt, false);
    }
    const whole = { text, letters: lettersOf(text) };
    const rest = text.length - part.length;
    const restLetters = lettersOf(text.slice(0, from)) | lettersOf(text.slice(to));
    let found = noWords;
    const near = this.#near;
    for (let at = 0; at < this.#nearCount; at++) {
      const word = near[at] as number;
      const length = this.#records.lengthOf(word);
      const letters = this.#records.lettersOf(word);
      if (length < 2 || !mayBeJoined(rest + length, restLetters | letters, whole)) continue;
      if (this.#spellings.hasText(word, text, from, to)) continue;
      if (this.#likenessWith(word, text, from, to) === 0) continue;
      if (found === noWords) found = [];
      found.push(word);
    }
    return found;
  }

  /** Similarity of `text` to itself with a word in place of the letters `from` to before `to`. */
  #likenessWith(word: number, text: string, from: number, to: number): number {
    const { letters, wordStart } = this.#arrays;
    const codes = this.#codes;
    let count = 0;
    for (let at = 0; at < from; at++) codes[count++] = text.charCodeAt(at);
    const end = wordStart[word + 1] as number;
    for (let at = wordStart[word] as number; at < end; at++) codes[count++] = letters[at] as number;
    for (let at = to; at < text.length; at++) codes[count++] = text.charCodeAt(at);
    return likenessOfCodes(codes, count, text);
  }

  /** Like {@link expand}, without caching. */
  expandOnce(word: NameWord): Expansion {
    const { text } = word;
    const isPlain = word.script === 'latin' || word.script === 'letters';
    this.#begin();
    const keys = wordKeys(word);
    this.#asSpelt(nicknamesOf(text));
    if (word.isKnown) this.#asSpelt(spellingsOfName(text));
    if (isPlain) this.#asSpelt(otherSpellings(text));
    if (word.isMandarin) this.#asSpelt(mandarinWord(text)?.spellings ?? []);
    const known = this.#nearCount;
    if (word.script === 'korean') this.#asSpelt(spellingsOfSyllable(text).keys());
    for (const each of keys.spellings) this.#collectSpelling(each);
    if (isPlain) for (const each of this.#korean.of(text)) this.#add(each);
    if (keys.sound !== undefined) this.#collectSound(keys.sound, word, true);
    // In a word that several names contain, the vowel is not a mistake.
    const isKnown = isPlain && this.#countNames(text) > MISTAKEN_MAX;
    for (const each of isKnown ? keys.besideOfKnown : keys.beside) {
      this.#collectSound(each, word, true);
    }
    for (const each of keys.readings) this.#collectSound(each, word, true);
    for (const each of keys.nearSounds) this.#collectSound(each, word, false);
    const count = this.#nearCount;
    if (count === 0) return nothing;
    // Letters cannot be compared between scripts.
    const script = isPlain && text.length >= 2 ? scripts.indexOf(word.script) : -1;
    this.#records.ask(word, keys, script);
    return ranked(this.#near, count, this.#records.likenesses(this.#near, count, known));
  }

  /** Number of names with exactly these letters as a word. */
  #countNames(text: string): number {
    const { postingStart } = this.#arrays;
    let count = 0;
    for (const word of this.same(text)) {
      count += (postingStart[word + 1] as number) - (postingStart[word] as number);
    }
    return count;
  }

  #begin(): void {
    this.#records.begin();
    this.#nearCount = 0;
  }

  #add(word: number): void {
    if (!this.#records.isNew(word)) return;
    if (this.#nearCount === this.#near.length) this.#near = doubled(this.#near);
    this.#near[this.#nearCount++] = word;
  }

  #bySpelling(text: string): void {
    for (const each of spellingHashes(text)) this.#collectSpelling(each);
  }

  #collectSpelling(hash: number): void {
    this.#collect(this.#arrays.spellings, this.#spellings, hash);
  }

  #collect(pairs: Float64Array, table: PairTable | SpellingTable, hash: number): void {
    const start = pairOf(hash, 0);
    const end = pairOf(hash + 1, 0);
    for (let at = table.firstOf(hash); at < pairs.length; at++) {
      const pair = pairs[at] as number;
      if (pair >= end || this.#nearCount >= LOOKED_AT_MAX) return;
      // A modulo of such large numbers is slow.
      this.#add((pair - start) | 0);
    }
  }

  /** Words of equal sound whose letters may be similar to those of `word` as well. */
  #collectSound(hash: number, word: Spelt, isSame: boolean): void {
    const { sounds } = this.#arrays;
    if (word.script !== 'latin') {
      this.#collect(sounds, this.#sounds, hash);
      return;
    }
    const all = this.#soundLetters;
    const { letters } = word;
    const { length } = word.text;
    const start = pairOf(hash, 0);
    const end = pairOf(hash + 1, 0);
    for (let at = this.#sounds.firstOf(hash); at < sounds.length; at++) {
      const pair = sounds[at] as number;
      if (pair >= end || this.#nearCount >= LOOKED_AT_MAX) return;
      const known = all[at] as number;
      const own = known & LETTERS;
      const isKnown = known !== ANY_LETTERS;
      if (isKnown && isFarByLetters(length, letters, known >>> LETTER_BITS, own, isSame)) continue;
      this.#add((pair - start) | 0);
    }
  }
}

/** The part of a word that determines its spelling. */
type Spelt = Pick<NameWord, 'text' | 'letters' | 'script'>;

/** For words whose letters say nothing about their similarity. */
const ANY_LETTERS = 0xffff_ffff;
/** Bits for the letters of a word; the bits above hold its length. */
const LETTER_BITS = 27;
const LETTERS = (1 << LETTER_BITS) - 1;
const LENGTH_MAX = 31;

/** For each pair of {@link IndexArrays.sounds}: letters and length of its word, in one array. */
function lettersOfSounds({ sounds, wordStart, wordScript, wordFacts: facts }: IndexArrays) {
  const latin = scripts.indexOf('latin');
  return Uint32Array.from(sounds, (pair) => {
    const word = wordOfPair(pair);
    const length = (wordStart[word + 1] as number) - (wordStart[word] as number);
    if (wordScript[word] !== latin || length < 2 || length >= LENGTH_MAX) return ANY_LETTERS;
    return ((facts[3 * word] as number) | (length << LETTER_BITS)) >>> 0;
  });
}

function remember<T>(known: Map<string, T>, key: string, found: T): T {
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(key, found);
  return found;
}

function doubled(words: Uint32Array): Uint32Array {
  const larger = new Uint32Array(2 * words.length);
  larger.set(words);
  return larger;
}

const noWords: number[] = [];
const noSplits: readonly WordSplit[] = [];
/** Minimum length of a part of a word that is looked up by its sound. */
const LEAST_BY_SOUND = 6;
/** Maximum length of a romanised Korean syllable. */
const LONGEST_SYLLABLE = 8;
/** Minimum length of a word that is looked up as two. */
export const SHORTEST_SPLIT = 5;
