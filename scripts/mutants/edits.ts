import type { Random } from '../xml-fuzz/random.ts';

/** A file with one character per byte. */
export type Text = string;

/** A match in a file. */
export interface Place {
  readonly at: number;
  readonly text: string;
  /** Text of the pattern's groups. */
  readonly groups: readonly string[];
}

const MOST_PLACES = 20_000;

/** Returns every match of the pattern, which must have the flag g. */
export function places(file: Text, pattern: RegExp): readonly Place[] {
  const found: Place[] = [];
  for (const match of file.matchAll(pattern)) {
    found.push({ at: match.index, text: match[0], groups: match.slice(1) });
    if (found.length >= MOST_PLACES) break;
  }
  return found;
}

/** Returns a random match of the pattern. Undefined if there is none. */
export function pickPlace(file: Text, pattern: RegExp, random: Random): Place | undefined {
  const found = places(file, pattern);
  return found.length === 0 ? undefined : random.pick(found);
}

/** Returns the last match of the pattern. */
export function lastPlace(file: Text, pattern: RegExp): Place | undefined {
  return places(file, pattern).at(-1);
}

/** Replaces the bytes of a match; what follows moves if the lengths differ. */
export function replaceAt(file: Text, { at, text }: Place, by: string): Text {
  return file.slice(0, at) + by + file.slice(at + text.length);
}

/** Inserts bytes at an offset. */
export function insertAt(file: Text, at: number, more: string): Text {
  return file.slice(0, at) + more + file.slice(at);
}

/** Returns spaces of the same length. */
export function blanks(text: string): string {
  return ' '.repeat(text.length);
}

/** Returns another number with the same number of digits. */
export function otherNumber(digits: string, random: Random): string {
  const most = 10 ** digits.length;
  const other = (Number(digits) + 1 + random.below(Math.max(1, most - 1))) % most;
  return String(other).padStart(digits.length, '0');
}

/** Returns a nearby number with the same number of digits. */
export function nearNumber(digits: string, by: number): string {
  const other = Math.max(0, Number(digits) + by);
  return String(other).padStart(digits.length, '0').slice(-digits.length);
}
