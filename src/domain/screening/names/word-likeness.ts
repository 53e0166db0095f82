import { LEAST_LIKENESS } from './align.ts';
import { AskedWord } from './alike/asked-word.ts';
import { LEAST_EXTRA, leastCost } from './alike/letters.ts';
import { EditTarget, editBudget, editCost } from './edit-cost.ts';
import { joinedSyllables } from './korean.ts';
import { joinedLikenessOfWade } from './languages/mandarin-likeness.ts';
import { nicknamesOf } from './nicknames.ts';
import type { NameWord } from './words.ts';

/** Kind of similarity between two words. */
export type Likeness = 'same' | 'spelling' | 'sound' | 'nickname' | 'initial';

/** Similarity of two words, 0 to 1. Below {@link LEAST_LIKENESS} they are different words. */
export function wordLikeness(a: NameWord, b: NameWord): number {
  asked.begin(a);
  return asked.likeness(b.form, 0);
}

const asked = new AskedWord();

function isNickname(a: NameWord, b: NameWord): boolean {
  return nicknamesOf(a.text).includes(b.text);
}

/** Properties that rule out most words without comparing letters. */
export interface WordFacts {
  readonly length: number;
  /** See {@link NameWord.letters}. */
  readonly letters: number;
  /** Hashes of skeleton and sound. */
  readonly skeleton: number;
  readonly sound: number;
}

/**
 * True if {@link wordLikeness} is certainly 0 for two words in alphabets with vowels that are
 * neither initials nor nicknames of each other.
 */
export function areFar(a: WordFacts, b: WordFacts): boolean {
  if (a.skeleton === b.skeleton || a.sound === b.sound) return false;
  return isFarByLetters(a.length, a.letters, b.length, b.letters, false);
}

/**
 * Whether the letters of two words differ more than their lengths allow.
 *
 * @param isSound they have equal consonants: vowels may then cost more
 */
export function isFarByLetters(
  lengthA: number,
  lettersA: number,
  lengthB: number,
  lettersB: number,
  isSound: boolean,
): boolean {
  const most =
    lengthA < LENGTHS && lengthB < LENGTHS
      ? ((isSound ? mostOfSound : mostOfLetters)[LENGTHS * lengthA + lengthB] as number)
      : mostOf(lengthA, lengthB, isSound);
  return leastCost(lettersA, lettersB) > most;
}

/** Maximum cost of words with these lengths; negative infinity if the lengths alone cost more. */
function mostOf(lengthA: number, lengthB: number, isSound: boolean): number {
  const shorter = Math.min(lengthA, lengthB);
  const longer = Math.max(lengthA, lengthB);
  const budget = editBudget(shorter);
  const most = isSound ? Math.max(budget, longer / 2) : budget;
  return (longer - shorter) * LEAST_EXTRA > most ? Number.NEGATIVE_INFINITY : most;
}

/** Lengths for which {@link mostOf} is tabulated, indexed by both lengths. */
const LENGTHS = 32;
const [mostOfLetters, mostOfSound] = [false, true].map((isSound) =>
  Float64Array.from({ length: LENGTHS * LENGTHS }, (_, at) =>
    mostOf(Math.floor(at / LENGTHS), at % LENGTHS, isSound),
  ),
) as [Float64Array, Float64Array];

/** The kind of similarity of two words that {@link wordLikeness} found to be similar. */
export function howAlike(a: NameWord, b: NameWord): Likeness {
  if (a.text === b.text) return 'same';
  if (a.isInitial || b.isInitial) return 'initial';
  if (isNickname(a, b)) return 'nickname';
  const shorter = Math.min(a.text.length, b.text.length);
  const budget = editBudget(shorter);
  return editCost(a.text, b.text, budget) <= budget ? 'spelling' : 'sound';
}

/**
 * False if {@link joinedLikeness} is certainly 0.
 *
 * @param length total number of letters of both words
 * @param letters letters of both words, as {@link NameWord.letters}
 */
export function mayBeJoined(
  length: number,
  letters: number,
  word: Pick<NameWord, 'text' | 'letters'>,
): boolean {
  return (
    Math.abs(length - word.text.length) <= JOINED_APART &&
    leastCost(letters, word.letters) <= mostJoined(length)
  );
}

/** Maximum cost for two joined words of this total length. */
export function mostJoined(length: number): number {
  return editBudget(length) / 2;
}

/** Maximum difference in length between two joined words and a single word. */
export const JOINED_APART = 2;

/** Returns a comparison of words with two joined words, which must satisfy {@link mayBeParts}. */
export function joinedWords(first: NameWord, second: NameWord): (word: string) => number {
  if (first.script === 'korean' && second.script === 'korean') {
    return (word) => joinedSyllables(first.text, second.text, word);
  }
  const text = first.text + second.text;
  if (first.script === 'han' && second.script === 'han') {
    return (word) => joinedHan(first.text, second.text, word);
  }
  // A word equal to one of the two is that word, not both joined.
  return (word) => (word === first.text || word === second.text ? 0 : joinedLikeness(text, word));
}

/** Similarity of two joined Han syllables to a word; 0 if the word cannot be these syllables. */
export function joinedHan(first: string, second: string, word: string): number {
  const asWritten = joinedLikeness(first + second, word);
  return asWritten === JOINED
    ? JOINED
    : Math.max(asWritten, joinedLikenessOfWade(first, second, word));
}

/** Whether two words may be parts of one. An initial is not part of the following name. */
export function mayBeParts(first: NameWord, second: NameWord): boolean {
  if (first.text.length > 1 && second.text.length > 1) return true;
  return first.script === 'korean' && second.script === 'korean';
}

/** Similarity of two joined words to `word`; 0 if they are not similar. */
export function joinedLikeness(joined: string, word: string): number {
  if (joined === word) return JOINED;
  if (!isJoinable(joined.length, word)) return 0;
  const budget = mostJoined(joined.length);
  return joinedAtCost(editCost(joined, word, budget), budget, joined.length);
}

/** {@link joinedLikeness} of the first `length` letters. Faster if `word` stays the same. */
export function likenessOfCodes(joined: Uint16Array, length: number, word: string): number {
  if (!isJoinable(length, word)) return isWord(joined, length, word) ? JOINED : 0;
  const budget = mostJoined(length);
  target.begin(word);
  if (target.isFar(joined, 0, length, budget, LEAST_EXTRA)) return 0;
  return joinedAtCost(target.cost(joined, 0, length, budget), budget, length);
}

const JOINED = 0.99;
const target = new EditTarget();

function isJoinable(length: number, word: string): boolean {
  return length >= 5 && Math.abs(length - word.length) <= JOINED_APART;
}

function isWord(codes: Uint16Array, length: number, word: string): boolean {
  if (length !== word.length) return false;
  for (let at = 0; at < length; at++) if (codes[at] !== word.charCodeAt(at)) return false;
  return true;
}

function joinedAtCost(cost: number, budget: number, length: number): number {
  if (cost > budget) return 0;
  const likeness = JOINED * (1 - cost / length);
  return likeness < LEAST_LIKENESS ? 0 : likeness;
}
