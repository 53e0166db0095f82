import { execFile } from 'node:child_process';

/** Left, bottom, right, top in points of the page as displayed. */
export type Rectangle = readonly [number, number, number, number];

/** Words of a page, as found by poppler. */
export interface PageWords {
  readonly width: number;
  readonly height: number;
  readonly words: readonly Rectangle[];
}

const TIMEOUT_MS = 20_000;
const OUTPUT_BYTES = 256 * 1024 * 1024;
/** Cell size of the raster used to search for free rectangles. */
const CELL = 2;

/** Returns the output of a program. Undefined if it fails or times out. */
export function outputOf(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((settle) => {
    const options = { timeout: TIMEOUT_MS, maxBuffer: OUTPUT_BYTES };
    execFile(program, args, options, (error, stdout) => settle(error ? undefined : stdout));
  });
}

/** Returns the words of the first pages. Undefined if poppler cannot open the file. */
export async function wordsOf(
  path: string,
  password: string | undefined,
  pages: number,
): Promise<readonly PageWords[] | undefined> {
  const opened = password === undefined ? [] : ['-upw', password];
  const args = [...opened, '-bbox', '-cropbox', '-l', String(pages), path, '-'];
  const html = await outputOf('pdftotext', args);
  return html?.split('<page ').slice(1).map(readPage);
}

function readPage(html: string): PageWords {
  const [, width = '0', height = '0'] = /^width="([\d.]+)" height="([\d.]+)"/.exec(html) ?? [];
  const top = Number(height);
  const found = html.matchAll(
    /<word xMin="([^"]+)" yMin="([^"]+)" xMax="([^"]+)" yMax="([^"]+)">(.*?)<\/word>/g,
  );
  const words = [...found].flatMap(([, ...parts]): Rectangle[] => {
    const [x1, y1, x2, y2] = parts.slice(0, 4).map(Number) as [number, number, number, number];
    const isSeen = x2 > x1 && y2 > y1 && x2 > 0 && y2 > 0 && x1 < Number(width) && y1 < top;
    return isSeen && parts[4]?.trim() !== '' ? [[x1, top - y2, x2, top - y1]] : [];
  });
  return { width: Number(width), height: top, words };
}

/** Number of words that a box covers by more than a hair's breadth. */
export function wordsUnder({ words }: PageWords, box: Rectangle): number {
  const slack = 0.5;
  return words.filter(
    ([left, bottom, right, top]) =>
      left < box[2] - slack &&
      box[0] + slack < right &&
      bottom < box[3] - slack &&
      box[1] + slack < top,
  ).length;
}

/** Whether a rectangle of this size fits somewhere on the page without touching a word. */
export function hasRoom(page: PageWords, width: number, height: number): boolean {
  const columns = Math.floor(page.width / CELL);
  const rows = Math.floor(page.height / CELL);
  const [across, up] = [Math.ceil(width / CELL), Math.ceil(height / CELL)];
  const sums = new Int32Array((columns + 1) * (rows + 1));
  const marked = new Uint8Array(columns * rows);
  for (const [left, bottom, right, top] of page.words) {
    for (let y = Math.max(0, Math.floor(bottom / CELL)); y < Math.min(rows, top / CELL); y++) {
      for (let x = Math.max(0, Math.floor(left / CELL)); x < Math.min(columns, right / CELL); x++) {
        marked[y * columns + x] = 1;
      }
    }
  }
  const at = (x: number, y: number): number => sums[y * (columns + 1) + x] ?? 0;
  for (let y = 1; y <= rows; y++) {
    for (let x = 1; x <= columns; x++) {
      const own = marked[(y - 1) * columns + x - 1] ?? 0;
      sums[y * (columns + 1) + x] = own + at(x - 1, y) + at(x, y - 1) - at(x - 1, y - 1);
    }
  }
  for (let y = up; y <= rows; y++) {
    for (let x = across; x <= columns; x++) {
      if (at(x, y) - at(x - across, y) - at(x, y - up) + at(x - across, y - up) === 0) return true;
    }
  }
  return false;
}
