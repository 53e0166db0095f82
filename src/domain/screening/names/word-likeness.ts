import { LEAST_LIKENESS } from './align.ts';
import { editBudget, editCost } from './edit-cost.ts';
import { isSyllable } from './fold.ts';
import { joinedSyllables, spellingsOfSyllable } from './korean.ts';
import { nicknamesOf } from './nicknames.ts';
import { areTwoNames, isOneName } from './own-names.ts';
import { soundShare } from './phones.ts';
import { looseSkeleton } from './skeleton.ts';
import { type NameWord, OTHER_LETTERS } from './words.ts';

/** How two words are alike. */
export type Likeness = 'same' | 'spelling' | 'sound' | 'nickname' | 'initial';

const INITIAL = 0.9;
const NICKNAME = 0.87;
/** Spellings of one name. */
const ONE_NAME = 0.95;
/** Words with the same consonants, by how many. */
const soundLikeness: readonly number[] = [0, 0, 0.88, 0.93];
const MOST_SOUND = 0.96;
/** The least cost of a letter that one spelling lacks. */
const LEAST_EXTRA = 0.3;
/** Words all of whose sounds agree: of two scripts, and of one. */
const SCRIPTS_MEET = 0.96;
const SPELLINGS_MEET = 0.95;
/** Between scripts with vowels, what differs is the spelling rather than the word. */
const BETWEEN_SCRIPTS = 0.8;
/** What is less becomes less than {@link LEAST_LIKENESS}. */
const LEAST_BETWEEN = 0.64;
/** What is taken from words in a script without vowels and another, by how many consonants. */
const byChance: readonly number[] = [0.1, 0.05, 0.03];
const MISSPELT = 0.05;
const SAME_SOUND = 0.9;
const SHORT_SOUND = 0.74;

/** How alike two words are, 0 to 1; below {@link LEAST_LIKENESS} they are different words. */
export function wordLikeness(a: NameWord, b: NameWord): number {
  if (a.text === b.text) return 1;
  if (a.script !== b.script) {
    const alike = koreanLikeness(a, b);
    if (alike > 0) return alike;
  }
  const own = a.known !== undefined && b.known !== undefined ? ownLikeness(a, b) : undefined;
  if (own !== undefined && own !== NICKNAME) return own;
  const likeness = Math.min(own ?? 1, unevenLikeness(a, b));
  // What is no spelling of a syllable is more often another one.
  if (isSyllable(a.script) || isSyllable(b.script)) return likeness - MISSPELT;
  const isAsWritten = a.script === b.script || isBare(a) || isBare(b);
  return isAsWritten || likeness < LEAST_LIKENESS ? likeness : likeness ** BETWEEN_SCRIPTS;
}

/** How alike two known names are at most: forms that languages write for one another, as short. */
function ownLikeness({ known: a, text }: NameWord, { known: b, text: other }: NameWord) {
  if (a === undefined || b === undefined) return undefined;
  if (isOneName(a, b)) return ONE_NAME;
  return areTwoNames(a, b) && !nicknamesOf(text).includes(other) ? 0 : NICKNAME;
}

function unevenLikeness(a: NameWord, b: NameWord): number {
  if (a.isInitial || b.isInitial) return a.text[0] === b.text[0] ? INITIAL : 0;
  const shorter = Math.min(a.text.length, b.text.length);
  const longer = Math.max(a.text.length, b.text.length);
  // `Liz` is short for `Elizabeth`.
  if (longer > 2 * shorter + 2) return isNickname(a, b) ? NICKNAME : 0;
  // Two spellings of one script, not two of one sound.
  const isSameScript = a.script === b.script && a.script !== 'latin' && a.script !== 'letters';
  if (isSyllable(a.script) && isSyllable(b.script)) return 0;
  const budget = editBudget(shorter);
  const isSound = !isSameScript && a.skeleton === b.skeleton && a.skeleton.length >= 2;
  const most = isSound ? Math.max(budget, longer * mostOf(a.skeleton.length)) : budget;
  const isFar = (longer - shorter) * LEAST_EXTRA > most || leastCost(a.letters, b.letters) > most;
  const cost = isFar ? most + 1 : editCost(a.text, b.text, most);
  let best = cost <= budget ? 1 - cost / longer : 0;
  if (isSameScript) return best;
  const isSameSound = a.sound === b.sound;
  if (a.script !== b.script) best = bySound(a, b, best, LEAST_BETWEEN, SCRIPTS_MEET);
  // An index does not look at words that are far by their letters.
  else if (!isFar || isSound || isSameSound) {
    best = bySound(a, b, best, LEAST_LIKENESS, SPELLINGS_MEET);
  }
  // Syllables are short: consonants alone are the same by chance.
  if (isSyllable(a.script) || isSyllable(b.script)) return best;
  if (isBare(a) !== isBare(b)) {
    const count = Math.min(a.skeleton.length, b.skeleton.length);
    best = Math.max(best, consonantLikeness(a, b)) - (byChance[count] ?? 0);
  } else if (isSound && cost <= most) {
    const sound = soundLikeness[a.skeleton.length] ?? MOST_SOUND;
    best = Math.max(best, sound * (1 - cost / longer / 2));
  }
  if (isSameSound && shorter > 1) best = Math.max(best, shorter > 3 ? SAME_SOUND : SHORT_SOUND);
  if (best < NICKNAME && isNickname(a, b)) best = NICKNAME;
  return best;
}

