import { CoreError } from './errors.ts';

/** Rows and columns of one file at most. */
const ROWS_MAX = 200_000;
const COLUMNS_MAX = 100;

/**
 * The rows of a CSV text by the names in its first row, lower case; cells are trimmed, empty lines
 * left out. Cells may stand in double quotes, with commas, line ends and doubled quotes in them.
 *
 * @throws validation.error for an unclosed quote, too many cells in a row, a name that is twice
 * @throws limit.exceeded
 * @spec RFC 4180 §2
 */
export function parseCsv(text: string): readonly ReadonlyMap<string, string>[] {
  const [head, ...rows] = readRows(text.replace(/^\uFEFF/, ''));
  if (head === undefined) return [];
  const names = head.map((name) => name.toLowerCase());
  if (new Set(names).size !== names.length) {
    throw new CoreError('validation.error', 'the first row names a column twice');
  }
  return rows.map((cells, index) => {
    if (cells.length > names.length) {
      const found = `expected at most ${names.length} cells, found ${cells.length}`;
      throw new CoreError('validation.error', `row ${index + 2}: ${found}`);
    }
    return new Map(cells.map((cell, at) => [names[at] as string, cell]));
  });
}

function readRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  const endRow = () => {
    if (row.some((cell) => cell !== '')) rows.push(row);
    row = [];
    if (rows.length > ROWS_MAX) throw tooLarge(`${ROWS_MAX} rows`);
  };
  while (at < text.length) {
    const { cell, next } = readCell(text, at);
    row.push(cell);
    if (row.length > COLUMNS_MAX) throw tooLarge(`${COLUMNS_MAX} columns`);
    at = next + 1;
    if (text[next] !== ',') {
      if (text[next] === '\r' && text[at] === '\n') at += 1;
      endRow();
    }
  }
  if (row.length > 0) endRow();
  return rows;
}

function readCell(text: string, from: number): { readonly cell: string; readonly next: number } {
  const ends = /[,\r\n]/g;
  if (text[from] !== '"') {
    ends.lastIndex = from;
    const next = ends.exec(text)?.index ?? text.length;
    return { cell: text.slice(from, next).trim(), next };
  }
  let cell = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new CoreError('validation.error', 'a quote of the file is not closed');
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      ends.lastIndex = quote + 1;
      const next = ends.exec(text)?.index ?? text.length;
      return { cell: cell.trim(), next };
    }
    cell += '"';
    at = quote + 2;
  }
}

function tooLarge(what: string): CoreError {
  return new CoreError('limit.exceeded', `expected at most ${what}`);
}
