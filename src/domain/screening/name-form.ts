import { foldedName } from '../person/index.ts';

/** Words of one name that are compared at most. */
const WORDS_MAX = 12;
const CHARACTERS_MAX = 200;

/** A name as words that are compared: lower case, without marks, in basic letters. */
export function nameWords(name: string): readonly string[] {
  const basic = foldedName(name.slice(0, CHARACTERS_MAX), /\p{M}+/gu);
  return (basic.match(/[\p{L}\p{N}]+/gu) ?? []).slice(0, WORDS_MAX);
}

/**
 * How alike two words are, 0 to 1: the share of letters that stand near the same place, with a
 * bonus for the same beginning (Jaro and Winkler).
 */
export function wordLikeness(a: string, b: string): number {
  if (a === b) return 1;
  const reach = Math.max(0, Math.floor(Math.max(a.length, b.length) / 2) - 1);
  const taken = new Array<boolean>(b.length).fill(false);
  const matchedA: string[] = [];
  for (let i = 0; i < a.length; i++) {
    const end = Math.min(b.length, i + reach + 1);
    for (let j = Math.max(0, i - reach); j < end; j++) {
      if (taken[j] === true || a[i] !== b[j]) continue;
      taken[j] = true;
      matchedA.push(a[i] as string);
      break;
    }
  }
  const count = matchedA.length;
  if (count === 0) return 0;
  const matchedB = pick(b, taken);
  const swapped = matchedA.filter((letter, at) => letter !== matchedB[at]).length / 2;
  const jaro = (count / a.length + count / b.length + (count - swapped) / count) / 3;
  let head = 0;
  while (head < 4 && head < a.length && a[head] === b[head]) head += 1;
  return jaro + head * 0.1 * (1 - jaro);
}

function pick(text: string, taken: readonly boolean[]): readonly string[] {
  const found: string[] = [];
  for (let at = 0; at < text.length; at++) {
    if (taken[at] === true) found.push(text[at] as string);
  }
  return found;
}
