import { type MandarinWord, mandarinWord } from './mandarin.ts';

/** Similarity of spellings of one reading in two systems. */
const ONE_READING = 0.95;
/** The same if either may also be a different reading in its own system. */
const EITHER_READING = 0.85;

/** Result for words that only their letters can decide. */
export const UNDECIDED = -1;

/**
 * Minimum similarity of two words of Mandarin syllables, by their syllables; 0 for different names,
 * and {@link UNDECIDED} if the syllables decide nothing.
 */
export function mandarinLikeness(
  a: MandarinWord,
  b: MandarinWord,
  textA: string,
  textB: string,
): number {
  if (a.syllableCount !== b.syllableCount) return UNDECIDED;
  const isPinyin = a.asPinyin.size > 0 && b.asPinyin.size > 0;
  if (sharesReading(a, b)) {
    if (!isPinyin) return ONE_READING;
    if (a.syllableCount === 2) return EITHER_READING;
  }
  if (a.syllableCount === 1) return UNDECIDED;
  const isMarked = marked.test(textA) || marked.test(textB);
  return isMarked && !isOneLetterApart(single(textA), single(textB)) ? 0 : UNDECIDED;
}

/** Letter groups that are rare in words of other languages that can be read as two syllables. */
const marked = /ng|zh|x|q|hs|ts|iao|iu|ui|uo/;

/** Replaces each consonant written with two letters by a single letter. */
function single(text: string): string {
  return text.replace(/zh|ch|sh|hs|ts/g, (pair) => letterOf[pair] ?? pair);
}

const letterOf: Readonly<Record<string, string>> = { zh: 'j', ch: 'q', sh: 's', hs: 'x', ts: 'c' };

/** Two pinyin readings are not compared: in pinyin each word has one spelling. */
function sharesReading(a: MandarinWord, b: MandarinWord): boolean {
  return meet(a.asPinyin, b.asWade) || meet(a.asWade, b.asPinyin) || meet(a.asWade, b.asWade);
}

function meet(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}

/** Similarity of two joined pinyin syllables to a word in Wade–Giles; 0 if it cannot be them. */
export function joinedLikenessOfWade(first: string, second: string, word: string): number {
  const isRead = mandarinWord(word)?.asWade.has(`${first} ${second}`) === true;
  return isRead ? ONE_READING : 0;
}

/** Whether two texts differ by one inserted, deleted or replaced letter, or a transposition. */
function isOneLetterApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false;
  let from = 0;
  while (from < a.length && a.charCodeAt(from) === b.charCodeAt(from)) from += 1;
  let [endA, endB] = [a.length, b.length];
  while (endA > from && endB > from && a.charCodeAt(endA - 1) === b.charCodeAt(endB - 1)) {
    endA -= 1;
    endB -= 1;
  }
  const [restA, restB] = [a.slice(from, endA), b.slice(from, endB)];
  const isTurned =
    restA.length === 2 && restA.charAt(0) + restA.charAt(1) === restB.charAt(1) + restB.charAt(0);
  return Math.max(restA.length, restB.length) <= 1 || isTurned;
}
