import { command, integer } from '../../command/index.ts';
import { printable } from '../../output/index.ts';
import {
  answeredText,
  groupOf,
  type Kind,
  requireSubject,
  subjectExample,
  subjectOptions,
} from './subject.ts';

const days = integer(0, 9999, 'a number of days');

/** `compliance individual show` and `compliance business show`. */
export function showCommand(kind: Kind) {
  const name = `compliance ${groupOf[kind]} show`;
  return command(name, {
    summary: `show the record of a ${kind}`,
    description: `Show the record of a ${kind} and its history.`,
    options: subjectOptions[kind],
    examples: { [`innsigli ${name} ${subjectExample[kind]}`]: 'with its changes' },
    exits: { 0: 'shown', 2: 'no subject is named', 5: 'never recorded' },
    check: (subject) => void requireSubject(kind, subject),
    call: ({ compliance }, subject) => compliance.show(kind, requireSubject(kind, subject)),
    document: ({ id: _id, companyKey: _key, changes = [], ...record }) => {
      const { nameKey: _n, contactKey: _c, emailKey: _e, phoneKey: _p, ...members } = record;
      return { record: members, changes };
    },
    text: ({ name: of, changes = [], ...record }, { console }) => {
      const { ssn, email, phoneNumber, pepFound, risk } = record;
      const facts = [of, ssn, email, phoneNumber].filter((each) => each !== undefined);
      console.result([
        printable(facts.join('  ')),
        ...(pepFound ? ['  pep found'] : []),
        ...(risk === undefined ? [] : [`  risk ${risk.level ?? 'without a level'}, ${risk.date}`]),
        ...record.requirements.map(
          ({ type, answeredDate }) => `  ${type}: ${answeredText(answeredDate)}`,
        ),
      ]);
      for (const { atMs, source, changed } of changes) {
        const names = Object.keys(changed).join(', ');
        console.note(`${new Date(atMs).toISOString()}  ${source}: ${printable(names)}`);
      }
    },
  });
}

/** `compliance individual due` and `compliance business due`. */
export function dueCommand(kind: Kind) {
  const name = `compliance ${groupOf[kind]} due`;
  const plural = kind === 'person' ? 'persons' : 'businesses';
  return command(name, {
    summary: `list ${plural} that are due`,
    description: `List ${plural} that are not compliant, or soon will not be, most urgent first.`,
    options: {
      '--within <days>': { text: 'days from today', ...days, default: '30' },
      '--fail-on-due': 'exit code 7 if the list is not empty',
    },
    examples: { [`innsigli ${name} --within 60 --json`]: 'for the next two months' },
    exits: { 0: 'listed', 2: 'a value is invalid', 7: 'the list is not empty, with --fail-on-due' },
    names: () => ({ withinDays: '--within' }),
    call: async ({ compliance }, { within }) => ({
      due: await compliance.due({ kind, withinDays: within }),
    }),
    text: ({ due }, { console }) => {
      for (const { name: of, ssn, email, phoneNumber, status } of due) {
        const who = [of, ssn ?? email ?? phoneNumber].filter((each) => each !== undefined);
        const what = status.messages.length === 0 ? ['due'] : status.messages;
        console.result(`${status.dueDate}  ${printable(who.join('  '))}  ${what.join('; ')}`);
      }
      if (due.length === 0) console.note('nothing is due');
    },
    exit: ({ due }, { failOnDue }) => (failOnDue && due.length > 0 ? 7 : 0),
  });
}
