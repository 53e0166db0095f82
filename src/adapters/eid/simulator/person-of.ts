import { createHash } from 'node:crypto';
import { dialledPhone, normalPhone } from '../../../base/text/index.ts';
import {
  familyNames,
  givenNames,
  type Scenario,
  stranger,
  type TestPerson,
  testPersons,
} from './test-persons.table.ts';

/** The test person that a number belongs to. */
export interface FoundPerson {
  readonly person: TestPerson;
  /** Identity of the person who responds: the same person or a different one. */
  readonly answers: { readonly ssn: string; readonly phone: string; readonly name: string };
  readonly scenario: Scenario;
}

/** Persons of the simulator: only those of the table, or a person for any well-formed number. */
export type SimulatedPersons = 'reserved' | 'any';

/**
 * Finds the person with a phone number (`Sim`) or national number (`App`); undefined if the number
 * is malformed or unassigned. Check digits are not verified: those of the published test numbers
 * are invalid.
 */
export function findPerson(
  persons: SimulatedPersons,
  channel: 'Sim' | 'App',
  hint: string,
): FoundPerson | undefined {
  const person = channel === 'Sim' ? byPhone(persons, hint) : bySsn(persons, hint);
  if (person === undefined) return undefined;
  const { scenario } = person;
  return { person, scenario, answers: scenario === 'mismatch' ? stranger : person };
}

/** Person who responds if the provider identifies the person itself and no number is given. */
const DEFAULT_PERSON = '6000101994';

/** Finds the person with a national or phone number; {@link DEFAULT_PERSON} if it is empty. */
export function findAnywhere(persons: SimulatedPersons, hint: string): FoundPerson | undefined {
  const wanted = hint.trim() === '' ? DEFAULT_PERSON : hint;
  return findPerson(persons, 'App', wanted) ?? findPerson(persons, 'Sim', wanted);
}

/** Whether a number is in the published table of numbers that no real person has. */
export function isTestNumber(hint: string): boolean {
  const found = byPhone('reserved', hint) ?? bySsn('reserved', hint);
  return found !== undefined && testPersons.includes(found);
}

function bySsn(persons: SimulatedPersons, hint: string): TestPerson | undefined {
  const ssn = hint.replace(/[\s-]/g, '');
  if (!/^\d{10}$/.test(ssn)) return undefined;
  const known = testPersons.find((person) => person.ssn === ssn);
  return known ?? (persons === 'any' ? derived(ssn, '') : undefined);
}

function byPhone(persons: SimulatedPersons, hint: string): TestPerson | undefined {
  if (dialledPhone(hint) === undefined) return undefined;
  const digits = normalPhone(hint);
  const known = testPersons.find((person) => person.phone === digits);
  return known ?? (persons === 'any' ? derived(ssnFor(digits), digits) : undefined);
}

function derived(ssn: string, phone: string): TestPerson {
  const hash = createHash('sha256').update(`person ${ssn}`).digest();
  const given = givenNames[(hash[0] as number) % givenNames.length];
  const family = familyNames[(hash[1] as number) % familyNames.length];
  const end = (hash[0] as number) % 2 === 0 ? 'dóttir' : 'son';
  const name = `${given} ${family}${end}`;
  return { ssn, phone, name, hasSim: true, hasApp: true, scenario: 'success' };
}

/** A national number for a phone number not in the table. Serial number 10 is never assigned. */
function ssnFor(phone: string): string {
  const hash = createHash('sha256').update(`phone ${phone}`).digest();
  const two = (value: number): string => String(value).padStart(2, '0');
  const day = two(1 + ((hash[0] as number) % 28));
  const month = two(1 + ((hash[1] as number) % 12));
  const year = two(40 + ((hash[2] as number) % 60));
  return `${day}${month}${year}10${(hash[3] as number) % 10}9`;
}
