import { command, readTableText } from '../../command/index.ts';
import { groupOf, type Kind } from './subject.ts';

const help = [
  'Columns: kind (person, business), name, ssn, email, phone, pep_found, risk_evaluated, ' +
    'risk_level (low, medium, high), risk_date, risk_until, owners (national numbers of the ' +
    'owners of a business, separated by semicolons), compliance_type (PEP, AML, MIFID), ' +
    'answered_date, next_date, flow_key. Several rows about the same person become one record ' +
    'with one requirement each.',
  'Answers are yes or no (true, 1, x; false, 0); an empty cell leaves the recorded value ' +
    'unchanged. Of several rows, pep_found is set if one says yes, risk_evaluated if one ' +
    'says yes and none says no. An unknown value, column or invalid row makes the import fail, ' +
    'and all of them are listed. Cells are separated by commas, semicolons or tabs, as in ' +
    'the first row; the encoding is UTF-8.',
];

/** `compliance individual import` and `compliance business import`. */
export function importCommand(kind: Kind) {
  const rows = 'Record the rows of a CSV file, all or none.';
  return importNamed(
    `compliance ${groupOf[kind]} import`,
    `${rows} Without a kind, a ${kind}.`,
    kind,
  );
}

/** The same command under its earlier name. */
export const complianceImport = importNamed(
  'compliance import',
  'Record the persons and businesses of a CSV file, all or none.',
);

function importNamed(name: string, description: string, kind?: Kind) {
  return command(name, {
    summary: 'record the rows of a CSV file',
    description,
    args: { '<csv>': 'file whose first row has the column names, or - for stdin' },
    help,
    examples: { [`innsigli ${name} customers.csv`]: 'all rows, or none' },
    exits: {
      0: 'recorded',
      2: 'a row is invalid; nothing was recorded',
      5: 'no such file',
    },
    call: async ({ compliance }, { csv }, { io }) => ({
      records: await compliance.import(await readTableText(csv, io), kind),
    }),
    text: ({ records }, { console }) => console.note(`recorded: ${records}`),
  });
}
