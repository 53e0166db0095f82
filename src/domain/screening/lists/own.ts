import { openCsv, type RawCsvRow } from '../../../base/csv.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { isPartialDay } from '../../../base/time/day.ts';
import { type WatchCategory, watchCategories } from '../category.ts';
import { keyedEntry, type WatchEntry } from '../entry.ts';
import type { ListedPerson } from '../listed-person.ts';
import { distinctKeys } from './distinct-keys.ts';
import { mappedRows, type OwnColumns, type OwnRow, ownRows } from './own-columns.ts';

/** Maximum number of entries on a company's list. */
const ENTRIES_MAX = 200_000;
const PARTS_MAX = 20;
const TEXT_MAX = 400;

/** Options for reading a company's own file. */
export interface OwnListOptions {
  /** Mapping of differently named columns. Columns that are not mapped are ignored. */
  readonly columns?: OwnColumns;
  /** Category codes for rows that have none, as in the column `category`. */
  readonly category?: string;
}

/**
 * Reads the entries of a CSV text, each on demand. Columns: category (codes joined by a slash),
 * first_name, middle_name, last_name, aliases, gender, date_of_birth, place_of_birth, deceased,
 * countries, nationality, location, information, role, role_status, role_country, list,
 * list_description. Multiple values in a cell are separated by `;`.
 *
 * @throws validation.error with the row, limit.exceeded
 */
export function readOwnList(
  csv: string,
  { columns, category }: OwnListOptions = {},
): Iterable<ListedPerson> {
  const { names, rows } = openCsv(csv);
  const rowOf = columns === undefined ? ownRows(names) : mappedRows(names, columns);
  return readRows(rows, rowOf, category);
}

function* readRows(
  rows: Iterable<RawCsvRow>,
  rowOf: (row: RawCsvRow) => OwnRow,
  category: string | undefined,
): Generator<ListedPerson> {
  const keyFor = distinctKeys();
  const categoriesOf = categoryReader(category);
  let count = 0;
  for (const raw of rows) {
    count += 1;
    if (count > ENTRIES_MAX) {
      throw new InnsigliError('limit.exceeded', `expected at most ${ENTRIES_MAX} entries`);
    }
    const row = rowOf(raw);
    yield keyedEntry(readEntry(row, categoriesOf), row.number, keyFor);
  }
}

function cellOf(row: OwnRow, name: string): string | undefined {
  const text = row.get(name) ?? '';
  if (text.length > TEXT_MAX) throw refused(row.number, name, `at most ${TEXT_MAX} characters`);
  return text === '' ? undefined : text;
}

function listOf(row: OwnRow, name: string): readonly string[] {
  const text = row.get(name) ?? '';
  if (text === '') return noParts;
  const found = parts(text);
  // A dropped name would never be found.
  if (found.length > PARTS_MAX) throw refused(row.number, name, `at most ${PARTS_MAX} values`);
  if (found.every((part) => part.length <= TEXT_MAX)) return found;
  throw refused(row.number, name, `at most ${TEXT_MAX} characters per value`);
}

function readEntry(
  row: OwnRow,
  categoriesOf: (row: OwnRow) => readonly WatchCategory[],
): WatchEntry {
  const { number } = row;
  const lastName = cellOf(row, 'last_name');
  if (lastName === undefined) throw refused(number, 'last_name', 'a name');
  const dateOfBirth = cellOf(row, 'date_of_birth');
  if (dateOfBirth !== undefined && !isPartialDay(dateOfBirth)) {
    throw refused(number, 'date_of_birth', 'YYYY, YYYY-MM or YYYY-MM-DD');
  }
  return {
    categories: categoriesOf(row),
    firstName: cellOf(row, 'first_name') ?? '',
    middleName: cellOf(row, 'middle_name'),
    lastName,
    aliases: listOf(row, 'aliases'),
    countries: listOf(row, 'countries').map((code) => code.toUpperCase()),
    gender: readGender(cellOf(row, 'gender'), number),
    dateOfBirth,
    placeOfBirth: cellOf(row, 'place_of_birth'),
    isDeceased: readDeceased(cellOf(row, 'deceased'), number),
    nationality: cellOf(row, 'nationality'),
    primaryLocation: cellOf(row, 'location'),
    furtherInformation: some(listOf(row, 'information')),
    roles: readRoles(row),
    officialLists: readOfficialLists(row),
  };
}

function readRoles(row: OwnRow): WatchEntry['roles'] {
  const title = cellOf(row, 'role');
  if (title === undefined) return undefined;
  const [status = '', country = ''] = [cellOf(row, 'role_status'), cellOf(row, 'role_country')];
  return [{ title, status, country }];
}

function readOfficialLists(row: OwnRow): WatchEntry['officialLists'] {
  const keyword = cellOf(row, 'list');
  if (keyword === undefined) return undefined;
  const description = cellOf(row, 'list_description') ?? '';
  return [{ keyword, description, isCurrent: true }];
}

function readDeceased(text: string | undefined, row: number): true | undefined {
  if (text === undefined || /^(?:false|no|0)$/i.test(text)) return undefined;
  if (/^(?:true|yes|1|x)$/i.test(text)) return true;
  throw refused(row, 'deceased', 'yes or no');
}

/** Parses the categories of rows; most rows have the same ones as the previous row. */
function categoryReader(otherwise: string | undefined) {
  let known: string | undefined;
  let categories: readonly WatchCategory[] = [];
  return (row: OwnRow): readonly WatchCategory[] => {
    const text = cellOf(row, 'category') ?? otherwise;
    if (text !== undefined && text === known) return categories;
    categories = readCategories(text, row.number);
    known = text;
    return categories;
  };
}

function readCategories(text: string | undefined, row: number): readonly WatchCategory[] {
  const found = parts(text?.replaceAll('/', ';')).map((word) =>
    watchCategories.find((each) => each.toLowerCase() === word.toLowerCase()),
  );
  const known = found.filter((each) => each !== undefined);
  if (known.length > 0 && known.length === found.length) return known;
  throw refused(row, 'category', watchCategories.join(', '));
}

function readGender(text: string | undefined, row: number): 'Male' | 'Female' | undefined {
  if (text === undefined) return undefined;
  if (/^m(ale)?$/i.test(text)) return 'Male';
  if (/^f(emale)?$/i.test(text)) return 'Female';
  throw refused(row, 'gender', 'Male or Female');
}

const noParts: readonly string[] = [];

function parts(text: string | undefined): readonly string[] {
  const found = (text ?? '').split(';').map((part) => part.trim());
  return found.filter((part) => part !== '');
}

function some<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

function refused(row: number, column: string, wanted: string): InnsigliError {
  return new InnsigliError('validation.error', `row ${row}: ${column}: expected ${wanted}`, {
    details: { row },
  });
}
