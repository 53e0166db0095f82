import type { RegisterFigures } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import type { RegisterService } from '../../../wire/service/register-service.types.ts';
import { command } from '../../command/index.ts';
import { type CommandContext, loadConfig, openToolkit } from '../../context.ts';
import { closeInput, piecesOf, readInput } from '../../files/index.ts';
import { counted, printable } from '../../output/index.ts';

const noService = 'there is no service, or its key is missing or different';

const registerImport = command('register import', {
  summary: 'import the register from a CSV file',
  description:
    'Import the register of persons from a CSV file; it replaces the previous import, completely ' +
    'or not at all.',
  args: { '<csv>': 'file whose first row has the column names, or - for stdin' },
  options: { '--accept-shrunken': 'accept a file with more than a tenth of the persons missing' },
  help: [
    'Columns: ssn (required), name, address, postalCode, city, familyNumber, genderCode, ' +
      'familyStatus, partnerSsn, hasMeter (yes or no). A row with one of the family columns has ' +
      'familyNumber, genderCode and familyStatus. Names are read but not stored. Cells are ' +
      'separated by commas, semicolons or tabs, as in the first row; the encoding is UTF-8. At ' +
      'most 2,000,000 rows.',
    'A file that is malformed or empty, or misses more than a tenth of the persons, changes ' +
      'nothing; each invalid row is listed. Running services use the new ' +
      'register immediately. Import it on each host that has its own data directory.',
    'Entries are encrypted with the key of the data directory. The setting register.url selects ' +
      'a register queried over HTTP instead.',
  ],
  examples: { 'innsigli register import persons.csv': 'all rows, or none' },
  exits: {
    0: 'imported',
    2: 'a row is invalid; nothing was changed',
    5: 'no such file',
    7: 'refused: too many persons are missing in the file; nothing was changed',
    10: noService,
  },
  busy: 'Importing',
  run: async ({ csv, acceptShrunken: acceptsShrunken = false }, context) => {
    const input = await readInput(csv, context.io);
    try {
      const register = await openRegister(context);
      return await register.import(piecesOf(input.source), { acceptsShrunken });
    } finally {
      closeInput(input);
    }
  },
  document: documentOf,
  text: ({ persons }, { console }) => console.note(`imported: ${counted(persons, 'person')}`),
});

const registerShow = command('register show', {
  summary: 'show statistics of the register',
  description: 'Show which register of persons is in use, and statistics of the imported one.',
  help: ['No personal data is shown.'],
  examples: { 'innsigli register show': 'number of persons, time of the import' },
  exits: { 0: 'shown', 10: `the imported register is damaged; or ${noService}` },
  run: async (_, context) => (await openRegister(context)).show(),
  document: ({ url, imported }) =>
    defined({ url, imported: imported === undefined ? undefined : documentOf(imported) }),
  text: ({ url, imported }, { console }) => {
    const found = imported === undefined ? undefined : documentOf(imported);
    const figures = found && `${counted(found.persons, 'person')}, ${found.importedAt}`;
    console.result([
      `in use: ${printable(url ?? 'the imported register')}`,
      `imported: ${figures ?? 'nothing'}`,
    ]);
    if (url === undefined && imported === undefined) {
      console.note(
        'Until the first import, fictitious data is returned for test persons; in production none.',
      );
    }
  },
});

function documentOf({ persons, importedAtMs }: RegisterFigures) {
  return { persons, importedAt: new Date(importedAtMs).toISOString() };
}

/** `register` with its commands. */
export const register = command('register', {
  description: 'Manage the register of persons: addresses and families of people who log in.',
  commands: [registerImport, registerShow],
});

async function openRegister(context: CommandContext): Promise<RegisterService> {
  const { config } = await loadConfig(context, {});
  return (await openToolkit(context, config)).register();
}
