import type { AskedWord } from '../../names/alike/asked-word.ts';
import { scripts } from '../../names/fold.ts';
import { areFar, type WordFacts } from '../../names/word-likeness.ts';
import { type NameWord, writtenWord } from '../../names/words.ts';
import type { IndexArrays } from '../layout.ts';
import { WordForms } from './word-forms.ts';
import type { WordKeys } from './word-keys.ts';
import type { WordTexts } from './word-texts.ts';

/** Numbers per word: half a cache line. */
const SIZE = 8;
/** Their offsets. The facts are those of {@link IndexArrays.wordFacts}. */
const [LENGTH, SCRIPT, LETTERS, SKELETON, SOUND, FORM] = [0, 1, 2, 3, 4, 5];
/** Maximum difference in length of similar words in alphabets with vowels. */
const LENGTHS_APART = 3;

/**
 * The properties of each word that are compared first, in one contiguous array. Hundreds of words
 * are examined for one, and these properties rule out most of them.
 */
export class WordRecords {
  readonly #records: Uint32Array;
  readonly #texts: WordTexts;
  readonly #forms = new WordForms();
  /** For each word: the last set to which it was added. Small enough to stay in the cache. */
  readonly #marks: Uint32Array;
  #mark = 0;
  #asked: AskedWord | undefined;
  #word: NameWord | undefined;
  /** Positions of the forms that are compared. */
  #places = new Int32Array(ROOM);
  #likenesses = new Float64Array(ROOM);
  #script = -1;
  #facts: WordFacts = looked;

  constructor(arrays: IndexArrays, texts: WordTexts) {
    this.#records = recordsOf(arrays);
    this.#marks = new Uint32Array(arrays.wordScript.length);
    this.#texts = texts;
  }

  lengthOf(word: number): number {
    return this.#records[SIZE * word + LENGTH] as number;
  }

  /** See {@link NameWord.letters}. */
  lettersOf(word: number): number {
    return this.#records[SIZE * word + LETTERS] as number;
  }

  /** Starts a new set of words. */
  begin(): void {
    this.#mark += 1;
  }

  /** True only for the first occurrence of a word in the set. */
  isNew(word: number): boolean {
    if (this.#marks[word] === this.#mark) return false;
    this.#marks[word] = this.#mark;
    return true;
  }

  /**
   * Sets the word with which others are compared.
   *
   * @param script number of the script whose words can be ruled out by their letters
   */
  ask(word: NameWord, { asked, facts }: WordKeys, script: number): void {
    this.#word = word;
    this.#asked = asked;
    this.#script = script;
    this.#facts = facts;
  }

  /**
   * Similarities of words, 0 to 1, in order. Values too low to count are arbitrary.
   *
   * @param known number of leading words that a table lists as possibly similar
   */
  likenesses(words: Uint32Array, count: number, known: number): Float64Array {
    const likenesses = this.#withRoom(count);
    const places = this.#places;
    this.#readAhead(words, count);
    let compared = 0;
    for (let at = 0; at < count; at++) {
      const word = words[at] as number;
      const place = at < known || !this.#isFar(word) ? this.#formAt(word) : NONE;
      places[at] = place;
      if (place !== NONE) compared += 1;
    }
    if (compared === 0) return likenesses.fill(0, 0, count);
    const { forms } = this.#forms;
    readFormsAhead(forms, places, count);
    const asked = this.#asked as AskedWord;
    asked.begin(this.#word as NameWord);
    for (let at = 0; at < count; at++) {
      const place = places[at] as number;
      likenesses[at] = place === NONE ? 0 : asked.likeness(forms, place);
    }
    return likenesses;
  }

  #withRoom(count: number): Float64Array {
    if (count > this.#likenesses.length) {
      this.#places = new Int32Array(2 * count);
      this.#likenesses = new Float64Array(2 * count);
    }
    return this.#likenesses;
  }

  /** Prefetches the records of the next words: reads are independent, so that they overlap. */
  #readAhead(words: Uint32Array, count: number): void {
    const records = this.#records;
    for (let at = 0; at < count; at++) {
      kept[0] = records[SIZE * (words[at] as number)] as number;
    }
  }

  /** Whether a word of the script certainly is not similar. */
  #isFar(word: number): boolean {
    const records = this.#records;
    const at = SIZE * word;
    if (records[at + SCRIPT] !== this.#script) return false;
    looked.length = records[at + LENGTH] as number;
    looked.letters = records[at + LETTERS] as number;
    looked.skeleton = records[at + SKELETON] as number;
    looked.sound = records[at + SOUND] as number;
    if (Math.abs(looked.length - this.#facts.length) > LENGTHS_APART) return true;
    return looked.length >= 2 && areFar(this.#facts, looked);
  }

  #formAt(word: number): number {
    const at = SIZE * word + FORM;
    const known = this.#records[at] as number;
    if (known !== 0) return known;
    const script = scripts[this.#records[SIZE * word + SCRIPT] as number] ?? 'latin';
    const made = this.#forms.add(writtenWord(this.#texts.of(word), script));
    this.#records[at] = made;
    return made;
  }
}

/** Initial capacity. */
const ROOM = 256;
/** Position that no form has. */
const NONE = 0;
/** Sink for prefetched values: without a use, the reads would be optimised away. */
const kept = new Uint32Array(1);

function readFormsAhead(forms: Uint16Array, places: Int32Array, count: number): void {
  for (let at = 0; at < count; at++) kept[0] = forms[places[at] as number] as number;
}

/** Shared object: thousands of words are examined for one. */
const looked = { length: 0, letters: 0, skeleton: 0, sound: 0 };

function recordsOf({ wordStart, wordScript, wordFacts: given }: IndexArrays): Uint32Array {
  const records = new Uint32Array(SIZE * wordScript.length);
  for (let word = 0; word < wordScript.length; word++) {
    const at = SIZE * word;
    records[at + LENGTH] = (wordStart[word + 1] as number) - (wordStart[word] as number);
    records[at + SCRIPT] = wordScript[word] as number;
    records[at + LETTERS] = given[3 * word] as number;
    records[at + SKELETON] = given[3 * word + 1] as number;
    records[at + SOUND] = given[3 * word + 2] as number;
  }
  return records;
}
