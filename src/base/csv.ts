import { defined } from './defined.ts';
import { InnsigliError } from './errors.ts';

/** Rows and columns of one file at most. */
const ROWS_MAX = 200_000;
const COLUMNS_MAX = 100;

/** One row of a CSV text. */
export interface CsvRow {
  /** Its number as spreadsheets count: the first row is 1, empty ones count. */
  readonly number: number;
  /** Cells by the names in the first row; a short row has fewer. */
  readonly cells: ReadonlyMap<string, string>;
}

/** A CSV text. */
export interface CsvTable {
  /** Names of the first row, in lower case. */
  readonly names: readonly string[];
  readonly rows: readonly CsvRow[];
}

/**
 * The rows of a CSV text by the names in its first row, lower case; cells are trimmed, empty lines
 * left out. Cells may stand in double quotes, with commas, line ends and doubled quotes in them.
 * Spreadsheets part cells by `;` or tabs where the comma stands in numbers: the first row tells.
 *
 * @throws validation.error for a text without a first row, an unclosed quote, text behind one, too
 * many cells in a row, a name that is twice, text that was no UTF-8
 * @throws limit.exceeded
 * @spec RFC 4180 §2
 */
export function readCsv(text: string): CsvTable {
  const { body, sign, skipped } = csvOpening(text.replace(/^\uFEFF/, ''));
  const [head, ...rows] = rawCsvRows(body, sign, skipped).rows;
  const names = columnNames(head);
  return { names, rows: rows.map((row) => namedRow(names, row)) };
}

/**
 * The names of the columns in the first row. A file without one is no empty table: an export that
 * failed looks like that.
 *
 * @throws validation.error when there is none, or a name is twice
 */
export function columnNames(head: RawCsvRow | undefined): readonly string[] {
  if (head === undefined) {
    const message = 'expected a first row with the names of the columns, found none';
    throw new InnsigliError('validation.error', message);
  }
  const names = head.cells.map((name) => name.toLowerCase());
  if (new Set(names).size === names.length) return names;
  throw new InnsigliError('validation.error', 'the first row names a column twice');
}

/** A row by the names of the columns. @throws validation.error for too many cells */
export function namedRow(names: readonly string[], { cells, number }: RawCsvRow): CsvRow {
  if (cells.length > names.length) {
    throw inRow(number, `expected at most ${names.length} cells, found ${cells.length}`);
  }
  return { number, cells: new Map(cells.map((cell, at) => [names[at] as string, cell])) };
}

/**
 * One row as a line of CSV. Text that a spreadsheet would run as a formula gets an apostrophe.
 *
 * @spec RFC 4180 §2
 */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** The text after an optional `sep=` line, and the sign that separates its cells. */
export function csvOpening(text: string): {
  readonly body: string;
  readonly sign: string;
  /** Lines before `body`. */
  readonly skipped: number;
} {
  const declared = /^sep=([;,\t])(?:\r\n|\r|\n|$)/i.exec(text);
  if (declared !== null) {
    return { body: text.slice(declared[0].length), sign: declared[1] as string, skipped: 1 };
  }
  const [first = ''] = text
    .trimStart()
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  const sign = [',', ';', '\t'].find((each) => first.includes(each)) ?? ',';
  return { body: text, sign, skipped: 0 };
}

/** A row without the names of its columns. */
export interface RawCsvRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * The rows of a text with the sign that separates cells.
 *
 * @param skipped rows before the text
 * @throws validation.error, limit.exceeded as {@link readCsv}
 */
export function rawCsvRows(
  text: string,
  sign: string,
  skipped: number,
): {
  readonly rows: readonly RawCsvRow[];
  /** Rows up to the end of the text, empty ones included. */
  readonly count: number;
} {
  const rows: RawCsvRow[] = [];
  let cells: string[] = [];
  let at = 0;
  let number = skipped + 1;
  const endRow = () => {
    if (cells.some((cell) => cell !== '')) rows.push({ number, cells });
    cells = [];
    number += 1;
    if (rows.length > ROWS_MAX) throw tooLarge(`${ROWS_MAX} rows`);
  };
  while (at < text.length) {
    const { cell, next } = readCell(text, at, sign, number);
    cells.push(cell);
    if (cells.length > COLUMNS_MAX) throw tooLarge(`${COLUMNS_MAX} columns`);
    at = next + 1;
    if (text[next] !== sign) {
      if (text[next] === '\r' && text[at] === '\n') at += 1;
      endRow();
    }
  }
  // The text ends behind a sign: one more cell, which is empty.
  if (cells.length > 0) {
    cells.push('');
    endRow();
  }
  return { rows, count: number - 1 };
}

function readCell(
  text: string,
  from: number,
  sign: string,
  row: number,
): { readonly cell: string; readonly next: number } {
  const ends = sign === ',' ? /[,\r\n]/g : sign === ';' ? /[;\r\n]/g : /[\t\r\n]/g;
  const endOf = (start: number) => {
    ends.lastIndex = start;
    return ends.exec(text)?.index ?? text.length;
  };
  if (text[from] !== '"') {
    const next = endOf(from);
    return { cell: readable(text.slice(from, next).trim(), row), next };
  }
  let cell = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new InnsigliError('validation.error', 'a quote of the file is not closed');
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const next = endOf(quote + 1);
      const rest = text.slice(quote + 1, next).trim();
      if (rest !== '') throw inRow(row, 'a cell has text behind a quote');
      return { cell: readable(cell.trim(), row), next };
    }
    cell += '"';
    at = quote + 2;
  }
}

// Replacement of decoding for bytes that are no UTF-8.
function readable(cell: string, row: number): string {
  if (!cell.includes('\ufffd')) return cell;
  throw inRow(row, 'expected UTF-8 text, found another encoding', 'save it as «CSV UTF-8»');
}

function inRow(number: number, why: string, hint?: string): InnsigliError {
  return new InnsigliError('validation.error', `row ${number}: ${why}`, {
    details: { row: number },
    ...defined({ hint }),
  });
}

function tooLarge(what: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `expected at most ${what}`);
}
