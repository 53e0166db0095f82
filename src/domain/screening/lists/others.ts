import type { XmlElement } from '../../../formats/xml/index.ts';
import { countryCode } from './countries.ts';
import { parseListedDate } from './dates.ts';
import { type Draft, joined, nameOf } from './draft.ts';
import { kids, textOf } from './xml-reader.ts';

/** The drafts of Canada's list (SEMA). It has no numbers: schedule and item name an entry. */
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

/** A person of a Popolo file. */
export interface PopoloPerson {
  readonly id?: string;
  readonly name?: string;
  readonly other_names?: readonly { readonly name?: string }[];
  readonly birth_date?: string;
  readonly death_date?: string;
  readonly gender?: string;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly national_identity?: string;
}

/** The draft of a politician. */
export function popoloDraft(person: PopoloPerson): Draft {
  const { id = '', name, other_names = [], birth_date = '', death_date, gender } = person;
  return {
    ...{ key: id, subject: 'person', categories: ['PEP'], list: 'EveryPolitician' },
    ...{ firstName: person.given_name, lastName: person.family_name },
    names: [nameOf(name, 'primary'), ...other_names.map((other) => nameOf(other.name, 'alias'))],
    births: [parseListedDate(birth_date)],
    gender: gender === 'male' ? 'Male' : gender === 'female' ? 'Female' : undefined,
    isDeceased: death_date === undefined ? undefined : true,
    countries: [countryCode(person.national_identity)],
  };
}