/** How alike a syllable of Korea is to a word that may be a spelling of it; else 0. */
function koreanLikeness(a: NameWord, b: NameWord): number {
  if (a.script === 'korean') return isPlain(b) ? spelt(a.text, b.text) : 0;
  return b.script === 'korean' && isPlain(a) ? spelt(b.text, a.text) : 0;
}

function spelt(syllable: string, word: string): number {
  return spellingsOfSyllable(syllable).get(word) ?? 0;
}

function isPlain({ script }: NameWord): boolean {
  return script === 'latin' || script === 'letters';
}

/** `best`, or the share of the sounds that agree when that is more; all of them are `full`. */
function bySound(a: NameWord, b: NameWord, best: number, least: number, full: number): number {
  if (best >= full) return best;
  const rest = 1 - full;
  return Math.max(best, soundShare(a, b, Math.max(best, least) + rest) - rest);
}

/** Share of a word that its vowels cost at most; with more it is less than LEAST_LIKENESS. */
function mostOf(consonants: number): number {
  return Math.min(0.5, 2 - (2 * LEAST_LIKENESS) / (soundLikeness[consonants] ?? MOST_SOUND)) + 1e-9;
}

function isNickname(a: NameWord, b: NameWord): boolean {
  return nicknamesOf(a.text).includes(b.text);
}

/**
 * What {@link editCost} comes to at least: each letter that only one of both has is swapped for 0.5
 * or more, or is extra for 0.4 or more (h) or 0.6.
 */
function leastCost(a: number, b: number): number {
  if (((a | b) & OTHER_LETTERS) !== 0) return 0;
  return Math.max(costOf(a & ~b), costOf(b & ~a)) - 1e-9;
}

function costOf(letters: number): number {
  if (letters === 0) return 0;
  let count = letters - ((letters >>> 1) & 0x55555555);
  count = (count & 0x33333333) + ((count >>> 2) & 0x33333333);
  count = (((count + (count >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
  return count * 0.5 - ((letters & LETTER_H) === 0 ? 0 : 0.1);
}

const LETTER_H = 1 << 7;

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
  const shorter = Math.min(lengthA, lengthB);
  const longer = Math.max(lengthA, lengthB);
  const budget = editBudget(shorter);
  const most = isSound ? Math.max(budget, longer / 2) : budget;
  return (longer - shorter) * LEAST_EXTRA > most || leastCost(lettersA, lettersB) > most;
}

/** What two words are, of which {@link wordLikeness} has said that they are alike. */
export function howAlike(a: NameWord, b: NameWord): Likeness {
  if (a.text === b.text) return 'same';
  if (a.isInitial || b.isInitial) return 'initial';
  if (isNickname(a, b)) return 'nickname';
  const shorter = Math.min(a.text.length, b.text.length);
  const budget = editBudget(shorter);
  return editCost(a.text, b.text, budget) <= budget ? 'spelling' : 'sound';
}

/** What a consonant that differs takes from words by their consonants alone. */
const OTHER_CONSONANT = 0.65;
/** Likeness of words with the same consonants, by how many: few are the same by chance. */
const sameConsonants: readonly number[] = [0, 0, 0, 0.82, 0.89, 0.92];

/** True where the script leaves vowels out, or adds some. */
export function isBare({ script }: NameWord): boolean {
  return script === 'abjad' || script === 'indic' || script === 'hangul' || script === 'kana';
}

function consonantLikeness(one: NameWord, other: NameWord): number {
  const isLoose =
    one.script === 'hangul' ||
    one.script === 'kana' ||
    other.script === 'hangul' ||
    other.script === 'kana';
  const a = isLoose ? looseSkeleton(one.skeleton) : one.skeleton;
  const b = isLoose ? looseSkeleton(other.skeleton) : other.skeleton;
  const longer = Math.max(a.length, b.length);
  if (longer < 2) return 0;
  if (a === b) return sameConsonants[longer] ?? 0.94;
  if (longer < 4) return 0;
  const cost = editCost(a, b, 1);
  return cost > 1 ? 0 : 0.88 - (OTHER_CONSONANT * cost) / longer;
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
    leastCost(letters, word.letters) <= editBudget(length) / 2
  );
}

/** Letters by which two words that were written as one are longer or shorter. */
export const JOINED_APART = 2;

/** Tells how alike two words of {@link mayBeParts} are to another when they are written as one. */
export function joinedWords(first: NameWord, second: NameWord): (word: string) => number {
  if (first.script === 'korean' && second.script === 'korean') {
    return (word) => joinedSyllables(first.text, second.text, word);
  }
  const text = first.text + second.text;
  return (word) => joinedLikeness(text, word);
}

/** True for words that may be parts of one: an initial before a name is no part of it. */
export function mayBeParts(first: NameWord, second: NameWord): boolean {
  if (first.text.length > 1 && second.text.length > 1) return true;
  return first.script === 'korean' && second.script === 'korean';
}

/** How alike two words that were written as one are to `word`; 0 when they are not. */
export function joinedLikeness(joined: string, word: string): number {
  if (joined === word) return 0.99;
  if (joined.length < 5 || Math.abs(joined.length - word.length) > JOINED_APART) return 0;
  const budget = editBudget(joined.length) / 2;
  const cost = editCost(joined, word, budget);
  if (cost > budget) return 0;
  const likeness = 0.99 * (1 - cost / joined.length);
  return likeness < LEAST_LIKENESS ? 0 : likeness;
}
