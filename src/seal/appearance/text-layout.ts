import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { StampLine } from './template.ts';

/** A line with its place; the origin is the top left corner, y grows downwards. */
export interface LaidLine {
  readonly text: string;
  readonly strong: boolean;
  readonly size: number;
  /** From the top to the line on which the letters stand. */
  readonly baseline: number;
}

/** Lines that fit into their space. */
export interface TextLayout {
  readonly lines: readonly LaidLine[];
  readonly height: number;
  /** Width of the widest line. */
  readonly width: number;
  /** True when text had to be left out. */
  readonly cut: boolean;
}

/** Width of a text at size 1. */
export type Measure = (text: string, strong: boolean) => number;

/** Sizes in points: never larger, wrap before it gets smaller than this, never smaller. */
const LARGEST = 11;
const COMFORTABLE = 6;
const SMALLEST = 3.5;
const STEP = 0.25;
/** Height of a line and the place of its letters, in sizes. */
const LEADING = 1.24;
const BASELINE = 0.96;
/** A strong line is this much larger. */
const STRONG = 1.3;

/**
 * The text as one string of visible characters a line: composed, without controls, at most as
 * much as a stamp may hold.
 *
 * @throws limit.exceeded when there is more
 */
export function cleanLines(lines: readonly StampLine[]): readonly StampLine[] {
  const all = lines.reduce((sum, line) => sum + line.text.length, 0);
  if (lines.length > limits.stampLines || all > limits.stampCharacters) {
    throw new CoreError(
      'limit.exceeded',
      `a stamp shows ${limits.stampLines} lines and ${limits.stampCharacters} characters at most`,
    );
  }
  return lines
    .map(({ text, strong }) => ({ text: cleanText(text), strong }))
    .filter((line) => line.text !== '');
}

/**
 * Runs of spaces become one, except those that must not break; format characters (joiners, marks
 * of direction) go.
 */
function cleanText(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/(?:(?!\u00a0)[\p{Cc}\p{Zs}\p{Zl}\p{Zp}])+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

/**
 * Sets lines into a space. Large type is made smaller while it is easy to read; then lines are
 * wrapped between words, then also inside of words; then text that still does not fit is cut
 * and ends with an ellipsis.
 */
export function layoutText(
  lines: readonly StampLine[],
  space: { readonly width: number; readonly height: number },
  measure: Measure,
): TextLayout {
  const unwrapped = largest(COMFORTABLE, (size) => fits(lines, size, space, measure));
  if (unwrapped !== undefined) return stack(lines, unwrapped, measure, false);
  for (const breakWords of [false, true]) {
    const wrapped = (size: number): readonly StampLine[] =>
      wrapAll(lines, size, space.width, measure, breakWords);
    const size = largest(SMALLEST, (each) => fits(wrapped(each), each, space, measure));
    if (size !== undefined) return stack(wrapped(size), size, measure, false);
  }
  return cutText(lines, space, measure);
}

function largest(smallest: number, good: (size: number) => boolean): number | undefined {
  for (let size = LARGEST; size >= smallest; size -= STEP) if (good(size)) return size;
  return undefined;
}

function sizeOf(line: StampLine, size: number): number {
  return line.strong ? size * STRONG : size;
}

function fits(
  lines: readonly StampLine[],
  size: number,
  space: { readonly width: number; readonly height: number },
  measure: Measure,
): boolean {
  let height = 0;
  for (const line of lines) {
    const own = sizeOf(line, size);
    height += own * LEADING;
    if (height > space.height || measure(line.text, line.strong) * own > space.width) return false;
  }
  return true;
}

/** Lines broken between words, and, if asked, inside of words that are too long themselves. */
function wrapAll(
  lines: readonly StampLine[],
  size: number,
  width: number,
  measure: Measure,
  breakWords: boolean,
): readonly StampLine[] {
  return lines.flatMap((line) => {
    const { strong } = line;
    const room = width / sizeOf(line, size);
    return wrap(line.text, breakWords, (text) => measure(text, strong) <= room).map((text) => ({
      text,
      strong,
    }));
  });
}

function wrap(text: string, breakWords: boolean, fitsIn: (text: string) => boolean): string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (fitsIn(longer)) {
      row = longer;
      continue;
    }
    if (row !== '') rows.push(row);
    row = breakWords ? '' : word;
    for (const character of breakWords ? word : '') {
      if (row !== '' && !fitsIn(row + character)) {
        rows.push(row);
        row = '';
      }
      row += character;
    }
  }
  rows.push(row);
  return rows;
}

function cutText(
  lines: readonly StampLine[],
  space: { readonly width: number; readonly height: number },
  measure: Measure,
): TextLayout {
  // A very flat stamp still shows its first line.
  const size = Math.min(SMALLEST, space.height / (LEADING * STRONG));
  const kept: StampLine[] = [];
  const rows = wrapAll(lines, size, space.width, measure, true);
  let height = 0;
  for (const row of rows) {
    height += sizeOf(row, size) * LEADING;
    if (height > space.height + 1e-6) break;
    kept.push(row);
  }
  const last = kept.pop();
  if (last === undefined) return { lines: [], height: 0, width: 0, cut: true };
  const room = space.width / sizeOf(last, size);
  const whole = kept.length + 1 === rows.length;
  const text = shorten(last.text, !whole, (each) => measure(each, last.strong) <= room);
  const shown = [...kept, { text, strong: last.strong }].filter((row) => {
    return measure(row.text, row.strong) * sizeOf(row, size) <= space.width;
  });
  return stack(shown, size, measure, true);
}

/** The text, or as much of it as fits in front of an ellipsis. */
function shorten(text: string, more: boolean, fitsIn: (text: string) => boolean): string {
  if (!more && fitsIn(text)) return text;
  const characters = [...text];
  while (characters.length > 0 && !fitsIn(`${characters.join('').trimEnd()}…`)) characters.pop();
  return `${characters.join('').trimEnd()}…`;
}

function stack(
  lines: readonly StampLine[],
  size: number,
  measure: Measure,
  cut: boolean,
): TextLayout {
  let height = 0;
  let width = 0;
  const laid = lines.map(({ text, strong }) => {
    const own = strong ? size * STRONG : size;
    const baseline = height + own * BASELINE;
    height += own * LEADING;
    width = Math.max(width, measure(text, strong) * own);
    return { text, strong, size: own, baseline };
  });
  return { lines: laid, height, width, cut };
}
