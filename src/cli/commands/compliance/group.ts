import { command, readInputText } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import { complianceRecord } from './record.ts';

const complianceImport = command('compliance import', {
  summary: 'record the rows of a CSV file',
  description: 'Record the persons and businesses of a CSV file: all of them, or none.',
  args: { '<csv>': 'file with a first row of column names, or - for stdin' },
  help: [
    'Columns: kind (person, business), name, ssn, email, phone, pep_found, risk_evaluated, ' +
      'compliance_type (PEP, AML, MIFID), answered_date, next_date, flow_key. Several rows ' +
      'about the same person become one record with one requirement each.',
    'Answers are yes or no (true, 1, x; false, 0); an empty cell says nothing. Of more rows, ' +
      'pep_found counts when one says yes, risk_evaluated when one says yes and none says no. ' +
      'A word, column or row that is not understood refuses the file, and each is named. Cells ' +
      'are separated by commas, semicolons or tabs, as in the first row; the text is UTF-8.',
  ],
  examples: { 'innsigli compliance import customers.csv': 'all rows, or none' },
  exits: {
    0: 'recorded',
    2: 'a row cannot be used; nothing was recorded',
    5: 'no such file',
  },
  call: async ({ compliance }, { csv }, { io }) => ({
    records: await compliance.import(await readInputText(csv, io)),
  }),
  text: ({ records }, { console }) => console.note(`recorded: ${records}`),
});

const complianceStatus = command('compliance status', {
  summary: 'print the status of a person or business',
  description: 'Print the compliance status of a person or business.',
  options: {
    '--business': 'a business, not a person',
    '--ssn <number>': 'national number',
    '--email <address>': 'e-mail address, together with --phone',
    '--phone <number>': 'phone number, together with --email',
    '--name <name>': 'name of the business',
  },
  examples: {
    'innsigli compliance status --ssn 0101901239': 'exit code 0 when compliant',
    "innsigli compliance status --business --name 'Dæmi ehf.' --json": 'with requirements',
  },
  exits: {
    0: 'compliant',
    2: 'no person or business is named',
    5: 'never recorded',
    7: 'not compliant',
  },
  call: ({ compliance }, { business, ...query }) =>
    compliance.status(business ? 'business' : 'person', query),
  text: ({ isCompliant, messages }, { console }) => {
    console.result(isCompliant ? 'compliant' : 'not compliant');
    for (const message of messages) console.result(`  ${printable(message)}`);
  },
  exit: ({ isCompliant }) => (isCompliant ? 0 : 7),
});

/** `compliance` with its commands. */
export const compliance = command('compliance', {
  description: 'The compliance register of the company.',
  commands: [complianceRecord, complianceImport, complianceStatus],
});
