import { InnsigliError } from '../../../base/errors.ts';
import {
  accessSeconds,
  triesOfAll,
  triesOfClient,
  withoutTry,
  withTry,
} from '../../../domain/auth/index.ts';
import { newToken, type PersonKey } from '../../../domain/keys.ts';
import { forgottenAtMs } from '../../../domain/login-bounds.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import type { Sequence, SequencePerson } from '../../../domain/sequence.ts';
import { countEvent, rateLimitError, revertCount } from '../../counted-times.ts';
import type { StoreUnit } from '../../ports/index.ts';
import { isPasscode } from '../../process/index.ts';
import { type IssuedToken, requirePerson, tokenRow } from '../access-tokens.ts';
import type { AuthPorts } from '../ports.ts';

/** A passcode submitted for a person of a sequence. */
export interface PasscodeAnswer {
  readonly sequenceKey: string;
  readonly personKey: string;
  readonly passcode: string;
  /** Address of the client. Absent: this machine. */
  readonly ip?: string;
}

/**
 * Checks the passcode of a person and grants access to their documents. An attempt is counted
 * before it is checked, so that concurrent attempts cannot exceed the limit.
 *
 * @throws process.not_found, error.signee.not_found
 * @throws process.passcode.not_valid if it is wrong, there is none, or the client has made too
 *   many attempts
 */
export async function checkPasscode(
  ports: AuthPorts,
  answer: PasscodeAnswer,
): Promise<IssuedToken> {
  const begunAtMs = ports.now();
  const hash = await ports.store.write((unit) => countAttempt(unit, answer, begunAtMs));
  if (hash === undefined || !(await isPasscode(answer.passcode, hash))) {
    throw new InnsigliError('process.passcode.not_valid', 'the passcode is incorrect');
  }
  const token = newToken(ports.random);
  const nowMs = ports.now();
  await ports.store.write(async (unit) => {
    const { sequence, person } = await requirePerson(unit, answer, 'lock');
    await resetAttempts(unit, person.key, answer.ip, begunAtMs);
    const scope = { kind: 'sequence', sequenceKey: sequence.key, personKey: person.key } as const;
    const row = tokenRow(token, sequence.companyKey, scope, nowMs);
    await unit.accessTokens.put({ ...row, isPasscode: true });
  });
  const expiresInSeconds = accessSeconds.initial;
  return { token, expiresInSeconds, expiresAtMs: nowMs + expiresInSeconds * 1000 };
}

/** Whether a passcode protects the document: the signee's or, without a key, that of any signee. */
export async function asksPasscode(
  unit: StoreUnit,
  { key, sequenceKey }: Pick<SigningProcess, 'key' | 'sequenceKey'>,
  signeeKey?: string,
): Promise<boolean> {
  const sequence = sequenceKey === undefined ? undefined : await unit.sequences.find(sequenceKey);
  const closed = sequence?.persons.filter(({ passcodeHash }) => passcodeHash !== undefined) ?? [];
  return closed.some(({ signingKeys }) =>
    signingKeys.some(
      (place) =>
        place.processKey === key && (signeeKey === undefined || place.signeeKey === signeeKey),
    ),
  );
}

/** Whether a login grants access to a person: true without passcode, or if a login is required. */
export async function loginGrantsAccess(
  unit: StoreUnit,
  sequence: Sequence,
  person: SequencePerson,
): Promise<boolean> {
  if (person.passcodeHash === undefined || sequence.requiresAuth) return true;
  return loginGrantsAccessIn(await unit.processes.findAll(sequence.processKeys), sequence, person);
}

/** Like {@link loginGrantsAccess}, with the documents of the sequence. */
export function loginGrantsAccessIn(
  processes: readonly SigningProcess[],
  { requiresAuth }: Sequence,
  { passcodeHash }: SequencePerson,
): boolean {
  if (passcodeHash === undefined || requiresAuth) return true;
  return processes.some((process) => process.requiresAuth);
}

/** The error for a caller without the required passcode of a person. */
export function passcodeMissing(): InnsigliError {
  return new InnsigliError('authentication.credentials.invalid', 'the person has a passcode', {
    hint: 'open the sequence with the passcode first',
  });
}

// The sequence is locked: each of several concurrent attempts sees the earlier ones.
async function countAttempt(
  unit: StoreUnit,
  answer: PasscodeAnswer,
  nowMs: number,
): Promise<string | undefined> {
  const { person } = await requirePerson(unit, answer, 'lock');
  const { passcodeHash } = person;
  if (passcodeHash === undefined) return undefined;
  const { subject, spans } = triesOfAll(passcodeOf(person.key));
  const all = await unit.tallies.lock(subject);
  const client = triesOfClient(passcodeOf(person.key), answer.ip, all, nowMs);
  const waitMs = await countEvent(unit, client, nowMs);
  if (waitMs > 0) {
    const hint = 'wait, or use a different network';
    throw rateLimitError(
      'process.passcode.not_valid',
      'too many incorrect passcodes',
      waitMs,
      hint,
    );
  }
  await unit.tallies.save(subject, withTry(all, nowMs), forgottenAtMs(spans, nowMs));
  return passcodeHash;
}

// Correct passcode: resets the client's attempts, and subtracts one from its networks'.
async function resetAttempts(
  unit: StoreUnit,
  personKey: PersonKey,
  ip: string | undefined,
  triedAtMs: number,
): Promise<void> {
  const { subject, spans } = triesOfAll(passcodeOf(personKey));
  const all = await unit.tallies.lock(subject);
  const [own, ...wider] = triesOfClient(passcodeOf(personKey), ip, all, triedAtMs);
  await unit.tallies.save(subject, withoutTry(all), forgottenAtMs(spans, triedAtMs));
  if (own !== undefined) {
    const nothing = { timesMs: [], open: [] };
    await unit.tallies.save(own.subject, nothing, forgottenAtMs(own.spans, triedAtMs));
  }
  await revertCount(unit, wider, triedAtMs);
}

function passcodeOf(personKey: PersonKey): string {
  return `passcode of ${personKey}`;
}
