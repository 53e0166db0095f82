import { Type } from '@sinclair/typebox';
import { listFormats } from '../../src/domain/list-formats.ts';
import { watchCategories } from '../../src/domain/screening/index.ts';
import { about, flag, list, members, oneOf, opt, type Shapes, text, whole } from './words.ts';

const versionMembers = {
  list: about('Name of the list.', text),
  format: oneOf(...listFormats, 'embedded'),
  publishedDate: opt(about('Date that the list states, `YYYY-MM-DD`.', text)),
  importedAtMs: whole,
  sha256: about('Of the imported file.', text),
  persons: whole,
  names: whole,
  others: about('Organisations, vessels and others: not screened.', whole),
  isFictional: opt(about('The embedded list of made-up persons.', flag)),
};
const version = members(versionMembers, 'ListVersion');

const personMembers = {
  key: about('Stable over the versions of the list.', text),
  subject: oneOf('person', 'organisation', 'vessel', 'aircraft', 'other'),
  categories: list(oneOf(...watchCategories)),
  names: about(
    'The primary one first.',
    list(
      members({
        text,
        given: opt(text),
        family: opt(text),
        kind: oneOf('primary', 'alias', 'former', 'original-script'),
        isWeak: opt(flag),
      }),
    ),
  ),
  firstName: text,
  middleName: opt(text),
  lastName: text,
  births: about(
    '`YYYY`, `YYYY-MM` or `YYYY-MM-DD`; with `to` a range.',
    list(members({ from: text, to: opt(text), isApproximate: opt(flag) })),
  ),
  gender: opt(oneOf('Male', 'Female')),
  countries: about('Two letters each.', list(text)),
  isDeceased: opt(flag),
  placeOfBirth: opt(text),
  nationality: opt(text),
  primaryLocation: opt(text),
  identifiers: opt(list(text)),
  images: opt(list(text)),
  descriptions: opt(list(members({ description1: text, description2: text }))),
  furtherInformation: opt(list(text)),
  roles: opt(list(members({ title: text, status: text, country: text }))),
  officialLists: opt(list(members({ keyword: text, description: text, isCurrent: flag }))),
};
const person = members(personMembers, 'ListedPerson');

const fields = [
  ...['name', 'alias', 'weakAlias', 'originalScript', 'phonetic', 'nickname', 'initial'],
  ...['dateOfBirth', 'yearOfBirth', 'gender', 'country'],
];

const match = members({
  rate: about('1 to 100.', whole),
  nameRate: about('That of the name alone.', whole),
  nameNumber: about('Which of `names` has matched.', whole),
  category: about('Codes in their order, joined by a slash.', text),
  list: text,
  matchedFields: list(oneOf(...fields)),
  parts: about(
    'How the words of the two names meet.',
    list(
      members({
        query: opt(text),
        listed: opt(text),
        how: oneOf('same', 'spelling', 'sound', 'nickname', 'initial', 'joined', 'unmatched'),
        likeness: Type.Number(),
      }),
    ),
  ),
  ...personMembers,
});

/** The bodies of these commands under --json. */
export const screeningBodies = {
  'screen import': [members({ ...versionMembers, entries: about('As `persons`.', whole) })],
  'screen lists diff': [
    members({
      from: opt(version),
      to: version,
      added: list(person),
      changed: list(members({ person, isIdentityChanged: flag })),
      removed: list(person),
    }),
  ],
  'screen lists import': [version],
  'screen lists remove': [members({ list: text, removed: flag })],
  'screen lists show': [members({ lists: list(version) })],
  'screen person': [
    members({ matches: list(match), lists: list(version), staleLists: list(text) }),
  ],
  'screen selftest': [
    members({
      names: whole,
      failed: list(members({ list: text, key: text, name: text, rate: whole })),
    }),
  ],
} satisfies Shapes;
