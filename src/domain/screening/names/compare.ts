import {
  alignment,
  alignNames,
  clearJoints,
  doubted,
  LEAST_LIKENESS,
  noteJoint,
  placelessOf,
} from './align.ts';
import { hasBareWord, wholeLikeness, wholeName } from './consonants.ts';
import { isSyllable } from './fold.ts';
import { joinedWords, mayBeParts, wordLikeness } from './word-likeness.ts';
import type { NameWord } from './words.ts';

/**
 * Similarity of two names, 0 to 1. `takenJoints` then returns the matched words.
 *
 * @param rarity weight of a listed word by its frequency; 1 for a rare word
 */
export function compareWords(
  query: readonly NameWord[],
  listed: readonly NameWord[],
  rarity: (word: NameWord) => number = () => 1,
): number {
  clearJoints();
  alignment.queryCount = query.length;
  alignment.listedCount = listed.length;
  alignment.isChain = query.some(({ isSonOf }) => isSonOf);
  alignment.placeless = placelessOf(query);
  alignment.isSyllabic = [...query, ...listed].some(({ script }) => isSyllable(script));
  query.forEach((word, at) => {
    alignment.queryWeights[at] = word.weight * rarity(word);
  });
  listed.forEach((word, at) => {
    alignment.listedWeights[at] = word.weight * rarity(word);
  });
  for (let q = 0; q < query.length; q++) {
    for (let l = 0; l < listed.length; l++) {
      const likeness = wordLikeness(query[q] as NameWord, listed[l] as NameWord);
      if (likeness >= LEAST_LIKENESS) noteJoint(q, q, l, l, likeness);
    }
  }
  noteJoined(query, listed, (from, one, likeness) => noteJoint(from, from + 1, one, one, likeness));
  noteJoined(listed, query, (from, one, likeness) => noteJoint(one, one, from, from + 1, likeness));
  const byWords = alignNames();
  if (hasBareWord(query) === hasBareWord(listed) || alignment.isSyllabic) return byWords;
  const [ofQuery, ofListed] = [wholeName(query), wholeName(listed)];
  if (ofQuery === undefined || ofListed === undefined) return byWords;
  return Math.max(byWords, wholeLikeness(ofQuery, ofListed));
}

function noteJoined(
  two: readonly NameWord[],
  one: readonly NameWord[],
  note: (from: number, one: number, likeness: number) => void,
): void {
  for (let from = 0; from + 1 < two.length; from++) {
    const [first, second] = [two[from] as NameWord, two[from + 1] as NameWord];
    if (!mayBeParts(first, second)) continue;
    const likenessOf = joinedWords(first, second);
    for (let at = 0; at < one.length; at++) {
      const likeness = likenessOf((one[at] as NameWord).text);
      if (likeness > 0) note(from, at, likeness);
    }
  }
}

/** Whether all words are in Latin letters. */
export function isLatin(words: readonly Pick<NameWord, 'script'>[]): boolean {
  return words.every(({ script }) => script === 'latin');
}

/**
 * Lowers the similarity of a name in another script whose person also has a Latin name: a Latin
 * query should match the Latin name, whereas transcribed names resemble many others.
 */
export function besideLatin(likeness: number): number {
  return doubted(likeness, DOUBT_BESIDE_LATIN);
}

const DOUBT_BESIDE_LATIN = 1.5;
