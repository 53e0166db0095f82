import { basename } from 'node:path';
import type { CompanyService } from '../../../app/company-service.ts';
import { defined } from '../../../base/defined.ts';
import { formatTitles, listFormats } from '../../../domain/list-formats.ts';
import type { ListVersion } from '../../../domain/screening/index.ts';
import { command, type Given, oneOf, pair, readOptionInput } from '../../command/index.ts';
import { refuseUsage } from '../../context.ts';
import type { CliIo } from '../../io.ts';
import { naming } from '../../named-error.ts';
import { counted, printable } from '../../output/index.ts';

const listArgument = { '<list>': 'name of the list' } as const;

function listLine({ list, publishedDate, importedAtMs, ...counts }: ListVersion): string {
  const imported = new Date(importedAtMs).toISOString().slice(0, 10);
  const { persons, names, format } = counts;
  const facts = [
    counted(persons, 'person'),
    counted(names, 'name'),
    format,
    `imported ${imported}`,
  ];
  const published = publishedDate === undefined ? [] : [`of ${publishedDate}`];
  return [printable(list), ...published, ...facts].join('  ');
}

/** States which lists were searched, and which of them are out of date. */
export function searchedLines(
  lists: readonly ListVersion[],
  staleLists: readonly Pick<ListVersion, 'list'>[],
): readonly string[] {
  return [
    ...lists.map((list) => (list.isFictional ? fictional : `searched: ${listLine(list)}`)),
    ...staleLists.map(
      ({ list }) => `the list ${printable(list)} is outdated: import a newer version`,
    ),
  ];
}

const fictional = 'searched: the embedded list of fictitious persons (no list was imported)';

/** States how many entries are not persons (companies, ships): only persons are searched. */
export function othersLine({ others }: ListVersion): readonly string[] {
  return others === 0 ? [] : [`not persons, skipped: ${others}`];
}

/** Options of an import. */
export const importOptions = {
  '--list <name>': { text: 'name of the list', required: true },
  '--format <format>': {
    text: `format: ${listFormats.join(', ')} (default: detected from the content)`,
    ...oneOf(listFormats),
  },
  '--column <ours=theirs>': {
    text: 'column of your own list with a different name; repeatable',
    ...pair,
    many: true,
  },
  '--category <codes>': 'category of rows of your own list without one, such as SIP',
  '--accept-shrink': 'accept a version that is much smaller, older, or lists different persons',
} as const;

/** Imports a list from its files according to the options. */
export async function importFiles(
  { screening }: CompanyService,
  paths: readonly string[],
  { list, format, acceptShrink, column, category }: Given<object, typeof importOptions>,
  io: CliIo,
): Promise<ListVersion> {
  const files: { name: string; content: Uint8Array }[] = [];
  for (const path of paths) {
    files.push({ name: basename(path), content: await readOptionInput(path, io) });
  }
  const ours = (column ?? []).map(([name]) => name);
  const twice = ours.find((name, at) => ours.indexOf(name) !== at);
  if (twice !== undefined) refuseUsage(`--column ${twice}: expected once, found twice`);
  const columns = column === undefined ? undefined : Object.fromEntries(column);
  const wish = { acceptShrink: acceptShrink === true, ...defined({ format, columns, category }) };
  return naming(paths[0] ?? '-', () => screening.importList({ list, files, ...wish }));
}

/** Help text about imports. */
export const importHelp = [
  `Formats: ${Object.values(formatTitles).join(', ')}.`,
  'Columns of your own list: category (codes joined by a slash), first_name, middle_name, ' +
    'last_name, aliases, gender, date_of_birth, place_of_birth, deceased, countries, ' +
    'nationality, location, information, role, role_status, role_country, list, ' +
    'list_description. Several values in one cell are separated by semicolons. With --column ' +
    'the file uses its own names, and only the named columns are read; name is a full name.',
  'Gzip files are decompressed.',
  'A file that is malformed, truncated or in a different format changes nothing: the previous ' +
    'version stays.',
];

/** Exit codes of an import. */
export const importExits = {
  0: 'imported',
  2: 'the file is invalid; nothing was changed',
  5: 'no such file',
  6: 'the list has shrunk too much; nothing was changed',
} as const;

