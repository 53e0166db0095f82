import { CoreError } from '../../base/errors.ts';
import {
  accessSeconds,
  afterRightPasscode,
  afterTry,
  lockedForMs,
} from '../../domain/auth/index.ts';
import type { Sequence, SequencePerson } from '../../domain/sequence/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { isPasscode } from '../process/index.ts';
import { type IssuedToken, requirePerson, tokenRow } from './access-tokens.ts';
import type { AuthPorts } from './ports.ts';
import { newToken } from './secret-token.ts';

/** A passcode of a person of a sequence. */
export interface PasscodeAnswer {
  readonly sequenceKey: string;
  readonly personKey: string;
  readonly passcode: string;
}

/**
 * Opens the documents of a person who has the passcode. A try is counted before it is looked at:
 * tries at the same time do not get around the limit.
 *
 * @throws process.not_found, error.signee.not_found
 * @throws process.passcode.not_valid when it is wrong, there is none, or it was tried too often
 */
export async function checkPasscode(
  ports: AuthPorts,
  answer: PasscodeAnswer,
): Promise<IssuedToken> {
  const hash = await ports.store.write((unit) => countTry(unit, answer, ports.now()));
  if (hash === undefined || !(await isPasscode(answer.passcode, hash))) {
    throw new CoreError('process.passcode.not_valid', 'the passcode is wrong');
  }
  const token = newToken(ports.random);
  const nowMs = ports.now();
  await ports.store.write(async (unit) => {
    const { sequence, person } = await requirePerson(unit, answer, 'lock');
    await savePerson(unit, sequence, afterRightPasscode(person));
    const scope = { kind: 'sequence', sequenceKey: sequence.key, personKey: person.key } as const;
    await unit.accessTokens.put(tokenRow(token, sequence.companyKey, scope, nowMs));
  });
  const expiresInSeconds = accessSeconds.initial;
  return { token, expiresInSeconds, expiresAtMs: nowMs + expiresInSeconds * 1000 };
}

async function countTry(
  unit: StoreUnit,
  answer: PasscodeAnswer,
  nowMs: number,
): Promise<string | undefined> {
  const { sequence, person } = await requirePerson(unit, answer, 'lock');
  const { passcodeHash } = person;
  if (passcodeHash === undefined) return undefined;
  const waitMs = lockedForMs(person, nowMs);
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new CoreError('process.passcode.not_valid', 'too many wrong passcodes', {
      details: { retryAfterSeconds },
      hint: 'wait until the lock is over',
    });
  }
  await savePerson(unit, sequence, afterTry(person, nowMs));
  return passcodeHash;
}

async function savePerson(
  unit: StoreUnit,
  sequence: Sequence,
  next: SequencePerson,
): Promise<void> {
  const persons = sequence.persons.map((each) => (each.key === next.key ? next : each));
  const isSaved = await unit.sequences.save({ ...sequence, rev: sequence.rev + 1, persons });
  if (!isSaved) throw new CoreError('process.conflict', 'the sequence was changed meanwhile');
}
