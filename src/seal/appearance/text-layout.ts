import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { StampLine } from './template.ts';
import { wrapText } from './text-width.ts';

/** A positioned line. The origin is the top left corner, with y increasing downwards. */
export interface LaidLine {
  readonly text: string;
  readonly strong: boolean;
  readonly size: number;
  /** Distance from the top to the baseline. */
  readonly baseline: number;
}

/** Lines laid out within a space. */
export interface TextLayout {
  readonly lines: readonly LaidLine[];
  readonly height: number;
  /** Width of the widest line. */
  readonly width: number;
  /** Horizontal scaling of the glyphs; 1 is unscaled. */
  readonly stretch: number;
  /** True if text had to be omitted. */
  readonly cut: boolean;
}

/** The space for text, and the text size in it. */
export interface TextSpace {
  readonly width: number;
  readonly height: number;
  /** Maximum size in points; default {@link usualSize}. */
  readonly largest?: number;
  /** Fixed size of all lines, whatever their length, so that stamps in a row look alike. */
  readonly fixed?: number;
}

/** Minimum text size, which is readable in print. */
export const smallestSize = 6.5;
/** Default maximum text size. Text is larger only if there is ample space. */
export const usualSize = 11;

/** Width of a text at font size 1. */
export type Measure = (text: string, strong: boolean) => number;

/** Step from one text size to the next smaller one. */
const STEP = 0.25;

/** Typographic settings of lines, relative to their text size. */
interface Setting {
  readonly leading: number;
  readonly baseline: number;
  /** Scale factor of a strong line. */
  readonly strong: number;
  /** Horizontal scaling of the glyphs; 1 is unscaled. */
  readonly stretch: number;
}

const roomy: Setting = { leading: 1.24, baseline: 0.96, strong: 1.3, stretch: 1 };
/** Settings for little space: smaller leading, strong lines only bold, narrower glyphs. */
const tight: Setting = { leading: 1.14, baseline: 0.92, strong: 1, stretch: 1 };
const narrow: readonly Setting[] = [
  tight,
  { ...tight, stretch: 0.92 },
  { ...tight, stretch: 0.86 },
];

/**
 * Returns each line as one string of visible characters: composed, without control characters, and
 * within the size limits of a stamp.
 *
 * @throws limit.exceeded if there is more text
 */
export function cleanLines(lines: readonly StampLine[]): readonly StampLine[] {
  const all = lines.reduce((sum, line) => sum + line.text.length, 0);
  if (lines.length > limits.stampLines || all > limits.stampCharacters) {
    throw new InnsigliError(
      'limit.exceeded',
      `a stamp shows at most ${limits.stampLines} lines and ${limits.stampCharacters} characters`,
    );
  }
  return lines
    .map(({ text, strong }) => ({ text: cleanText(text), strong }))
    .filter((line) => line.text !== '');
}

/** Collapses spaces except no-break ones; removes format characters (joiners, direction marks). */
function cleanText(text: string): string {
  return text
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/(?:(?!\u00a0)[\p{Cc}\p{Zs}\p{Zl}\p{Zp}])+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .trim();
}

/**
 * Lays lines out in a space. If they do not fit, in this order: the text size is reduced, lines are
 * wrapped between words, glyphs are narrowed, lines are wrapped within words, and text is cut and
 * ends with an ellipsis. The size is never below {@link smallestSize}.
 */
export function layoutText(
  lines: readonly StampLine[],
  space: TextSpace,
  measure: Measure,
): TextLayout {
  const sizes = space.fixed === undefined ? sizesFrom(space.largest ?? usualSize) : [space.fixed];
  const settings = space.fixed === undefined ? [roomy, ...narrow] : narrow;
  for (const size of space.fixed === undefined ? sizes : []) {
    const laid = new Typesetter(size, roomy, space, measure);
    if (laid.fits(lines)) return laid.stack(lines, false);
  }
  for (const breakWords of [false, true]) {
    for (const setting of settings) {
      for (const size of sizes) {
        const laid = new Typesetter(size, setting, space, measure);
        const rows = laid.wrapAll(lines, breakWords).flat();
        if (laid.fits(rows)) return laid.stack(rows, false);
      }
    }
  }
  const last = new Typesetter(
    space.fixed ?? smallestSize,
    narrow.at(-1) as Setting,
    space,
    measure,
  );
  return last.cut(lines);
}

