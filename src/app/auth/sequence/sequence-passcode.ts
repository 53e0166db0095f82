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
import { giveBackTimes, takeTimes, waitError } from '../../counted-times.ts';
import type { StoreUnit } from '../../ports/index.ts';
import { isPasscode } from '../../process/index.ts';
import { type IssuedToken, requirePerson, tokenRow } from '../access-tokens.ts';
import type { AuthPorts } from '../ports.ts';

/** A passcode of a person of a sequence. */
export interface PasscodeAnswer {
  readonly sequenceKey: string;
  readonly personKey: string;
  readonly passcode: string;
  /** Address of the client; left out: this machine. */
  readonly ip?: string;
}

/**
 * Opens the documents of a person who has the passcode. A try is counted before it is looked at:
 * tries at the same time do not get around the limit.
 *
 * @throws process.not_found, error.signee.not_found
 * @throws process.passcode.not_valid when it is wrong, there is none, or the client has tried it
 *   too often
 */
export async function checkPasscode(
  ports: AuthPorts,
  answer: PasscodeAnswer,
): Promise<IssuedToken> {
  const begunAtMs = ports.now();
  const hash = await ports.store.write((unit) => beginTry(unit, answer, begunAtMs));
  if (hash === undefined || !(await isPasscode(answer.passcode, hash))) {
    throw new InnsigliError('process.passcode.not_valid', 'the passcode is incorrect');
  }
  const token = newToken(ports.random);
  const nowMs = ports.now();
  await ports.store.write(async (unit) => {
    const { sequence, person } = await requirePerson(unit, answer, 'lock');
    await forgiveTry(unit, person.key, answer.ip, begunAtMs);
    const scope = { kind: 'sequence', sequenceKey: sequence.key, personKey: person.key } as const;
    const row = tokenRow(token, sequence.companyKey, scope, nowMs);
    await unit.accessTokens.put({ ...row, isPasscode: true });
  });
  const expiresInSeconds = accessSeconds.initial;
  return { token, expiresInSeconds, expiresAtMs: nowMs + expiresInSeconds * 1000 };
}

/**
 * True where a passcode stands before a document: that of the signee, or without a signee key
 * that of any signee of the document.
 */
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

/** True for a person without a passcode, and where a login is asked for: it opens something. */
export async function loginOpens(
  unit: StoreUnit,
  sequence: Sequence,
  person: SequencePerson,
): Promise<boolean> {
  if (person.passcodeHash === undefined || sequence.requiresAuth) return true;
  return loginOpensIn(await unit.processes.findAll(sequence.processKeys), sequence, person);
}

/** As {@link loginOpens}, with the documents of the sequence. */
export function loginOpensIn(
  processes: readonly SigningProcess[],
  { requiresAuth }: Sequence,
  { passcodeHash }: SequencePerson,
): boolean {
  if (passcodeHash === undefined || requiresAuth) return true;
  return processes.some((process) => process.requiresAuth);
}

/** The error for who comes without the passcode of a person. */
export function passcodeMissing(): InnsigliError {
  return new InnsigliError('authentication.credentials.invalid', 'the person has a passcode', {
    hint: 'open the sequence with the passcode first',
  });
}

// The sequence is locked meanwhile: of tries at the same time each sees those before it.
async function beginTry(
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
  const waitMs = await takeTimes(unit, client, nowMs);
  if (waitMs > 0) {
    const hint = 'wait, or use a different network';
    throw waitError('process.passcode.not_valid', 'too many incorrect passcodes', waitMs, hint);
  }
  await unit.tallies.save(subject, withTry(all, nowMs), forgottenAtMs(spans, nowMs));
  return passcodeHash;
}

// The right passcode: the client has tried nothing, and the networks around it one less.
async function forgiveTry(
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
  await giveBackTimes(unit, wider, triedAtMs);
}

function passcodeOf(personKey: PersonKey): string {
  return `passcode of ${personKey}`;
}
