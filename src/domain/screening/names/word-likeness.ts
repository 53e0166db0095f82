import { LEAST_LIKENESS } from './align.ts';
import { AskedWord } from './alike/asked-word.ts';
import { LEAST_EXTRA, leastCost } from './alike/letters.ts';
import { EditTarget, editBudget, editCost } from './edit-cost.ts';
import { joinedSyllables } from './korean.ts';
import { joinedLikenessOfWade } from './languages/mandarin-likeness.ts';
import { nicknamesOf } from './nicknames.ts';
import type { NameWord } from './words.ts';

/** How two words are alike. */
export type Likeness = 'same' | 'spelling' | 'sound' | 'nickname' | 'initial';

/** How alike two words are, 0 to 1; below {@link LEAST_LIKENESS} they are different words. */
export function wordLikeness(a: NameWord, b: NameWord): number {
  asked.begin(a);
  return asked.likeness(b.form, 0);
}

const asked = new AskedWord();

function isNickname(a: NameWord, b: NameWord): boolean {
  return nicknamesOf(a.text).includes(b.text);
}

/** What of a word tells most words apart from it, without looking at their letters. */
export interface WordFacts {
  readonly length: number;
  /** As {@link NameWord.letters}. */
  readonly letters: number;
  /** Hashes of skeleton and sound. */
  readonly skeleton: number;
  readonly sound: number;
}

/**
 * True when {@link wordLikeness} is 0 for sure, of two words of alphabets with vowels that are no
 * initials and no nicknames of one another.
 */
export function areFar(a: WordFacts, b: WordFacts): boolean {
  if (a.skeleton === b.skeleton || a.sound === b.sound) return false;
  return isFarByLetters(a.length, a.letters, b.length, b.letters, false);
}

/**
 * True when two words of these lengths and letters cost more than their lengths allow.
 *
 * @param isSound they have the same consonants: vowels may cost more
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

/** What words of these lengths may cost; less than nothing where the lengths alone cost more. */
function mostOf(lengthA: number, lengthB: number, isSound: boolean): number {
  const shorter = Math.min(lengthA, lengthB);
  const longer = Math.max(lengthA, lengthB);
  const budget = editBudget(shorter);
  const most = isSound ? Math.max(budget, longer / 2) : budget;
  return (longer - shorter) * LEAST_EXTRA > most ? Number.NEGATIVE_INFINITY : most;
}

/** Lengths of words of which {@link mostOf} is known; both words together are a place. */
const LENGTHS = 32;
const [mostOfLetters, mostOfSound] = [false, true].map((isSound) =>
  Float64Array.from({ length: LENGTHS * LENGTHS }, (_, at) =>
    mostOf(Math.floor(at / LENGTHS), at % LENGTHS, isSound),
  ),
) as [Float64Array, Float64Array];

/** What two words are, of which {@link wordLikeness} has said that they are alike. */
export function howAlike(a: NameWord, b: NameWord): Likeness {
  if (a.text === b.text) return 'same';
  if (a.isInitial || b.isInitial) return 'initial';
  if (isNickname(a, b)) return 'nickname';
  const shorter = Math.min(a.text.length, b.text.length);
  const budget = editBudget(shorter);
  return editCost(a.text, b.text, budget) <= budget ? 'spelling' : 'sound';
}

/**
 * False when {@link joinedLikeness} is 0 for sure.
 *
 * @param length letters of both words
 * @param letters which these are, as {@link NameWord.letters}
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

/** What two words of so many letters that were written as one may cost. */
export function mostJoined(length: number): number {
  return editBudget(length) / 2;
}

/** Letters by which two words that were written as one are longer or shorter. */
export const JOINED_APART = 2;

/** Tells how alike two words of {@link mayBeParts} are to another when they are written as one. */
export function joinedWords(first: NameWord, second: NameWord): (word: string) => number {
  if (first.script === 'korean' && second.script === 'korean') {
    return (word) => joinedSyllables(first.text, second.text, word);
  }
  const text = first.text + second.text;
  if (first.script === 'han' && second.script === 'han') {
    return (word) => joinedHan(first.text, second.text, word);
  }
  // A word that is one of both is that one: the other is not a part of it.
  return (word) => (word === first.text || word === second.text ? 0 : joinedLikeness(text, word));
}

/** How alike two syllables of Han that were written as one are to a word; 0 when they are not. */
export function joinedHan(first: string, second: string, word: string): number {
  const asWritten = joinedLikeness(first + second, word);
  return asWritten === JOINED
    ? JOINED
    : Math.max(asWritten, joinedLikenessOfWade(first, second, word));
}

/** True for words that may be parts of one: an initial before a name is no part of it. */
export function mayBeParts(first: NameWord, second: NameWord): boolean {
  if (first.text.length > 1 && second.text.length > 1) return true;
  return first.script === 'korean' && second.script === 'korean';
}

/** How alike two words that were written as one are to `word`; 0 when they are not. */
export function joinedLikeness(joined: string, word: string): number {
  if (joined === word) return JOINED;
  if (!isJoinable(joined.length, word)) return 0;
  const budget = mostJoined(joined.length);
  return joinedAtCost(editCost(joined, word, budget), budget, joined.length);
}

/** The same of the first letters of `joined`, for many of them beside one word. */
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
