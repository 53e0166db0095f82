import type { RegisterFigures } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import type { RegisterService } from '../../../wire/service/register-service.types.ts';
import { command } from '../../command/index.ts';
import { type CommandContext, loadConfig, openToolkit } from '../../context.ts';
import { closeInput, piecesOf, readInput } from '../../files/index.ts';
import { counted, printable } from '../../output/index.ts';

const noService = 'there is no service, or its key is missing or another one';

const registerImport = command('register import', {
  summary: 'import the register from a CSV file',
  description:
    'Import the register of persons from a CSV file; it replaces the imported one, all of it or ' +
    'nothing.',
  args: { '<csv>': 'file with a first row of column names, or - for stdin' },
  options: { '--accept-shrunken': 'accept a file that has lost more than a tenth of the persons' },
  help: [
    'Columns: ssn (required), name, address, postalCode, city, familyNumber, genderCode, ' +
      'familyStatus, partnerSsn, hasMeter (yes or no). A row with one of the family columns has ' +
      'familyNumber, genderCode and familyStatus. Names are read and not kept. Cells are ' +
      'separated by commas, semicolons or tabs, as in the first row; the text is UTF-8. At most ' +
      '2,000,000 rows.',
    'A file that is broken or empty, or has lost more than a tenth of the persons, changes ' +
      'nothing; each row that is not understood is named. Running services ask the new ' +
      'register at once. Each host with a data directory of its own imports it.',
    'Entries are encrypted with the key of the data directory. The setting register.url has a ' +
      'register asked over HTTP instead.',
  ],
  examples: { 'innsigli register import persons.csv': 'all rows, or none' },
  exits: {
    0: 'imported',
    2: 'a row cannot be used; nothing was changed',
    5: 'there is no such file',
    7: 'refused: the file has lost too many persons; nothing was changed',
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
  summary: 'show figures of the register',
  description: 'Show which register of persons is asked, and the figures of the imported one.',
  help: ['Nothing about a person is shown.'],
  examples: { 'innsigli register show': 'number of persons, time of the import' },
  exits: { 0: 'shown', 10: `the imported register is damaged; or ${noService}` },
  run: async (_, context) => (await openRegister(context)).show(),
  document: ({ url, imported }) =>
    defined({ url, imported: imported === undefined ? undefined : documentOf(imported) }),
  text: ({ url, imported }, { console }) => {
    const found = imported === undefined ? undefined : documentOf(imported);
    const figures = found && `${counted(found.persons, 'person')}, ${found.importedAt}`;
    console.result([
      `asked: ${printable(url ?? 'the imported one')}`,
      `imported: ${figures ?? 'nothing'}`,
    ]);
    if (url === undefined && imported === undefined) {
      console.note('Until the first import test persons are made up, and in production none.');
    }
  },
});

function documentOf({ persons, importedAtMs }: RegisterFigures) {
  return { persons, importedAt: new Date(importedAtMs).toISOString() };
}

/** `register` with its commands. */
export const register = command('register', {
  description: 'The register of persons: addresses and families of those who log in.',
  commands: [registerImport, registerShow],
});

async function openRegister(context: CommandContext): Promise<RegisterService> {
  const { config } = await loadConfig(context, {});
  return (await openToolkit(context, config)).register();
}
