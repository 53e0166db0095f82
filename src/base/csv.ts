import { defined } from './defined.ts';
import { type ErrorFinding, InnsigliError } from './errors.ts';
import { meantHint } from './text/index.ts';

/** Maximum numbers of rows and columns of one file. */
const ROWS_MAX = 200_000;
const COLUMNS_MAX = 100;

/** One row of a CSV text. */
export interface CsvRow {
  /** Row number as in spreadsheets: the first row is 1, and empty rows count. */
  readonly number: number;
  /** Cells by the column names of the first row. A short row has fewer. */
  readonly cells: ReadonlyMap<string, string>;
}

/** A parsed CSV text. */
export interface CsvTable {
  /** Column names of the first row, in lower case. */
  readonly names: readonly string[];
  readonly rows: readonly CsvRow[];
}

/** A CSV text whose rows are parsed during iteration, once. */
export interface OpenedCsv {
  /** Column names of the first row, in lower case. */
  readonly names: readonly string[];
  /** A row with too many cells, or beyond the maximum number of rows, throws when it is reached. */
  readonly rows: Iterable<RawCsvRow>;
}

/**
 * Parses the rows of a CSV text by the column names of its first row, in lower case. Cells are
 * trimmed, and empty lines are skipped. Cells may be enclosed in double quotes, and then contain
 * commas, line breaks and doubled quotes. Spreadsheets separate cells by `;` or tabs in locales
 * with a decimal comma: the first row determines the separator.
 *
 * @throws validation.error for a text without a first row, an unclosed quote, text after a closing
 * quote, too many cells in a row, a duplicate column name, text that was not UTF-8
 * @throws limit.exceeded
 * @spec RFC 4180 §2
 */
export function readCsv(text: string): CsvTable {
  const { names, rows } = openCsv(text);
  return { names, rows: Array.from(rows, (row) => namedRow(names, row)) };
}

/**
 * Parses a CSV text like {@link readCsv}, row by row: a large text needs no further memory.
 *
 * @throws as {@link readCsv}, for a row when it is reached
 */
export function openCsv(text: string): OpenedCsv {
  const { body, sign, skipped } = csvOpening(text.replace(/^\uFEFF/, ''));
  const raw = eachCsvRow(body, sign, skipped);
  const head = raw.next();
  const names = columnNames(head.done === true ? undefined : head.value);
  return { names, rows: boundedRows(raw, names.length) };
}

function* boundedRows(rows: Iterable<RawCsvRow>, columns: number): Generator<RawCsvRow> {
  for (const row of rows) {
    requireCells(row, columns);
    yield row;
  }
}

/**
 * The column names in the first row. A file without a first row is not an empty table: it may be
 * the result of a failed export.
 *
 * @throws validation.error if there is none, or a name occurs twice
 */
export function columnNames(head: RawCsvRow | undefined): readonly string[] {
  if (head === undefined) {
    const message = 'expected a first row with column names, found none';
    throw new InnsigliError('validation.error', message);
  }
  const names = head.cells.map((name) => name.toLowerCase());
  if (new Set(names).size === names.length) return names;
  throw new InnsigliError('validation.error', 'the first row names a column twice');
}

/** Assigns the cells of a row to the column names. @throws validation.error for too many cells */
export function namedRow(names: readonly string[], row: RawCsvRow): CsvRow {
  const { cells, number } = row;
  requireCells(row, names.length);
  return { number, cells: new Map(cells.map((cell, at) => [names[at] as string, cell])) };
}

function requireCells({ cells, number }: RawCsvRow, columns: number): void {
  if (cells.length <= columns) return;
  throw inRow(number, `expected at most ${columns} cells, found ${cells.length}`);
}