const listsImport = command('screen lists import', {
  summary: 'import a version of a list',
  description:
    'Import a version of a list from its file; it replaces the previous version completely.',
  args: { '<file...>': 'list file (several for OFAC CSV), or - for stdin' },
  options: importOptions,
  help: importHelp,
  examples: {
    'innsigli screen lists import consolidated.xml --list un': 'sanctions of the United Nations',
    'innsigli screen lists import sdn.csv alt.csv --list ofac': 'those of the US Treasury',
    'innsigli screen lists import staff.csv --list staff --category SIP --column name=Name':
      'your own list',
  },
  exits: importExits,
  busy: 'Importing',
  call: (service, { file, ...options }, { io }) => importFiles(service, file, options, io),
  text: (version, { console }) => {
    console.note(`imported: ${listLine(version)}`);
    console.note(othersLine(version));
  },
});

const listsUpdate = command('screen lists update', {
  summary: 'download lists from their sources and import them',
  description:
    'Download lists from the URLs of the setting screening.sources, and import new versions.',
  args: { '[list...]': 'only these lists' },
  options: { '--accept-shrink': importOptions['--accept-shrink'] },
  help: [
    'The setting maps each list to its URL: un=https://…; a list of several files has ' +
      'several URLs. A list that cannot be downloaded, or whose file is invalid, stays unchanged.',
  ],
  examples: { 'innsigli screen lists update': 'every night, before the customers are screened' },
  exits: {
    0: 'every list was imported',
    3: 'a list failed, others were imported',
    8: 'no list was imported',
    10: 'a list has no source',
  },
  busy: 'Downloading lists',
  call: ({ screening }, { list, acceptShrink }) => {
    const lists = list.length === 0 ? {} : { lists: list };
    return screening.updateLists({ ...lists, acceptShrink: acceptShrink === true });
  },
  text: ({ updated, failed }, { console }) => {
    for (const { isUnchanged, ...version } of updated) {
      console.note(`${isUnchanged ? 'unchanged' : 'imported'}: ${listLine(version)}`);
    }
    for (const { list, code, message } of failed) {
      console.note(`failed: ${printable(list)} stays unchanged: ${printable(message)} [${code}]`);
    }
  },
  exit: ({ updated, failed }) => (failed.length === 0 ? 0 : updated.length === 0 ? 8 : 3),
});

const listsShow = command('screen lists show', {
  summary: 'show the lists',
  description: 'Show the lists persons are screened against, or the versions of one list.',
  args: { '[list]': 'only the versions of this list' },
  examples: { 'innsigli screen lists show': 'names, dates and counts' },
  exits: { 0: 'shown', 5: 'no such list' },
  call: async ({ screening }, { list }) => ({
    lists: list === undefined ? await screening.lists() : await screening.listVersions(list),
  }),
  text: ({ lists }, { console }) => {
    console.result(lists.map(listLine));
    if (lists.length === 0) {
      console.note('no list was imported: the embedded list of fictitious persons is searched');
    }
  },
});

const listsDiff = command('screen lists diff', {
  summary: 'show what the newest version changes',
  description: 'Show the persons that the newest version of a list adds, changes and removes.',
  args: listArgument,
  examples: { 'innsigli screen lists diff un': 'compared with the previous version' },
  exits: { 0: 'shown', 5: 'no such list' },
  call: ({ screening }, { list }) => screening.diffList(list),
  text: ({ added, changed, removed }, { console }) => {
    const nameOf = (person: { readonly names: readonly { readonly text: string }[] }) =>
      printable(person.names[0]?.text ?? '');
    console.result([
      ...added.map((person) => `+ ${nameOf(person)}`),
      ...changed.map(({ person, isIdentityChanged }) =>
        isIdentityChanged
          ? `~ ${nameOf(person)}  (names, birth or country)`
          : `~ ${nameOf(person)}`,
      ),
      ...removed.map((person) => `- ${nameOf(person)}`),
    ]);
    console.note(`${added.length} added, ${changed.length} changed, ${removed.length} removed`);
  },
});

const listsRemove = command('screen lists remove', {
  summary: 'remove a list',
  description: 'Remove a list with all its versions.',
  args: listArgument,
  examples: { 'innsigli screen lists remove board': 'the list is no longer searched' },
  exits: { 0: 'removed', 5: 'no such list' },
  call: async ({ screening }, { list }) => {
    await screening.removeList(list);
    return { list, removed: true };
  },
  text: ({ list }, { console }) => console.note(`removed: ${printable(list)}`),
});

/** `screen lists` with its commands. */
export const screenLists = command('screen lists', {
  summary: 'import, update and show lists',
  description: 'Import, update and show the lists persons are screened against.',
  commands: [listsImport, listsUpdate, listsShow, listsDiff, listsRemove],
});
