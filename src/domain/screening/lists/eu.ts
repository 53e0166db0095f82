import { defined } from '../../../base/defined.ts';
import type { XmlElement } from '../../../formats/xml/index.ts';
import type { ListedDate } from '../listed-person.ts';
import { countryCode } from './countries.ts';
import { parseListedDate } from './dates.ts';
import { type Draft, joined, nameOf } from './draft.ts';
import { kids } from './xml-reader.ts';

/** Extracts drafts from the EU's consolidated financial sanctions list, version 1.1. */
export function euDrafts(root: XmlElement): readonly Draft[] {
  return kids(root, 'sanctionEntity').map(entity);
}

function entity(element: XmlElement): Draft {
  const get = (from: XmlElement | undefined, name: string) => from?.attribute(name) || undefined;
  const aliases = kids(element, 'nameAlias');
  const [first] = aliases;
  const type = kids(element, 'subjectType')[0]?.attribute('classificationCode');
  const [program] = kids(element, 'regulation').map((each) => get(each, 'programme'));
  const citizenships = kids(element, 'citizenship').map(
    (each) => get(each, 'countryIso2Code') ?? countryCode(get(each, 'countryDescription')),
  );
  const genders = aliases.map((each) => each.attribute('gender'));
  return {
    key: get(element, 'logicalId') ?? get(element, 'euReferenceNumber') ?? '',
    subject: type === 'P' ? 'person' : 'organisation',
    categories: program === 'TAQA' || program === 'TERR' ? ['Sanction', 'TER'] : ['Sanction'],
    ...{ firstName: get(first, 'firstName'), middleName: get(first, 'middleName') },
    lastName: get(first, 'lastName'),
    names: aliases.map((each, at) =>
      nameOf(
        get(each, 'wholeName') ??
          joined(get(each, 'firstName'), get(each, 'middleName'), get(each, 'lastName')),
        at === 0 ? 'primary' : 'alias',
        each.attribute('strong') === 'false',
      ),
    ),
    births: kids(element, 'birthdate').map(birth),
    gender: genders.includes('F') ? 'Female' : genders.includes('M') ? 'Male' : undefined,
    countries: citizenships.map((code) => (/^[A-Z]{2}$/.test(code ?? '') ? code : undefined)),
    ...defined({ nationality: citizenships[0] }),
    placeOfBirth: kids(element, 'birthdate')
      .map((each) => joined(get(each, 'city'), get(each, 'countryDescription')))
      .find(Boolean),
    identifiers: kids(element, 'identification').flatMap((each) => get(each, 'number') ?? []),
    roles: aliases.flatMap((each) => get(each, 'function') ?? []),
    ...{ list: get(element, 'euReferenceNumber') ?? 'EU', program },
  };
}

function birth(element: XmlElement): ListedDate | undefined {
  const get = (name: string) => element.attribute(name) || undefined;
  const [from, to] = [get('yearRangeFrom'), get('yearRangeTo')];
  const range = from === undefined || to === undefined ? undefined : `${from} to ${to}`;
  const parts = [get('year'), get('monthOfYear'), get('dayOfMonth')];
  const known = parts.slice(0, parts.includes(undefined) ? parts.indexOf(undefined) : 3);
  const text = get('birthdate') ?? range ?? known.join('-');
  const date = text === '' ? undefined : parseListedDate(text);
  return date && (get('circa') === 'true' ? { ...date, isApproximate: true } : date);
}
