import { namedRow, type RawCsvRow } from '../../../base/csv.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { meantHint } from '../../../base/text/index.ts';
import { parseListedDate } from './dates.ts';

const ownColumns = [
  ...['category', 'first_name', 'middle_name', 'last_name', 'aliases', 'gender'],
  ...['date_of_birth', 'place_of_birth', 'deceased', 'countries', 'nationality', 'location'],
  ...['information', 'role', 'role_status', 'role_country', 'list', 'list_description'],
] as const;

/** Mapping for files with other column names: our name, or `name`, to the column of the file. */
export type OwnColumns = Readonly<Record<string, string>>;

/** A row whose cells are accessed by our column names. */
export interface OwnRow {
  readonly number: number;
  get(name: string): string | undefined;
}

/**
 * Reads rows of a file that uses our column names.
 *
 * @throws validation.error for an unknown column: names and aliases in an ignored column would
 *   never be found
 */
export function ownRows(names: readonly string[]): (row: RawCsvRow) => OwnRow {
  const known: readonly string[] = ownColumns;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw noColumn(unknown, ownColumns);
  const places = new Map(names.map((name, at) => [name, at]));
  return ({ cells, number }) => ({
    number,
    get(name) {
      const at = places.get(name);
      return at === undefined ? undefined : cells[at];
    },
  });
}

/**
 * Reads rows of a file with its columns mapped to our names; other columns are ignored. The column
 * for `name`, a full name, is split into first and last name: at the comma, or before the last
 * word.
 *
 * @throws validation.error for a name that is not ours, or a column that the file does not have
 */
export function mappedRows(
  names: readonly string[],
  columns: OwnColumns,
): (row: RawCsvRow) => OwnRow {
  const pairs = Object.entries(columns).map(([target, column]): readonly [string, string] => {
    requireTarget(target);
    const source = column.trim().toLowerCase();
    if (names.includes(source)) return [target, source];
    throw noColumn(column, names.slice(0, 30), 'of the file: ');
  });
  return (row) => {
    const { cells, number } = namedRow(names, row);
    const mapped = pairs.map(([target, source]) => [target, cells.get(source) ?? ''] as const);
    const own = settled(new Map(mapped));
    return { number, get: (name) => own.get(name) };
  };
}

function requireTarget(target: string): void {
  const known: readonly string[] = [...ownColumns, 'name'];
  if (!known.includes(target)) throw noColumn(target, known);
}

/** Column names in a file can have any length. */
const shownColumn = (name: string) => name.slice(0, 80);

function noColumn(name: string, known: readonly string[], whose = ''): InnsigliError {
  const expected = `expected one ${whose === '' ? 'of ' : whose}${known.join(', ').slice(0, 400)}`;
  const hint = meantHint(name, known.map(shownColumn));
  const message = `column ${shownColumn(name)}: ${expected}`;
  return new InnsigliError('validation.error', message, defined({ hint }));
}

/** Splits full names, and converts exact dates to our format. */
function settled(cells: Map<string, string>): ReadonlyMap<string, string> {
  const whole = cells.get('name');
  cells.delete('name');
  if (whole !== undefined) {
    const [first, last] = partedName(whole);
    if ((cells.get('first_name') ?? '') === '') cells.set('first_name', first);
    if ((cells.get('last_name') ?? '') === '') cells.set('last_name', last);
  }
  const date = parseListedDate(cells.get('date_of_birth') ?? '');
  if (date !== undefined && date.to === undefined && date.isApproximate !== true) {
    cells.set('date_of_birth', date.from);
  }
  return cells;
}

function partedName(whole: string): readonly [first: string, last: string] {
  const comma = whole.indexOf(',');
  if (comma >= 0) return [whole.slice(comma + 1).trim(), whole.slice(0, comma).trim()];
  const blank = whole.trimEnd().lastIndexOf(' ');
  return [whole.slice(0, Math.max(blank, 0)).trim(), whole.slice(blank + 1).trim()];
}
