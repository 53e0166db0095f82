import { readCsv } from '../../../base/csv.ts';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { type WatchCategory, watchCategories } from '../category.ts';
import { listedEntry, type WatchEntry } from '../entry.ts';
import type { ListedPerson } from '../listed-person.ts';
import { distinctKeys } from './distinct-keys.ts';
import { mapColumns, type OwnColumns, ownColumns } from './own-columns.ts';

/** Entries of one list of a company. */
const ENTRIES_MAX = 200_000;
const PARTS_MAX = 20;
const TEXT_MAX = 400;

/** How a file of one's own is read. */
export interface OwnListOptions {
  /** Columns that are called otherwise; those that are not named are left out. */
  readonly columns?: OwnColumns;
  /** Codes for rows that have none, as in the column `category`. */
  readonly category?: string;
}

/**
 * The entries of a CSV text. Columns: category (codes joined by a slash), first_name, middle_name,
 * last_name, aliases, gender, date_of_birth, place_of_birth, deceased, countries, nationality,
 * location, information, role, role_status, role_country, list, list_description; several values
 * of one cell are separated by `;`.
 *
 * @throws validation.error with the row, limit.exceeded
 */
export function readOwnList(
  csv: string,
  { columns, category }: OwnListOptions = {},
): readonly ListedPerson[] {
  const table = readCsv(csv);
  if (columns === undefined) requireColumns(table.names);
  const { rows } = columns === undefined ? table : mapColumns(table, columns);
  if (rows.length > ENTRIES_MAX) {
    throw new InnsigliError('limit.exceeded', `expected at most ${ENTRIES_MAX} entries`);
  }
  const keyFor = distinctKeys();
  return rows.map(({ cells, number }) => {
    const entry = listedEntry(readEntry(cells, number, category), number);
    return { ...entry, key: keyFor(entry.key) };
  });
}

function readEntry(
  row: ReadonlyMap<string, string>,
  number: number,
  category: string | undefined,
): WatchEntry {
  const cell = (name: string) => {
    const text = row.get(name) ?? '';
    if (text.length > TEXT_MAX) throw refused(number, name, `at most ${TEXT_MAX} characters`);
    return text === '' ? undefined : text;
  };
  const list = (name: string) => {
    const found = parts(row.get(name));
    // A name that is left out would never be found.
    if (found.length > PARTS_MAX) throw refused(number, name, `at most ${PARTS_MAX} values`);
    if (found.every((part) => part.length <= TEXT_MAX)) return found;
    throw refused(number, name, `at most ${TEXT_MAX} characters a value`);
  };
  const lastName = cell('last_name');
  if (lastName === undefined) throw refused(number, 'last_name', 'a name');
  const gender = readGender(cell('gender'), number);
  const dateOfBirth = cell('date_of_birth');
  if (dateOfBirth !== undefined && !/^\d{4}(-\d{2}(-\d{2})?)?$/.test(dateOfBirth)) {
    throw refused(number, 'date_of_birth', 'YYYY, YYYY-MM or YYYY-MM-DD');
  }
  const role = cell('role');
  const official = cell('list');
  return {
    categories: readCategories(cell('category') ?? category, number),
    firstName: cell('first_name') ?? '',
    lastName,
    countries: list('countries').map((code) => code.toUpperCase()),
    ...defined({
      middleName: cell('middle_name'),
      aliases: some(list('aliases')),
      gender,
      dateOfBirth,
      placeOfBirth: cell('place_of_birth'),
      isDeceased: readDeceased(cell('deceased'), number),
      nationality: cell('nationality'),
      primaryLocation: cell('location'),
      furtherInformation: some(list('information')),
    }),
    ...(role === undefined
      ? {}
      : {
          roles: [
            {
              title: role,
              status: cell('role_status') ?? '',
              country: cell('role_country') ?? '',
            },
          ],
        }),
    ...(official === undefined
      ? {}
      : {
          officialLists: [
            { keyword: official, description: cell('list_description') ?? '', isCurrent: true },
          ],
        }),
  };
}

/** Names and aliases in a column that nobody reads would never be found. */
function requireColumns(names: readonly string[]): void {
  const known: readonly string[] = ownColumns;
  const unknown = names.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const expected = `expected one of ${ownColumns.join(', ')}`;
  throw new InnsigliError('validation.error', `column ${unknown}: ${expected}`);
}

function readDeceased(text: string | undefined, row: number): true | undefined {
  if (text === undefined || /^(?:false|no|0)$/i.test(text)) return undefined;
  if (/^(?:true|yes|1|x)$/i.test(text)) return true;
  throw refused(row, 'deceased', 'yes or no');
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
