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
  summary: 'import a list (as screen lists import)',
  description: 'Import a version of a list from one file; it replaces all of the previous one.',
  args: { '<file>': 'file of the list, or - for stdin' },
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
  description: 'Search every name of every list, and say which does not find its person.',
  examples: { 'innsigli screen selftest': 'after an import, or each night' },
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
  description: 'Look for persons on lists.',
  commands: [
    ...[screenPerson, screenBatch, screenLists, screenImport, screenSelftest],
    ...[screenDecide, screenDecisions, screenCustomer, screenAudit],
  ],
});
