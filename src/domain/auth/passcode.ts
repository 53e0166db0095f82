import type { SequencePerson } from '../sequence/index.ts';

/** Wrong passcodes in a row before a person is locked out. */
export const passcodeTries = 5;

/** How long a person is locked out then. */
export const passcodeLockMs = 15 * 60_000;

/** Characters of a passcode. */
export const passcodeLength = { least: 4, most: 128 } as const;

/** Milliseconds until a person may try again; 0 when now. */
export function lockedForMs({ passcodeLockedUntilMs }: SequencePerson, nowMs: number): number {
  return Math.max(0, (passcodeLockedUntilMs ?? 0) - nowMs);
}

/** The person with one try used up: it is counted before it is looked at. */
export function afterTry(person: SequencePerson, nowMs: number): SequencePerson {
  const tries = person.passcodeTries + 1;
  if (tries < passcodeTries) return { ...person, passcodeTries: tries };
  return { ...person, passcodeTries: 0, passcodeLockedUntilMs: nowMs + passcodeLockMs };
}

/** The person after the right passcode. */
export function afterRightPasscode(person: SequencePerson): SequencePerson {
  const { passcodeLockedUntilMs: _over, ...rest } = person;
  return { ...rest, passcodeTries: 0 };
}
