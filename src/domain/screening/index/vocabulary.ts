import { LEAST_LIKENESS } from '../names/align.ts';
import { scripts } from '../names/fold.ts';
import { nicknamesOf } from '../names/nicknames.ts';
import { soundKeyOf } from '../names/skeleton.ts';
import { areFar, joinedLikeness, type WordFacts, wordLikeness } from '../names/word-likeness.ts';
import { type NameWord, nameWord } from '../names/words.ts';
import {
  hashOfPart,
  hashWithout,
  type IndexArrays,
  pairOf,
  SHORTEST_SOUND,
  SHORTEST_SPELLING,
  wordOfPair,
} from './layout.ts';
import { PairTable } from './pair-table.ts';
import { wordFacts } from './word-facts.ts';

/** Words of an index that are alike to a word, the most alike first. */
export interface Expansion {
  readonly words: readonly number[];
  /** By word. */
  readonly likenesses: ReadonlyMap<number, number>;
}

/** Two words that are written as one. */
export interface WordSplit {
  readonly first: number;
  readonly second: number;
}

/** Words that are remembered with what is alike: names repeat. */
const REMEMBERED_MAX = 20_000;
/** Texts that are compared for one word; what is alike in sound only is many for short ones. */
const LOOKED_AT_MAX = 3000;

