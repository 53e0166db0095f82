/** Bit of {@link lettersOf} for characters that are not basic letters. */
export const OTHER_LETTERS = 1 << 26;

/** The letters of a text as a bit mask starting at a; {@link OTHER_LETTERS} for others. */
export function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const place = text.charCodeAt(at) - 97;
    letters |= place >= 0 && place < 26 ? 1 << place : OTHER_LETTERS;
  }
  return letters;
}

/** Minimum cost of a letter that one spelling lacks. */
export const LEAST_EXTRA = 0.3;

/**
 * Lower bound of `editCost`: each letter that occurs in only one of the words is replaced at a cost
 * of 0.5 or more, or is extra at 0.4 or more (h) or 0.6.
 */
export function leastCost(a: number, b: number): number {
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

/** Bit of h in {@link lettersOf}. */
export const LETTER_H = 1 << 7;