/**
 * Formats one row as a line of CSV. Text that a spreadsheet would run as a formula is prefixed with
 * an apostrophe.
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

/** The text after an optional `sep=` line, and the separator of its cells. */
export function csvOpening(text: string): {
  readonly body: string;
  readonly sign: string;
  /** Number of lines before `body`. */
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

/** A row without column names. */
export interface RawCsvRow {
  readonly number: number;
  readonly cells: readonly string[];
}

/**
 * Parses the rows of a text with this separator.
 *
 * @param skipped number of rows before the text
 * @throws validation.error, limit.exceeded as {@link readCsv}
 */
export function rawCsvRows(
  text: string,
  sign: string,
  skipped: number,
): {
  readonly rows: readonly RawCsvRow[];
  /** Number of rows up to the end of the text, including empty ones. */
  readonly count: number;
} {
  const rows: RawCsvRow[] = [];
  const raw = eachCsvRow(text, sign, skipped);
  for (;;) {
    const { done, value } = raw.next();
    if (done === true) return { rows, count: value };
    rows.push(value);
  }
}

/** Yields the rows, and returns the number of rows up to the end, including empty ones. */
function* eachCsvRow(text: string, sign: string, skipped: number): Generator<RawCsvRow, number> {
  let cells: string[] = [];
  let at = 0;
  let number = skipped + 1;
  let count = 0;
  const ends = endsOf(sign);
  while (at < text.length) {
    const { cell, next } = readCell(text, at, ends, number);
    cells.push(cell);
    if (cells.length > COLUMNS_MAX) throw tooLarge(`${COLUMNS_MAX} columns`);
    at = next + 1;
    if (text[next] === sign) {
      if (at < text.length) continue;
      // The text ends with a separator: an empty cell follows.
      cells.push('');
    } else if (text[next] === '\r' && text[at] === '\n') at += 1;
    if (cells.some((cell) => cell !== '')) {
      count += 1;
      if (count > ROWS_MAX) throw tooLarge(`${ROWS_MAX} rows`);
      yield { number, cells };
    }
    cells = [];
    number += 1;
  }
  return number - 1;
}

function endsOf(sign: string): RegExp {
  return sign === ',' ? /[,\r\n]/g : sign === ';' ? /[;\r\n]/g : /[\t\r\n]/g;
}

function readCell(
  text: string,
  from: number,
  ends: RegExp,
  row: number,
): { readonly cell: string; readonly next: number } {
  const endOf = (start: number) => {
    ends.lastIndex = start;
    return ends.test(text) ? ends.lastIndex - 1 : text.length;
  };
  if (text[from] !== '"') {
    const next = endOf(from);
    return { cell: readable(text.slice(from, next).trim(), row), next };
  }
  let cell = '';
  let at = from + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote < 0) throw new InnsigliError('validation.error', 'a quoted cell is not closed');
    cell += text.slice(at, quote);
    if (text[quote + 1] !== '"') {
      const next = endOf(quote + 1);
      const rest = text.slice(quote + 1, next).trim();
      if (rest !== '') throw inRow(row, 'a cell has text after its closing quote');
      return { cell: readable(cell.trim(), row), next };
    }
    cell += '"';
    at = quote + 2;
  }
}

// U+FFFD is what decoding substitutes for bytes that are not UTF-8.
function readable(cell: string, row: number): string {
  if (!cell.includes('\ufffd')) return cell;
  throw inRow(row, 'expected UTF-8 text, found a different encoding', 'save it as "CSV UTF-8"');
}

/**
 * Rewrites a message about a member with the column names of a file: `riskLevel: …` as
 * `risk_level: …`.
 *
 * @param columns column names that are not derived from the member, by member
 */
export function inColumnNames(message: string, columns: Readonly<Record<string, string>>): string {
  return message.replace(/^(?:[\w[\]]+\.)?(\w+)(?=(?:\[\d+\])?: )/, (_, member: string) => {
    if (Object.hasOwn(columns, member)) return columns[member] as string;
    return member.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  });
}

/** A finding for each column that is not in `known`, with the nearest known name. */
export function unknownColumns(
  names: readonly string[],
  known: readonly string[],
): readonly ErrorFinding[] {
  const lower = new Set(known.map((name) => name.toLowerCase()));
  return names
    .filter((name) => !lower.has(name.toLowerCase()))
    .map((name) => ({
      name: `column ${name.slice(0, 40)}`.trim(),
      message: 'unknown',
      ...defined({ hint: meantHint(name, known) }),
    }));
}

/**
 * The "found" part of an error about columns. It names only the first unknown column, since in a
 * file without a header the first row contains a person.
 */
export function foundColumn(unknown: readonly ErrorFinding[]): string {
  const [first] = unknown;
  if (first === undefined) return 'found no other';
  return unknown.length === 1
    ? `found ${first.name}`
    : `found ${first.name} and ${unknown.length - 1} more`;
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
