import type { XmlElement } from '../../../../formats/xml/index.ts';
import { countryCode } from '../countries.ts';
import { parseListedDate } from '../dates.ts';
import { type Draft, joined, nameOf } from '../draft.ts';
import { kid, kids, textOf, textsOf } from '../xml-reader.ts';
import { ofacSubject, terrorProgram } from './ofac.ts';

/** Extracts drafts from an SDN or consolidated list of the US Treasury in XML. */
export function ofacXmlDrafts(root: XmlElement): readonly Draft[] {
  return kids(root, 'sdnEntry').map(entry);
}

function entry(element: XmlElement): Draft {
  const under = (list: string, name: string) => {
    const found = kid(element, list);
    return found === undefined ? [] : kids(found, name);
  };
  const programs = kid(element, 'programList');
  const program = programs === undefined ? undefined : textsOf(programs, 'program').join(', ');
  const [firstName, lastName] = [textOf(element, 'firstName'), textOf(element, 'lastName')];
  const countries = [
    ...under('nationalityList', 'nationality'),
    ...under('citizenshipList', 'citizenship'),
  ].map((each) => textOf(each, 'country'));
  const genders = under('idList', 'id').filter((each) => textOf(each, 'idType') === 'Gender');
  const gender = genders.map((each) => textOf(each, 'idNumber')?.toLowerCase())[0];
  const remarks = textOf(element, 'remarks');
  return {
    key: textOf(element, 'uid') ?? '',
    subject: ofacSubject(textOf(element, 'sdnType')),
    categories: terrorProgram(program) ? ['Sanction', 'TER'] : ['Sanction'],
    ...{ firstName, lastName },
    names: [
      nameOf(joined(firstName, lastName), 'primary'),
      ...under('akaList', 'aka').map((aka) =>
        nameOf(
          joined(textOf(aka, 'firstName'), textOf(aka, 'lastName')),
          textOf(aka, 'type')?.startsWith('f') === true ? 'former' : 'alias',
          textOf(aka, 'category') === 'weak',
        ),
      ),
    ],
    births: under('dateOfBirthList', 'dateOfBirthItem').map((each) =>
      parseListedDate(textOf(each, 'dateOfBirth') ?? ''),
    ),
    gender: gender === 'male' ? 'Male' : gender === 'female' ? 'Female' : undefined,
    countries: countries.map(countryCode),
    nationality: countries[0],
    placeOfBirth: under('placeOfBirthList', 'placeOfBirthItem')
      .map((each) => textOf(each, 'placeOfBirth'))
      .find(Boolean),
    identifiers: under('idList', 'id').flatMap(
      (each) => joined(textOf(each, 'idType'), textOf(each, 'idNumber')) ?? [],
    ),
    furtherInformation: remarks === undefined ? [] : [remarks],
    roles: [textOf(element, 'title') ?? ''],
    ...{ list: 'OFAC', program },
  };
}
