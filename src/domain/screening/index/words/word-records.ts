import type { AskedWord } from '../../names/alike/asked-word.ts';
import { scripts } from '../../names/fold.ts';
import { areFar, type WordFacts } from '../../names/word-likeness.ts';
import { type NameWord, writtenWord } from '../../names/words.ts';
import type { IndexArrays } from '../layout.ts';
import { WordForms } from './word-forms.ts';
import type { WordKeys } from './word-keys.ts';

/** Numbers of each word: half of what a processor reads at once. */
const SIZE = 8;
/** Their places; the facts are those of {@link IndexArrays.wordFacts}. */
const [LENGTH, SCRIPT, LETTERS, SKELETON, SOUND, MARK, FORM] = [0, 1, 2, 3, 4, 5, 6];
/** Words of alphabets with vowels differ by no more letters than this. */
const LENGTHS_APART = 3;

/**
 * What of each word of an index is looked at first, side by side; hundreds of words are looked at
 * for one, and most of them are told from it by this alone.
 */
export class WordRecords {
  readonly #records: Uint32Array;
  readonly #textOf: (word: number) => string;
  readonly #forms = new WordForms();
  #asked: AskedWord | undefined;
  #word: NameWord | undefined;
  #mark = 0;
  #script = -1;
  #facts: WordFacts = looked;

  constructor(arrays: IndexArrays, textOf: (word: number) => string) {
    this.#records = recordsOf(arrays);
    this.#textOf = textOf;
  }

  lengthOf(word: number): number {
    return this.#records[SIZE * word + LENGTH] as number;
  }

  /** As {@link NameWord.letters}. */
  lettersOf(word: number): number {
    return this.#records[SIZE * word + LETTERS] as number;
  }

  /** Begins another set of words. */
  begin(): void {
    this.#mark += 1;
  }

  /** True the first time for a word of the set. */
  isNew(word: number): boolean {
    const at = SIZE * word + MARK;
    if (this.#records[at] === this.#mark) return false;
    this.#records[at] = this.#mark;
    return true;
  }

  /**
   * Takes the word that others are compared with.
   *
   * @param script number of the script whose words may be told from it by their letters
   */
  ask(word: NameWord, { asked, facts }: WordKeys, script: number): void {
    this.#word = word;
    this.#asked = asked;
    this.#script = script;
    this.#facts = facts;
  }

  /**
   * How alike a word is, 0 to 1; less than counts is any number.
   *
   * @param isKnown tables say that it may be alike
   */
  likeness(word: number, isKnown: boolean): number {
    if (!isKnown && this.#isFar(word)) return 0;
    const at = this.#formAt(word);
    const asked = this.#asked as AskedWord;
    asked.begin(this.#word as NameWord);
    return asked.likeness(this.#forms.forms, at);
  }

  /** True for a word of the script that is not alike, for sure. */
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
    const made = this.#forms.add(writtenWord(this.#textOf(word), script));
    this.#records[at] = made;
    return made;
  }
}

/** One for all: thousands are looked at for one word. */
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
