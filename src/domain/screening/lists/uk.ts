import type { ListedName } from '../listed-person.ts';
import { countryCode } from './countries.ts';
import { parseListedDate } from './dates.ts';
import { clean, type Draft, joined, nameOf } from './draft.ts';

/** A row of a list of the United Kingdom, by lower-case column name. */
type Row = ReadonlyMap<string, string>;

const nameColumns = ['name 1', 'name 2', 'name 3', 'name 4', 'name 5', 'name 6'];

/**
 * Extracts drafts from the UK Sanctions List, or from the discontinued consolidated list of OFSI.
 * Both have one row per name, date of birth and address, grouped by the number of the designation.
 */
export function ukDrafts(rows: readonly Row[]): readonly Draft[] {
  const byKey = new Map<string, Row[]>();
  for (const row of rows) {
    const key = row.get('unique id') || row.get('group id') || '';
    const known = byKey.get(key);
    if (known === undefined) byKey.set(key, [row]);
    else known.push(row);
  }
  return [...byKey].map(([key, group]) => designation(key, group));
}

function designation(key: string, rows: readonly Row[]): Draft {
  const type = typeOf(rows[0]);
  const primary = rows.find(isPrimary) ?? (rows[0] as Row);
  const get = (name: string) => clean(primary.get(name));
  const countries = rows.map((row) => row.get('nationality(/ies)') || row.get('nationality'));
  const genders = rows.map((row) => row.get('gender')?.toLowerCase());
  return {
    key,
    subject: type,
    categories: ['Sanction'],
    firstName: get('name 1'),
    middleName: joined(...nameColumns.slice(1, 5).map(get)),
    lastName: get('name 6'),
    names: [primary, ...rows.filter((row) => row !== primary)].flatMap((row) =>
      namesOf(row, row === primary, type),
    ),
    births: rows.map((row) => parseListedDate(row.get('d.o.b') || row.get('dob') || '')),
    gender: genders.includes('male') ? 'Male' : genders.includes('female') ? 'Female' : undefined,
    countries: countries.map(countryCode),
    nationality: clean(countries.find(Boolean)),
    placeOfBirth: joined(get('town of birth'), get('country of birth')),
    identifiers: rows.flatMap((row) => clean(row.get('passport number')) ?? []),
    furtherInformation: [get('other information') ?? ''],
    roles: [get('position') ?? ''],
    ...{ list: 'UK', program: get('regime name') ?? get('regime') },
  };
}

function typeOf(row: Row | undefined): Draft['subject'] {
  const word = (row?.get('designation type') || row?.get('group type') || '').toLowerCase();
  if (word === 'individual') return 'person';
  return word === 'ship' ? 'vessel' : 'organisation';
}

function isPrimary(row: Row): boolean {
  return /^prim/i.test(row.get('name type') || row.get('alias type') || '');
}

function namesOf(
  row: Row,
  isFirst: boolean,
  type: Draft['subject'],
): readonly (ListedName | undefined)[] {
  const text = joined(...nameColumns.map((name) => row.get(name)));
  const strength = (row.get('alias strength') || row.get('alias quality') || '').toLowerCase();
  // If no strength is stated, a single word is a weak alias of a person.
  const isWeak =
    !isFirst &&
    (/weak|low/.test(strength) || (strength === '' && type === 'person' && !text?.includes(' ')));
  return [
    nameOf(text, isFirst ? 'primary' : 'alias', isWeak),
    nameOf(row.get('name non-latin script'), 'original-script'),
  ];
}
