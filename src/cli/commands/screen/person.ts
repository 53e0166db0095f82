import type { ScreeningMatch } from '../../../app/screening/index.ts';
import { defined } from '../../../base/defined.ts';
import type { NamePart } from '../../../domain/screening/index.ts';
import { command, oneOf, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';
import { searchedLines } from './lists.ts';

/** Reads a match rate. */
export const matchRate = reading((text, name) => {
  if (/^\d{1,3}(\.\d+)?$/.test(text)) return Number(text);
  return refuseUsage(`${name}: expected a number, found "${text}"`);
});

/** Help text: a flow that counts screenings. */
export const screeningFlow =
  'flow of type PEP, Compliance or ExternalLookup (default: the only one)';

/** Screens one person. */
export const screenPerson = command('screen person', {
  summary: 'screen a person',
  description:
    'Screen a person against the imported lists, or the embedded list if there are none.',
  args: { '[name]': 'full name; omit it with --first and --last' },
  options: {
    '--flow <key>': screeningFlow,
    '--country <code>': 'country of the person: two letters',
    '--first <name>': 'given name',
    '--middle <name>': 'middle name',
    '--last <name>': 'family name',
    '--born <date>': 'date of birth: YYYY-MM-DD, YYYY-MM or YYYY',
    '--gender <gender>': { text: 'Male or Female', ...oneOf(['Male', 'Female']) },
    '--rate <number>': {
      text: 'required similarity of names: 1 to 100',
      ...matchRate,
      default: '75',
    },
    '--fail-on-match': 'exit code 7 if there is a match',
  },
  help: [
    'The embedded list is fictitious: it is for trials, and contains no real person. It is ' +
      'searched until a list is imported, but never in production.',
    'A match shows the listed name, how its words match those searched for, and what else ' +
      'agrees. 100 means that every word matches and nothing contradicts.',
  ],
  examples: {
    "innsigli screen person 'Viktor Drakmenov'": 'a fictitious person',
    "innsigli screen person 'Viktor Drakmenov' --country RU --born 1961-04-12 --fail-on-match":
      'with more facts, and exit code 7 when somebody is found',
  },
  exits: {
    0: 'screened, with or without a match',
    2: 'a value is missing or invalid',
    7: 'there is a match, with --fail-on-match',
    10: 'production without an imported list',
  },
  names: () => ({
    originalName: 'the name',
    firstName: '--first',
    lastName: '--last',
    flowKey: '--flow',
    countryCode: '--country',
    dateOfBirth: '--born',
    matchRate: '--rate',
  }),
  call: ({ screening }, { name, flow, country, born, rate, ...given }) =>
    screening.screen({
      ...{ originalName: name, flowKey: flow, countryCode: country, dateOfBirth: born },
      ...{ firstName: given.first, middleName: given.middle, lastName: given.last },
      ...{ gender: given.gender, matchRate: rate },
    }),
  document: ({ id, matches, cleared, lists, staleLists, unread, isCut }) => ({
    id,
    matches: matches.map(matchBody),
    cleared: cleared.map(matchBody),
    lists,
    staleLists: staleLists.map(({ list }) => list),
    unread,
    ...defined({ isCut }),
  }),
  text: ({ id, matches, cleared, lists, staleLists, unread, isCut }, { console }) => {
    for (const match of matches) console.result(matchLines(match));
    if (matches.length === 0) console.note('no match');
    if (cleared.length > 0) console.note(`decided as false positives: ${cleared.length}`);
    console.note(`screening ${id}`);
    console.note(searchedLines(lists, staleLists));
    for (const what of unread) console.note(unreadText[what]);
    if (isCut) console.note(cutText);
  },
  exit: ({ matches }, { failOnMatch }) => (failOnMatch && matches.length > 0 ? 7 : 0),
});

/** Text for a result with more matches than are shown. */
export const cutText = 'more matches exist: describe the person in more detail, or raise --rate';

/** Texts for a name that was not searched in full. */
export const unreadText = {
  names: 'only the first 8 of the names between semicolons were searched',
  words: 'only the first 16 words and 300 characters of a name were searched',
} as const;

/** Members of a match under --json. */
function matchBody({ person, list, rate, category, ...match }: ScreeningMatch): object {
  return { rate, category, list: list.list, ...match, ...person };
}

/** Text lines about a match: who matches, then why. */
function matchLines({ person, list, rate, category, ...match }: ScreeningMatch) {
  const [birth] = person.births;
  const name = printable(person.names[0]?.text ?? '');
  const by = person.names[match.nameNumber]?.text;
  const facts = defined({ born: birth?.from, list: list.list });
  return [
    [String(rate).padStart(3), category, name, ...Object.values(facts)].join('  '),
    ...(match.nameNumber === 0 || by === undefined ? [] : [`       by the name: ${printable(by)}`]),
    `       ${match.parts.map(partText).join(', ')}`,
    ...(match.matchedFields.length === 0 ? [] : [`       ${match.matchedFields.join(', ')}`]),
  ];
}

function partText({ query, listed, how }: NamePart): string {
  if (query === undefined) return `${printable(listed ?? '')} not searched for`;
  if (listed === undefined) return `${printable(query)} not listed`;
  if (how === 'same') return `${printable(query)} the same`;
  return `${printable(query)} ~ ${printable(listed)} (${how})`;
}