/** The words of an index, found by spelling and sound. */
export class Vocabulary {
  readonly #arrays: IndexArrays;
  readonly #spellings: PairTable;
  readonly #sounds: PairTable;
  readonly #known = new Map<string, Expansion>();
  readonly #joined = new Map<string, Expansion>();
  readonly #splits = new Map<string, readonly WordSplit[]>();
  readonly #words: (NameWord | undefined)[];

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
    const count = arrays.wordScript.length;
    this.#words = new Array<NameWord | undefined>(count).fill(undefined);
    this.#spellings = new PairTable(arrays.spellings);
    this.#sounds = new PairTable(arrays.sounds);
  }

  /** The letters of a word. */
  text(word: number): string {
    const known = this.#words[word];
    if (known !== undefined) return known.text;
    const { letters, wordStart } = this.#arrays;
    const part = letters.subarray(wordStart[word], wordStart[word + 1]);
    return String.fromCharCode.apply(undefined, part as unknown as number[]);
  }

  /** A word as it is compared. */
  word(word: number): NameWord {
    const known = this.#words[word];
    if (known !== undefined) return known;
    const script = scripts[this.#arrays.wordScript[word] as number] ?? 'latin';
    const made = nameWord(this.text(word), script);
    this.#words[word] = made;
    return made;
  }

  /** Words that are alike to `word`. */
  expand(word: NameWord): Expansion {
    const key = `${word.script} ${word.text}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    return remember(this.#known, key, this.#expand(word));
  }

  /** True when a word has these letters but for one: {@link expandJoined} may find it. */
  hasNear(text: string): boolean {
    const { spellings } = this.#arrays;
    for (let at = -1; at < text.length; at++) {
      const hash = hashWithout(text, at);
      const place = this.#spellings.firstOf(hash);
      if (place < spellings.length && (spellings[place] as number) < pairOf(hash + 1, 0)) {
        return true;
      }
    }
    return false;
  }

  /** Words that are alike to two that are written as one. */
  expandJoined(text: string): Expansion {
    const known = this.#joined.get(text);
    if (known !== undefined) return known;
    const near = new Set<number>();
    this.#bySpelling(text, near);
    const found = ranked(near, (word) => joinedLikeness(text, this.text(word)));
    return remember(this.#joined, text, found);
  }

  /** The words with exactly these letters, or those from `from` to before `to`. */
  same(text: string, from = 0, to = text.length): readonly number[] {
    const { spellings } = this.#arrays;
    const hash = hashOfPart(text, from, to);
    const end = pairOf(hash + 1, 0);
    let found = noWords;
    let last = -1;
    for (let at = this.#spellings.firstOf(hash); at < spellings.length; at++) {
      const pair = spellings[at] as number;
      if (pair >= end) break;
      const word = wordOfPair(pair);
      // Pairs are in the order of their words; one stands twice when two texts have one hash.
      if (word === last || !this.#hasText(word, text, from, to)) continue;
      last = word;
      if (found === noWords) found = [];
      found.push(word);
    }
    return found;
  }

  /** Pairs of words that `text` is when it is parted. */
  splits(text: string): readonly WordSplit[] {
    const known = this.#splits.get(text);
    if (known !== undefined) return known;
    const found: WordSplit[] = [];
    for (let at = 2; at <= text.length - 2; at++) {
      const [first] = this.same(text, 0, at);
      if (first === undefined) continue;
      const [second] = this.same(text, at);
      if (second !== undefined) found.push({ first, second });
    }
    return remember(this.#splits, text, found.length === 0 ? noSplits : found);
  }

  #hasText(word: number, text: string, from: number, to: number): boolean {
    const { letters, wordStart } = this.#arrays;
    const start = wordStart[word] as number;
    if ((wordStart[word + 1] as number) - start !== to - from) return false;
    for (let at = from; at < to; at++) {
      if (letters[start + at - from] !== text.charCodeAt(at)) return false;
    }
    return true;
  }

  #expand(word: NameWord): Expansion {
    const { text } = word;
    const near = new Set<number>();
    this.#bySpelling(text, near);
    for (const other of nicknamesOf(text)) for (const each of this.same(other)) near.add(each);
    const sound = soundKeyOf(word);
    if (sound.length >= 2) this.#collectSound(hashWithout(sound, -1), near);
    if (sound.length >= SHORTEST_SOUND && !sound.startsWith('_')) {
      for (let at = 0; at < sound.length; at++) {
        this.#collectSound(hashWithout(sound, at), near);
      }
    }
    if (near.size === 0) return nothing;
    const script = scripts.indexOf(word.script);
    const isPlain = word.script === 'latin' || word.script === 'letters';
    const facts = wordFacts(word);
    const others = nicknamesOf(text);
    const isFar = (each: number) => {
      // Letters say nothing of words of two scripts.
      if (!isPlain || script !== this.#arrays.wordScript[each]) return false;
      if (Math.abs(this.#lengthOf(each) - text.length) > LENGTHS_APART) return true;
      const known = this.#factsOf(each);
      if (known.length < 2 || text.length < 2) return false;
      return areFar(facts, known) && (others.length === 0 || !others.includes(this.text(each)));
    };
    return ranked(near, (each) => (isFar(each) ? 0 : wordLikeness(word, this.word(each))));
  }

  #factsOf(word: number): WordFacts {
    const { wordFacts } = this.#arrays;
    looked.length = this.#lengthOf(word);
    looked.letters = wordFacts[3 * word] as number;
    looked.skeleton = wordFacts[3 * word + 1] as number;
    looked.sound = wordFacts[3 * word + 2] as number;
    return looked;
  }

  #lengthOf(word: number): number {
    const { wordStart } = this.#arrays;
    return (wordStart[word + 1] as number) - (wordStart[word] as number);
  }

  #bySpelling(text: string, found: Set<number>): void {
    this.#collectSpelling(hashWithout(text, -1), found);
    if (text.length < SHORTEST_SPELLING) return;
    for (let at = 0; at < text.length; at++) {
      if (at > 0 && text.charCodeAt(at) === text.charCodeAt(at - 1)) continue;
      this.#collectSpelling(hashWithout(text, at), found);
    }
  }

  #collectSpelling(hash: number, found: Set<number>): void {
    collect(this.#arrays.spellings, this.#spellings.firstOf(hash), hash, found);
  }

  #collectSound(hash: number, found: Set<number>): void {
    collect(this.#arrays.sounds, this.#sounds.firstOf(hash), hash, found);
  }
}

/** One for all: thousands are looked at for one word. */
const looked = { length: 0, letters: 0, skeleton: 0, sound: 0 };

function collect(pairs: Float64Array, from: number, hash: number, found: Set<number>): void {
  const end = pairOf(hash + 1, 0);
  for (let at = from; at < pairs.length; at++) {
    const pair = pairs[at] as number;
    if (pair >= end || found.size >= LOOKED_AT_MAX) return;
    found.add(wordOfPair(pair));
  }
}

function remember<T>(known: Map<string, T>, key: string, found: T): T {
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(key, found);
  return found;
}

const noWords: number[] = [];
const noSplits: readonly WordSplit[] = [];

/** Words of alphabets with vowels differ by no more letters than this. */
const LENGTHS_APART = 3;
const nothing: Expansion = { words: [], likenesses: new Map() };

function ranked(near: ReadonlySet<number>, likenessOf: (word: number) => number): Expansion {
  if (near.size === 0) return nothing;
  const likenesses = new Map<number, number>();
  for (const word of near) {
    const likeness = likenessOf(word);
    if (likeness >= LEAST_LIKENESS) likenesses.set(word, likeness);
  }
  const words = [...likenesses.keys()].sort(
    (a, b) => (likenesses.get(b) as number) - (likenesses.get(a) as number) || a - b,
  );
  return { words, likenesses };
}
