import { Type } from '@sinclair/typebox';
import { listFormats } from '../../src/domain/list-formats.ts';
import { matchDecisions, watchCategories } from '../../src/domain/screening/index.ts';
import { about, flag, list, members, oneOf, opt, type Shapes, text, whole } from './words.ts';

const versionMembers = {
  list: about('Name of the list.', text),
  format: oneOf(...listFormats, 'embedded'),
  publishedDate: opt(about('Date stated in the list, `YYYY-MM-DD`.', text)),
  importedAtMs: whole,
  sha256: about(
    'SHA-256 of the imported file, hexadecimal; of the first if there are several.',
    text,
  ),
  contentSha256: opt(about('SHA-256 of the searched content. Absent for the embedded list.', text)),
  persons: whole,
  names: whole,
  others: about(
    'Number of organisations, vessels and other entries, which are not screened against.',
    whole,
  ),
  isFictional: opt(about('True for the embedded list of fictional persons.', flag)),
};
const version = members(versionMembers, 'ListVersion');

const personMembers = {
  key: about('Stable across versions of its list.', text),
  subject: oneOf('person', 'organisation', 'vessel', 'aircraft', 'other'),
  categories: list(oneOf(...watchCategories)),
  names: about(
    'Primary name first.',
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
    '`YYYY`, `YYYY-MM` or `YYYY-MM-DD`; a range if `to` is present.',
    list(members({ from: text, to: opt(text), isApproximate: opt(flag) })),
  ),
  gender: opt(oneOf('Male', 'Female')),
  countries: about('Country codes of two letters.', list(text)),
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

const parts = about(
  'Comparison of the two names, word by word.',
  list(
    members({
      query: opt(text),
      listed: opt(text),
      how: oneOf('same', 'spelling', 'sound', 'nickname', 'initial', 'joined', 'unmatched'),
      likeness: Type.Number(),
    }),
  ),
);

const decision = oneOf(...matchDecisions);

const match = members({
  place: about('Position in the screening, starting at 1. Decisions refer to it.', whole),
  decision: opt(
    about('The decision about the match, which applies until either side changes.', decision),
  ),
  identity: about('SHA-256 of the data by which the listed person is matched.', text),
  rate: about('Match rate, 1 to 100.', whole),
  nameRate: about('Rate of the name alone.', whole),
  nameNumber: about('Position of the matching name in `names`.', whole),
  category: about('Category codes in their order, joined by a slash.', text),
  list: text,
  matchedFields: list(oneOf(...fields)),
  parts,
  ...personMembers,
});

const recordedMatch = members(
  {
    list: text,
    key: about('Key of the person on the list.', text),
    identity: about('SHA-256 of the data by which the listed person is matched.', text),
    category: text,
    rate: whole,
    nameRate: whole,
    nameNumber: whole,
    parts,
    matchedFields: list(oneOf(...fields)),
  },
  'RecordedMatch',
);

const query = members({
  firstName: opt(text),
  middleName: opt(text),
  lastName: opt(text),
  originalName: opt(text),
  dateOfBirth: opt(text),
  gender: opt(oneOf('Male', 'Female')),
  countryCode: opt(text),
});

const screening = members({
  id: text,
  seq: about('Starts at 1, without gaps.', whole),
  atMs: whole,
  cause: oneOf('request', 'list', 'period'),
  flowKey: opt(text),
  customerId: opt(text),
  query,
  matchRate: about('The lowest rate that was reported.', Type.Number()),
  recordedRate: about('The lowest rate that is recorded.', Type.Number()),
  lists: list(
    members({
      list: text,
      publishedDate: opt(text),
      importedAtMs: whole,
      sha256: text,
      contentSha256: text,
    }),
  ),
  engineVersion: text,
  matches: list(recordedMatch),
  isCut: opt(about('True if there were more matches than are recorded.', flag)),
});

const customer = members({
  reference: text,
  name: text,
  level: oneOf('low', 'medium', 'high'),
  screenedAtMs: opt(whole),
  screeningId: opt(text),
  nextAtMs: about('Time of the next periodic screening.', whole),
  matches: list(
    members({
      list: text,
      key: text,
      name: opt(about('Name on the list.', text)),
      sinceMs: opt(
        about(
          'Time at which the match was first found. Every later screening found it as well.',
          whole,
        ),
      ),
      category: text,
      rate: whole,
      decision: opt(decision),
    }),
  ),
  unread: about('As `unread` of `screen person`.', list(text)),
});

const unread = about(
  'References of customers whose names are too long to be searched completely.',
  list(text),
);

/** Documents of these commands with --json. */
export const screeningBodies = {
  'screen audit list': [members({ screenings: list(screening) })],
  'screen audit replay': [
    members({
      screening: text,
      engineVersion: text,
      isSame: about('True if the matches are identical.', flag),
      isSameEngine: about('False if the version of the matching engine differs.', flag),
      matches: list(recordedMatch),
    }),
  ],
  'screen audit verify': [
    members({
      intact: flag,
      screenings: whole,
      head: about('Hash of the newest row.', text),
      brokenAt: opt(whole),
    }),
  ],
  'screen batch': [
    members({
      rows: list(
        members({
          row: about('Row number, as spreadsheets and editors count.', whole),
          reference: opt(text),
          fault: opt(about('Reason why the row was not screened.', text)),
          screening: opt(text),
          unread: opt(about('As `unread` of `screen person`. Absent if empty.', list(text))),
          isCut: opt(flag),
          matches: opt(
            list(
              members({
                place: whole,
                rate: whole,
                category: text,
                list: text,
                key: text,
                name: text,
                decision: opt(decision),
              }),
            ),
          ),
        }),
      ),
      lists: about('Lists that were searched; empty if no row was screened.', list(version)),
      staleLists: list(text),
    }),
  ],
  'screen customer add': [members({ reference: text, unread })],
  'screen customer import': [members({ customers: whole, unread })],
  'screen customer list': [members({ customers: list(customer) })],
  'screen customer remove': [members({ reference: text, removed: flag })],
  'screen customer screen': [
    members({
      screened: whole,
      changed: about('References of customers with a new match.', list(text)),
      unread,
      lists: list(version),
      staleLists: list(text),
    }),
  ],
  'screen decide': [members({ id: text, decision, list: text, key: text })],
  'screen decisions': [
    members({
      decisions: list(
        members({
          id: text,
          decision,
          list: text,
          key: text,
          reason: text,
          by: opt(text),
          atMs: whole,
          screeningId: text,
        }),
      ),
    }),
  ],
  'screen import': [members({ ...versionMembers, entries: about('Same as `persons`.', whole) })],
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
  'screen lists update': [
    members({
      updated: list(
        members({
          ...versionMembers,
          isUnchanged: about(
            'True if the files are identical to those of the previous version.',
            flag,
          ),
        }),
      ),
      failed: about(
        'Lists that keep their previous version, with the reason.',
        list(members({ list: text, code: text, message: text })),
      ),
    }),
  ],
  'screen lists remove': [members({ list: text, removed: flag })],
  'screen lists show': [members({ lists: list(version) })],
  'screen person': [
    members({
      id: text,
      matches: list(match),
      cleared: about('Matches decided to be different persons.', list(match)),
      lists: list(version),
      staleLists: list(text),
      unread: about(
        'Parts of the name that were not searched: `names` following the first 8, or `words` of ' +
          'a name following the first 16 or the first 300 characters.',
        list(text),
      ),
      isCut: opt(
        about(
          'True if there are more matches than the 100 closest, which are the only ones returned.',
          flag,
        ),
      ),
    }),
  ],
  'screen selftest': [
    members({
      names: whole,
      failed: list(members({ list: text, key: text, name: text, rate: whole })),
    }),
  ],
} satisfies Shapes;
