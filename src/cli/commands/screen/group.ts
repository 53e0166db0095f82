import { command } from '../../command/index.ts';
import { counted, printable } from '../../output/index.ts';
import { screenAudit } from './audit.ts';
import { screenBatch } from './batch.ts';
import { screenCustomer } from './customer.ts';
import { screenDecide, screenDecisions } from './decide.ts';
import {
  importExits,
  importFiles,
  importHelp,
  importOptions,
  othersLine,
  screenLists,
} from './lists.ts';
import { screenPerson } from './person.ts';

const screenImport = command('screen import', {
  summary: 'import a list (same as screen lists import)',
  description:
    'Import a version of a list from one file; it replaces the previous version completely.',
  args: { '<file>': 'list file, or - for stdin' },
  options: importOptions,
  help: importHelp,
  examples: { 'innsigli screen import board.csv --list board': 'all rows, or none' },
  exits: importExits,
  call: async (service, { file, ...options }, { io }) => {
    const version = await importFiles(service, [file], options, io);
    return { ...version, entries: version.persons };
  },
  text: (version, { console }) => {
    console.note(`imported: ${version.persons}`);
    console.note(othersLine(version));
  },
});

const screenSelftest = command('screen selftest', {
  summary: 'check that every listed name is found',
  description:
    'Search for every name of every list, and report names that do not find their person.',
  examples: { 'innsigli screen selftest': 'after an import, or every night' },
  exits: { 0: 'every name is found', 7: 'a name is not found', 10: 'there is no list' },
  busy: 'Searching every name',
  call: ({ screening }) => screening.selfTest(),
  text: ({ names, failed }, { console }) => {
    for (const { list, name, rate } of failed) {
      console.result(`${printable(list)}  ${printable(name)}  ${rate}`);
    }
    console.note(`${counted(names, 'name')} searched, ${failed.length} not found`);
  },
  exit: ({ failed }) => (failed.length > 0 ? 7 : 0),
});

/** `screen` with its commands. */
export const screen = command('screen', {
  description: 'Screen persons against lists.',
  commands: [
    ...[screenPerson, screenBatch, screenLists, screenImport, screenSelftest],
    ...[screenDecide, screenDecisions, screenCustomer, screenAudit],
  ],
});
