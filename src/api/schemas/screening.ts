import { Type } from '@sinclair/typebox';
import { named, oneOf, requiredText, text } from './shared.ts';

/** Request body: screening of a person. */
export const screeningRequest = named('ScreeningRequest', {
  countryCode: requiredText('Two letters.'),
  firstName: text('Required without originalName.'),
  middleName: text('Middle name.'),
  lastName: text('Required without originalName.'),
  originalName: text('The full name, if it cannot be split.'),
  dateOfBirth: text('YYYY-MM-DD.'),
  gender: Type.Optional(oneOf(['Male', 'Female'])),
  flowKey: requiredText('A flow that allows screening.'),
  MatchRate: Type.Optional(Type.Number({ description: '1 to 100; default 75.' })),
});

const texts = Type.Array(Type.String());

const matchSchema = named('ScreeningMatch', {
  category: Type.String({ description: 'Codes joined by a slash.' }),
  categories: texts,
  match_rate: Type.Integer(),
  matchedFields: Type.Array(Type.String(), {
    description:
      'Basis of the match: name, alias, weakAlias, originalScript (the listed name); ' +
      'phonetic, nickname, initial (similarity of its words, besides spelling); dateOfBirth, ' +
      'yearOfBirth, gender, country.',
  }),
  gender: text('Male or Female.'),
  deceased: Type.Boolean(),
  firstName: Type.String(),
  middleName: text('Middle name.'),
  lastName: Type.String(),
  fullName: Type.String(),
  images: texts,
  dateOfBirth: text('As far as known.'),
  countries: texts,
  placeOfBirth: text('Place of birth.'),
  primaryLocation: text('Address of the person.'),
  generalInfo: Type.Object({ nationality: text('Two letters.') }),
  furtherInformation: texts,
  descriptions: Type.Array(
    Type.Object({ description1: Type.String(), description2: Type.String() }),
  ),
  roles: Type.Array(
    Type.Object({ title: Type.String(), status: Type.String(), country: Type.String() }),
  ),
  officialLists: Type.Array(
    Type.Object({
      keyword: Type.String(),
      description: Type.String(),
      isCurrent: Type.Boolean(),
    }),
  ),
});

/** Result of a screening. */
export const screeningAnswer = named('ScreeningResponse', {
  errors: Type.Array(Type.String(), {
    description: 'Outdated lists and names that were not searched, one sentence each.',
  }),
  id: Type.Array(Type.Object({ id: Type.String() })),
  date: Type.Array(Type.Object({ date: Type.String() })),
  match: Type.Array(matchSchema),
  status: Type.Array(Type.Object({ status: Type.String() })),
  request: Type.Object({
    countryCode: Type.String(),
    firstName: text('As sent.'),
    middleName: text('As sent.'),
    lastName: text('As sent.'),
    originalName: text('As sent.'),
    dateOfBirth: text('As sent.'),
    gender: text('As sent.'),
    flowKey: Type.String(),
    matchRate: Type.Number(),
  }),
  flowkey: Type.String(),
});

/** Body of a failed screening, which differs from all other failures. */
export const screeningFailure = named('ScreeningError', {
  error: Type.String({ description: 'Description of the status.' }),
  message: Type.String(),
  code: oneOf([
    'invalid_request',
    'invalid_date',
    'invalid_flow_key',
    'invalid_credentials',
    'rate_limited',
    'internal_error',
  ]),
});
