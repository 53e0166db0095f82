import type { TextItem } from './pdf-library.types.ts';

/** A line of a page: its text, and where it stands. */
interface Line {
  readonly text: string;
  readonly begin: number;
  readonly end: number;
  readonly base: number;
  readonly size: number;
}

/** Distance between lines of one paragraph at most, in sizes of the letters. */
const LEADING = 1.75;
/** Lines that begin this near to each other, in points, are in one column. */
const COLUMN = 50;
// Control characters, and marks that turn the direction of what follows: they show nothing.
const unseen = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/**
 * Paragraphs of what pdf.js found on a page: lines that were broken for want of room are one again,
 * others stay apart.
 */
export function paragraphsOf(items: readonly TextItem[]): string[] {
  const lines = linesOf(items);
  const edges = edgesOf(lines);
  const paragraphs: string[] = [];
  let text = '';
  let last: Line | undefined;
  for (const line of lines) {
    if (last !== undefined && isApart(last, line)) {
      paragraphs.push(text);
      text = line.text;
    } else {
      text = last === undefined ? line.text : joined(text, last, line, edges);
    }
    last = line;
  }
  return text === '' ? paragraphs : [...paragraphs, text];
}

/** `text` without what shows nothing. */
export function cleanText(text: string): string {
  return text
    .replace(unseen, '')
    .replace(/[^\S\n]+/g, ' ')
    .trim();
}

function linesOf(items: readonly TextItem[]): readonly Line[] {
  const lines: Line[] = [];
  let run: TextItem[] = [];
  const close = () => {
    const text = cleanText(run.map(({ str }) => str).join(''));
    const shown = run.filter(({ str }) => str.trim() !== '');
    const [first] = shown;
    const last = shown.at(-1);
    run = [];
    if (text === '' || first === undefined || last === undefined) return;
    const [begin, base] = placeOf(first);
    lines.push({ text, begin, base, end: placeOf(last)[0] + last.width, size: sizeOf(first) });
  };
  for (const item of items) {
    run.push(item);
    if (item.hasEOL) close();
  }
  close();
  return lines;
}

function placeOf({ transform }: TextItem): readonly [x: number, y: number] {
  return [transform[4] ?? 0, transform[5] ?? 0];
}

function sizeOf({ height, transform }: TextItem): number {
  return height > 0 ? height : Math.hypot(transform[2] ?? 0, transform[3] ?? 0);
}

/** Where the lines of each column end at most, by the place of their beginning. */
function edgesOf(lines: readonly Line[]): ReadonlyMap<number, number> {
  const edges = new Map<number, number>();
  for (const { begin, end } of lines) {
    for (const column of columnsAt(begin)) edges.set(column, Math.max(edges.get(column) ?? 0, end));
  }
  return edges;
}

function columnsAt(begin: number): readonly number[] {
  const column = Math.floor(begin / COLUMN);
  return [column - 1, column, column + 1];
}

function isApart(last: Line, line: Line): boolean {
  const size = Math.max(last.size, line.size);
  const step = last.base - line.base;
  const isOtherSize = size > 1.2 * Math.min(last.size, line.size);
  return isOtherSize || step > LEADING * size || step < -size / 2;
}

function joined(text: string, last: Line, line: Line, edges: ReadonlyMap<number, number>): string {
  const edge = edges.get(Math.floor(last.begin / COLUMN)) ?? last.end;
  const [word = ''] = line.text.split(' ', 1);
  const wordWidth = ((line.end - line.begin) * (word.length + 1)) / Math.max(1, line.text.length);
  // There was room for the word that follows: the line ends where it was meant to.
  if (edge - last.end > wordWidth) return `${text}\n${line.text}`;
  if (text.endsWith('\xad')) return text.slice(0, -1) + line.text;
  return /\p{L}-$/u.test(text) ? text + line.text : `${text} ${line.text}`;
}
