import { LEAST_LIKENESS } from '../names/align.ts';
import { scripts } from '../names/fold.ts';
import { nicknamesOf } from '../names/nicknames.ts';
import { soundKey } from '../names/skeleton.ts';
import { joinedLikeness, wordLikeness } from '../names/word-likeness.ts';
import { type NameWord, nameWord } from '../names/words.ts';
import {
  hashWithout,
  type IndexArrays,
  lowerBound,
  pairOf,
  SHORTEST_SOUND,
  SHORTEST_SPELLING,
  wordOfPair,
} from './layout.ts';

/** Words of an index that are alike to a word, the most alike first. */
export interface Expansion {
  readonly words: readonly number[];
  /** By word. */
  readonly likenesses: ReadonlyMap<number, number>;
}

/** Words that are remembered with what is alike: names repeat. */
const REMEMBERED_MAX = 20_000;
/** Texts that are compared for one word; what is alike in sound only is many for short ones. */
const LOOKED_AT_MAX = 3000;

/** The words of an index, found by spelling and sound. */
export class Vocabulary {
  readonly #arrays: IndexArrays;
  readonly #known = new Map<string, Expansion>();
  readonly #words: (NameWord | undefined)[] = [];

  constructor(arrays: IndexArrays) {
    this.#arrays = arrays;
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
    const found = this.#expand(word);
    if (this.#known.size >= REMEMBERED_MAX) this.#known.clear();
    this.#known.set(key, found);
    return found;
  }

  /** Words that are alike to two that are written as one. */
  expandJoined(text: string): Expansion {
    const near = new Set<number>();
    this.#bySpelling(text, near);
    return ranked(near, (word) => joinedLikeness(text, this.text(word)));
  }

  /** The words with exactly these letters. */
  same(text: string): readonly number[] {
    const found = new Set<number>();
    this.#collect(this.#arrays.spellings, hashWithout(text, -1), found);
    return [...found].filter((word) => this.text(word) === text);
  }

  #expand(word: NameWord): Expansion {
    const { text } = word;
    const near = new Set<number>();
    this.#bySpelling(text, near);
    for (const other of nicknamesOf(text)) for (const each of this.same(other)) near.add(each);
    const sound = soundKey(text);
    if (sound.length >= 2) this.#collect(this.#arrays.sounds, hashWithout(sound, -1), near);
    if (sound.length >= SHORTEST_SOUND && !sound.startsWith('_')) {
      for (let at = 0; at < sound.length; at++) {
        this.#collect(this.#arrays.sounds, hashWithout(sound, at), near);
      }
    }
    const isPlain = word.script === 'latin' || word.script === 'letters';
    return ranked(near, (each) => {
      const isFar = isPlain && Math.abs(this.#lengthOf(each) - text.length) > LENGTHS_APART;
      return isFar && this.#isPlain(each) ? 0 : wordLikeness(word, this.word(each));
    });
  }

  #lengthOf(word: number): number {
    const { wordStart } = this.#arrays;
    return (wordStart[word + 1] as number) - (wordStart[word] as number);
  }

  #isPlain(word: number): boolean {
    return (this.#arrays.wordScript[word] as number) < PLAIN_SCRIPTS;
  }

  #bySpelling(text: string, found: Set<number>): void {
    const { spellings } = this.#arrays;
    this.#collect(spellings, hashWithout(text, -1), found);
    if (text.length < SHORTEST_SPELLING) return;
    for (let at = 0; at < text.length; at++) {
      if (at > 0 && text[at] === text[at - 1]) continue;
      this.#collect(spellings, hashWithout(text, at), found);
    }
  }

  #collect(pairs: Float64Array, hash: number, found: Set<number>): void {
    const end = pairOf(hash + 1, 0);
    for (let at = lowerBound(pairs, pairOf(hash, 0)); at < pairs.length; at++) {
      const pair = pairs[at] as number;
      if (pair >= end || found.size >= LOOKED_AT_MAX) return;
      found.add(wordOfPair(pair));
    }
  }
}

/** Words of alphabets with vowels differ by no more letters than this. */
const LENGTHS_APART = 3;
/** `latin` and `letters` come first. */
const PLAIN_SCRIPTS = 2;

function ranked(near: ReadonlySet<number>, likenessOf: (word: number) => number): Expansion {
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
