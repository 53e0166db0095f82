import { command } from '../../command/index.ts';
import {
  groupOf,
  type Kind,
  printStatus,
  requireSubject,
  subjectExample,
  subjectOptions,
} from './subject.ts';

const exits = {
  0: 'compliant',
  2: 'no subject is named, or a value is invalid',
  5: 'never recorded',
  7: 'not compliant',
} as const;

const text = 'print the status of a';

/** `compliance individual status` and `compliance business status`. */
export function statusCommand(kind: Kind) {
  const name = `compliance ${groupOf[kind]} status`;
  return command(name, {
    summary: `${text} ${kind}`,
    description: `Print the compliance status of a ${kind}.`,
    options: subjectOptions[kind],
    help: [
      'Compliant means: the risk evaluation is still valid, each required assessment was ' +
        'answered and is not overdue, and no finding is open. Data that was never recorded ' +
        'counts against them.',
    ],
    examples: { [`innsigli ${name} ${subjectExample[kind]}`]: 'exit code 0 if compliant' },
    exits,
    check: (subject) => void requireSubject(kind, subject),
    call: ({ compliance }, subject) => compliance.status(kind, requireSubject(kind, subject)),
    text: printStatus,
    exit: ({ isCompliant }) => (isCompliant ? 0 : 7),
  });
}

/** The same command under its earlier name. */
export const complianceStatus = command('compliance status', {
  summary: `${text} person or business`,
  description: 'Print the compliance status of a person or business.',
  options: {
    '--business': 'a business, not a person',
    ...subjectOptions.person,
    '--name <name>': 'name of the business',
  },
  examples: {
    'innsigli compliance status --ssn 0101901239': 'exit code 0 if compliant',
    "innsigli compliance status --business --name 'Dæmi ehf.' --json": 'with requirements',
  },
  exits,
  check: (given) => void requireSubject(kindOf(given), given),
  call: ({ compliance }, given) =>
    compliance.status(kindOf(given), requireSubject(kindOf(given), given)),
  text: printStatus,
  exit: ({ isCompliant }) => (isCompliant ? 0 : 7),
});

function kindOf({ business }: { readonly business?: true | undefined }): Kind {
  return business ? 'business' : 'person';
}
