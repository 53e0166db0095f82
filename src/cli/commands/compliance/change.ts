import { riskLevels } from '../../../domain/compliance/index.ts';
import { command, oneOf } from '../../command/index.ts';
import { groupOf, type Kind, requireSubject, subjectExample, subjectOptions } from './subject.ts';

const exits = {
  0: 'recorded',
  2: 'a value is missing or invalid',
  5: 'never recorded',
} as const;

const untilOption = {
  '--until <date>': 'last day of validity, YYYY-MM-DD',
} as const;

/** `compliance individual evaluate` and `compliance business evaluate`. */
export function evaluateCommand(kind: Kind) {
  const name = `compliance ${groupOf[kind]} evaluate`;
  return command(name, {
    summary: `record the risk of a ${kind}`,
    description: `Record that the risk of a ${kind} was evaluated today, with its level.`,
    options: {
      ...subjectOptions[kind],
      '--level <level>': { text: riskLevels.join(', '), ...oneOf(riskLevels), required: true },
      ...untilOption,
    },
    help: [
      'The level determines when the assessments and the evaluation are due again, by the ' +
        'setting compliance of the company. A politically exposed person is high risk.',
    ],
    examples: { [`innsigli ${name} ${subjectExample[kind]} --level low`]: 'valid for three years' },
    exits,
    check: (subject) => void requireSubject(kind, subject),
    call: async ({ compliance }, { level, until, ...subject }) => {
      await compliance.evaluate(kind, requireSubject(kind, subject), level, until);
      return { kind, level };
    },
    text: (_, { console }) => console.note('recorded'),
  });
}

/** Accepts a politically exposed person as a customer. */
export const acceptCommand = command('compliance individual accept', {
  summary: 'accept a politically exposed person',
  description: 'Record the decision to keep a politically exposed person as a customer.',
  options: {
    ...subjectOptions.person,
    '--reason <text>': { text: 'why, for later review', required: true },
    ...untilOption,
  },
  help: [
    'The person remains recorded as politically exposed (pep_found), which does not make them ' +
      'non-compliant until that day (default: a year from today).',
  ],
  examples: {
    "innsigli compliance individual accept --ssn 0101901239 --reason 'source of funds documented'":
      'for a year',
  },
  exits: { ...exits, 6: 'the person was not found to be politically exposed' },
  check: (subject) => void requireSubject('person', subject),
  call: async ({ compliance }, { reason, until, ...subject }) => {
    await compliance.accept(requireSubject('person', subject), reason, until);
    return { kind: 'person' };
  },
  text: (_, { console }) => console.note('recorded'),
});
