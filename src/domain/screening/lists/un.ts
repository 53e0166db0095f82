import type { XmlElement } from '../../../formats/xml/index.ts';
import type { ListedDate, ListedName } from '../listed-person.ts';
import { countryCode } from './countries.ts';
import { parseListedDate } from './dates.ts';
import { type Draft, joined, nameOf } from './draft.ts';
import { kid, kids, textOf, textsOf } from './xml-reader.ts';

const nameParts = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];
const terrorLists: readonly string[] = ['Al-Qaida', 'Taliban'];

/** Extracts drafts from a consolidated list of the United Nations. */
export function unDrafts(root: XmlElement): readonly Draft[] {
  const persons = kid(root, 'INDIVIDUALS');
  const others = kid(root, 'ENTITIES');
  return [
    ...(persons === undefined ? [] : kids(persons, 'INDIVIDUAL').map(person)),
    ...(others === undefined ? [] : kids(others, 'ENTITY').map(organisation)),
  ];
}

function person(element: XmlElement): Draft {
  const [firstName, ...rest] = nameParts.map((part) => textOf(element, part));
  const lastName = rest.findLast((part) => part !== undefined);
  const middle = rest.slice(0, rest.lastIndexOf(lastName));
  const names = [
    nameOf(joined(firstName, ...rest), 'primary'),
    nameOf(textOf(element, 'NAME_ORIGINAL_SCRIPT'), 'original-script'),
    ...kids(element, 'INDIVIDUAL_ALIAS').flatMap(aliases),
  ];
  const nationalities = values(element, 'NATIONALITY');
  const gender = textOf(element, 'GENDER')?.toLowerCase();
  return {
    ...common(element, 'person'),
    ...{ names, firstName, middleName: joined(...middle), lastName },
    births: kids(element, 'INDIVIDUAL_DATE_OF_BIRTH').map(birth),
    gender: gender === 'male' ? 'Male' : gender === 'female' ? 'Female' : undefined,
    countries: nationalities.map(countryCode),
    nationality: nationalities[0],
    placeOfBirth: kids(element, 'INDIVIDUAL_PLACE_OF_BIRTH').map(place).find(Boolean),
    identifiers: kids(element, 'INDIVIDUAL_DOCUMENT').flatMap(
      (each) => joined(textOf(each, 'TYPE_OF_DOCUMENT'), textOf(each, 'NUMBER')) ?? [],
    ),
    roles: [...values(element, 'TITLE'), ...values(element, 'DESIGNATION')],
  };
}

function organisation(element: XmlElement): Draft {
  return {
    ...common(element, 'organisation'),
    names: [
      nameOf(textOf(element, 'FIRST_NAME'), 'primary'),
      ...kids(element, 'ENTITY_ALIAS').flatMap(aliases),
    ],
  };
}

function common(element: XmlElement, subject: Draft['subject']) {
  const type = textOf(element, 'UN_LIST_TYPE') ?? '';
  const categories: Draft['categories'] = terrorLists.includes(type)
    ? ['Sanction', 'TER']
    : ['Sanction'];
  const comment = textOf(element, 'COMMENTS1');
  return {
    key: textOf(element, 'DATAID') ?? textOf(element, 'REFERENCE_NUMBER') ?? '',
    ...{ subject, categories, list: textOf(element, 'REFERENCE_NUMBER') ?? 'UN', program: type },
    furtherInformation: comment === undefined ? [] : [comment],
  };
}

/** Some aliases contain several, separated by semicolons. */
function aliases(element: XmlElement): readonly (ListedName | undefined)[] {
  const quality = textOf(element, 'QUALITY') ?? '';
  const kind = quality === 'f.k.a.' ? 'former' : 'alias';
  const texts = (textOf(element, 'ALIAS_NAME') ?? '').split(/;\s*/);
  return texts.map((text) => nameOf(text, kind, quality === 'Low'));
}

function birth(element: XmlElement): ListedDate | undefined {
  const [from, to] = [textOf(element, 'FROM_YEAR'), textOf(element, 'TO_YEAR')];
  const text = textOf(element, 'DATE') ?? textOf(element, 'YEAR') ?? from;
  if (text === undefined) return undefined;
  const date = parseListedDate(to === undefined || from === undefined ? text : `${from} to ${to}`);
  const isApproximate = textOf(element, 'TYPE_OF_DATE') === 'APPROXIMATELY';
  return date && (isApproximate ? { ...date, isApproximate } : date);
}

function place(element: XmlElement): string | undefined {
  const parts = ['CITY', 'STATE_PROVINCE', 'COUNTRY'].map((name) => textOf(element, name));
  return parts.filter(Boolean).join(', ');
}

function values(element: XmlElement, name: string): readonly string[] {
  const list = kid(element, name);
  return list === undefined ? [] : textsOf(list, 'VALUE');
}
