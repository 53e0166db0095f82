import { type ComplianceQuery, isEmail, isPhone } from '../../../app/compliance/index.ts';
import type { ComplianceRecord, ComplianceStatus } from '../../../domain/compliance/index.ts';
import { digitsOf } from '../../../domain/person/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import { printable } from '../../output/index.ts';

/** Kind of the subject of a record. */
export type Kind = ComplianceRecord['kind'];

/** Name of the command group for these records. */
export const groupOf = { person: 'individual', business: 'business' } as const;

/** States when a requirement was answered. */
export function answeredText(date: string | undefined): string {
  return date === undefined ? 'never answered' : `answered ${date}`;
}

/** Options that name the subject of a record. */
export const subjectOptions = {
  person: {
    '--ssn <number>': 'national number',
    '--email <address>': 'e-mail address, alone or with --phone',
    '--phone <number>': 'phone number, alone or with --email',
  },
  business: {
    '--ssn <number>': 'national number',
    '--name <name>': 'name of the business, if unique',
  },
} as const;

/** An example of {@link subjectOptions}. */
export const subjectExample = {
  person: '--ssn 0101901239',
  business: "--name 'Dæmi ehf.'",
} as const;

/** Values of {@link subjectOptions}. */
export type Subject = {
  readonly [Name in keyof ComplianceQuery]: string | undefined;
};

const isNone = (value = '', isOne: (text: string) => boolean) =>
  value.trim() !== '' && !isOne(value);

/** Returns the options that identify the subject. @throws usage.invalid if none does */
export function requireSubject(kind: Kind, given: Subject): ComplianceQuery {
  const { ssn = '', email, phone, name } = given;
  const own = kind === 'person' ? { ssn, email, phone } : { ssn, name };
  const foreign = kind === 'person' ? { name } : { email, phone };
  for (const [option, value] of Object.entries(foreign)) {
    if (value !== undefined) refuseUsage(`--${option} does not identify a ${kind}`);
  }
  // A record cannot contain any other value.
  if (isNone(email, isEmail)) refuseUsage('--email: expected an e-mail address');
  if (isNone(phone, isPhone)) refuseUsage('--phone: expected a phone number');
  if (ssn.trim() !== '' && digitsOf(ssn).length !== 10) refuseUsage('--ssn: expected ten digits');
  if (Object.values(own).some((value = '') => value.trim() !== '')) return own;
  const names = Object.keys(own).map((option) => `--${option}`);
  const list = `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`;
  return refuseUsage(`expected ${list}, found none`);
}

/** Prints a status: the conclusion and what is missing, then the dates it is based on. */
export function printStatus(status: ComplianceStatus, { console }: CommandContext): void {
  const { isCompliant, messages, requirements, riskLevel, dueDate } = status;
  console.result([
    isCompliant ? 'compliant' : 'not compliant',
    ...messages.map((message) => `  ${printable(message)}`),
  ]);
  for (const { type, answeredDate, nextDate } of requirements) {
    const due = nextDate === undefined ? '' : `, due ${nextDate}`;
    console.note(`${type}: ${answeredText(answeredDate)}${due}`);
  }
  if (isCompliant) console.note(`until ${dueDate} (periods of ${riskLevel} risk)`);
}