/** Sizes in descending order, from the largest to the smallest. */
function sizesFrom(largest: number): readonly number[] {
  const sizes: number[] = [];
  let size = Math.max(largest, smallestSize);
  for (; size > smallestSize; size -= size > usualSize ? size / 40 : STEP) sizes.push(size);
  return [...sizes, smallestSize];
}

/** Lays lines out at one size. */
class Typesetter {
  readonly #size: number;
  readonly #setting: Setting;
  readonly #space: TextSpace;
  readonly #measure: Measure;

  constructor(size: number, setting: Setting, space: TextSpace, measure: Measure) {
    this.#size = size;
    this.#setting = setting;
    this.#space = space;
    this.#measure = measure;
  }

  fits(lines: readonly StampLine[]): boolean {
    let height = 0;
    for (const line of lines) {
      height += this.#sizeOf(line) * this.#setting.leading;
      if (height > this.#space.height + 1e-9 || !this.#fitsIn(line)(line.text)) return false;
    }
    return true;
  }

  /** Wraps each line into rows, between words and, if requested, within long words. */
  wrapAll(lines: readonly StampLine[], breakWords: boolean): StampLine[][] {
    return lines.map((line) =>
      wrapText(line.text, this.#fitsIn(line), breakWords).map((text) => ({ ...line, text })),
    );
  }

  stack(lines: readonly StampLine[], cut: boolean): TextLayout {
    const { leading, baseline, stretch } = this.#setting;
    let [height, width] = [0, 0];
    const laid = lines.map(({ text, strong }) => {
      const size = this.#sizeOf({ text, strong });
      const base = height + size * baseline;
      height += size * leading;
      width = Math.max(width, this.#measure(text, strong) * size * stretch);
      return { text, strong, size, baseline: base };
    });
    return { lines: laid, height, width, stretch, cut };
  }

  /** Cuts the ends of the longest lines first, then removes the last lines if necessary. */
  cut(lines: readonly StampLine[]): TextLayout {
    const most = Math.floor(this.#space.height / (this.#size * this.#setting.leading) + 1e-9);
    const blocks = this.wrapAll(lines, true);
    const kept = blocks.map(({ length }) => length);
    const sum = (): number => kept.reduce((total, each) => total + each, 0);
    for (let left = sum(); left > most; left--) {
      const longest = kept.lastIndexOf(Math.max(...kept));
      if (kept[longest] === 1) break;
      kept[longest] = (kept[longest] as number) - 1;
    }
    const rows = blocks.flatMap((block, index) => {
      const own = block.slice(0, kept[index]);
      const last = own.at(-1);
      return last === undefined || own.length === block.length
        ? own
        : [...own.slice(0, -1), this.#shorten(last)];
    });
    const last = rows[most - 1];
    if (last === undefined && rows.length > most) return this.stack([], true);
    const isAll = rows.length <= most;
    const shown = isAll || !last ? rows : [...rows.slice(0, most - 1), this.#shorten(last)];
    // A letter wider than the space is not shown.
    return this.stack(
      shown.filter((row) => this.#fitsIn(row)(row.text)),
      true,
    );
  }

  /** As much of a row as fits before an ellipsis. */
  #shorten(row: StampLine): StampLine {
    const fitsIn = this.#fitsIn(row);
    const characters = [...row.text.replace(/\u2026$/, '')];
    const text = (): string => `${characters.join('').trimEnd()}…`;
    while (characters.length > 0 && !fitsIn(text())) characters.pop();
    return { ...row, text: text() };
  }

  #sizeOf({ strong }: StampLine): number {
    return strong ? this.#size * this.#setting.strong : this.#size;
  }

  #fitsIn(line: StampLine): (text: string) => boolean {
    const room = this.#space.width / (this.#sizeOf(line) * this.#setting.stretch);
    return (text) => this.#measure(text, line.strong) <= room;
  }
}
