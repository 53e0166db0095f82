import { InnsigliError } from '../../../base/errors.ts';
import type { XmlElement } from '../../../formats/xml/index.ts';
import { countryCode } from './countries.ts';
import { parseListedDate } from './dates.ts';
import { type Draft, joined, nameOf } from './draft.ts';
import { kids, textOf } from './xml-reader.ts';

/** Drafts from Canada's list (SEMA), keyed by schedule and item: entries have no identifiers. */
export function canadaDrafts(root: XmlElement): readonly Draft[] {
  return kids(root, 'record').map((record) => {
    const get = (name: string) => textOf(record, name);
    const company = get('EntityOrShip') ?? get('Entity');
    const [firstName, lastName] = [get('GivenName'), get('LastName')];
    const aliases = (get('Aliases') ?? '').split(/[;,]\s*/);
    return {
      key: [get('Country'), get('Schedule'), get('Item')].join('/'),
      subject: company === undefined ? 'person' : 'organisation',
      categories: ['Sanction'],
      ...{ firstName, lastName, list: 'CA', program: get('Country') },
      names: [
        nameOf(company ?? joined(firstName, lastName), 'primary'),
        ...aliases.map((text) => nameOf(text, 'alias')),
      ],
      births: [parseListedDate(get('DateOfBirthOrShipBuildDate') ?? get('DateOfBirth') ?? '')],
    };
  });
}

/**
 * Extracts the draft of a politician, number `at`, from a Popolo file.
 *
 * @throws screening.list.invalid if it is not a person or has a member of the wrong type
 */
export function popoloDraft(given: unknown, at: number): Draft {
  const person = membersOf(given, at);
  const get = (name: string) => textMember(person, name, at);
  const [name, gender] = [get('name'), get('gender')];
  const others: unknown = person.get('other_names') ?? [];
  if (!Array.isArray(others)) throw invalidMember(at, 'other_names', 'a list');
  const aliases = others.map((other) => textMember(membersOf(other, at), 'name', at));
  return {
    ...{ key: get('id') ?? '', subject: 'person', categories: ['PEP'], list: 'EveryPolitician' },
    ...{ firstName: get('given_name'), lastName: get('family_name') },
    names: [nameOf(name, 'primary'), ...aliases.map((alias) => nameOf(alias, 'alias'))],
    births: [parseListedDate(get('birth_date') ?? '')],
    gender: gender === 'male' ? 'Male' : gender === 'female' ? 'Female' : undefined,
    isDeceased: get('death_date') === undefined ? undefined : true,
    countries: [countryCode(get('national_identity'))],
  };
}

function membersOf(value: unknown, at: number): ReadonlyMap<string, unknown> {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (isObject) return new Map(Object.entries(value));
  throw invalidMember(at, 'name', 'an object');
}

/** Unknown values may be null, and some files write numbers as such. */
function textMember(
  members: ReadonlyMap<string, unknown>,
  name: string,
  at: number,
): string | undefined {
  const value = members.get(name) ?? undefined;
  if (value === undefined || typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw invalidMember(at, name, 'text');
}

function invalidMember(at: number, name: string, wanted: string): InnsigliError {
  const message = `person ${String(at + 1)}: ${name}: expected ${wanted}`;
  return new InnsigliError('screening.list.invalid', message);
}
