import { fullNameOf } from '../../../domain/screening/index.ts';
import { command, oneOf, readInputText, reading } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';

const matchRate = reading((text, name) => {
  if (/^\d{1,3}(\.\d+)?$/.test(text)) return Number(text);
  return refuseUsage(`${name}: expected a number, found "${text}"`);
});

const screenPerson = command('screen person', {
  summary: 'look for a person',
  description: 'Look for a person on the embedded list and the imported ones.',
  args: { '<name>': 'whole name' },
  options: {
    '--flow <key>': { text: 'flow of type PEP, Compliance or ExternalLookup', required: true },
    '--country <code>': { text: 'two letters', required: true },
    '--born <date>': 'day of birth, YYYY-MM-DD',
    '--gender <gender>': { text: 'Male or Female', ...oneOf(['Male', 'Female']) },
    '--rate <number>': {
      text: 'similarity of names required: 1 to 100',
      ...matchRate,
      default: '75',
    },
    '--fail-on-match': 'exit code 7 when there is a match',
  },
  help: ['The embedded list is fictional: it is for trials, and contains no real person.'],
  examples: {
    "innsigli screen person 'Viktor Drakmenov' --flow f1… --country RU": 'a made-up person',
  },
  exits: {
    0: 'looked, with or without a match',
    2: 'a value is missing or wrong',
    7: 'there is a match, with --fail-on-match',
  },
  names: () => ({
    originalName: 'the name',
    flowKey: '--flow',
    countryCode: '--country',
    dateOfBirth: '--born',
    matchRate: '--rate',
  }),
  call: async ({ screening }, { name, flow, country, born, gender, rate }) => {
    const { matches } = await screening.screen({
      originalName: name,
      flowKey: flow,
      countryCode: country,
      dateOfBirth: born,
      gender,
      matchRate: rate,
    });
    return { matches };
  },
  document: ({ matches }) => ({
    matches: matches.map(({ entry, ...match }) => ({ ...match, ...entry })),
  }),
  text: ({ matches }, { console }) => {
    for (const { entry, rate, category } of matches) {
      const born = entry.dateOfBirth ?? '';
      console.result(
        `${String(rate).padStart(3)}  ${category}  ${printable(fullNameOf(entry))}  ${born}`,
      );
    }
    if (matches.length === 0) console.note('no match');
  },
  exit: ({ matches }, { failOnMatch }) => (failOnMatch && matches.length > 0 ? 7 : 0),
});

const screenImport = command('screen import', {
  summary: 'import a list',
  description: 'Import a list of persons from a CSV file; it replaces the list of that name.',
  args: { '<csv>': 'file with a first row of column names, or - for stdin' },
  options: { '--list <name>': { text: 'name of the list', required: true } },
  help: [
    'Columns: category (codes joined by a slash), first_name, middle_name, last_name, aliases, ' +
      'gender, date_of_birth, place_of_birth, deceased, countries, nationality, location, ' +
      'information, role, role_status, role_country, list, list_description. Several values ' +
      'of one cell are separated by semicolons. At most 50,000 rows.',
  ],
  examples: { 'innsigli screen import board.csv --list board': 'all rows, or none' },
  exits: { 0: 'imported', 2: 'a row cannot be used; nothing was changed', 5: 'no such file' },
  call: async ({ screening }, { csv, list }, { io }) => ({
    list,
    entries: await screening.importList(list, await readInputText(csv, io)),
  }),
  text: ({ entries }, { console }) => console.note(`imported: ${entries}`),
});

/** `screen` with its commands. */
export const screen = command('screen', {
  description: 'Look for persons on lists.',
  commands: [screenPerson, screenImport],
});
