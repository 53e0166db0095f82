import { scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { isSameSecret } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import { limits } from '../../base/limits.ts';
import { passcodeLength } from '../../domain/auth/index.ts';
import type { RandomBytes } from '../../domain/keys.ts';
import type { NewProcess } from '../../domain/process/index.ts';
import type { SequencePerson } from '../../domain/sequence.ts';
import type { SigneeRequest } from './build-signees.ts';

const derive = promisify(scrypt) as (
  password: string,
  salt: Uint8Array,
  bytes: number,
) => Promise<Buffer>;
const BYTES = 32;
const SALT_BYTES = 16;

/** Tail of the queue of hashes: one at a time, as files and logins share the pool's few threads. */
let turn: Promise<unknown> = Promise.resolve();

function runQueued<T>(work: () => Promise<T>): Promise<T> {
  const own = turn.then(work);
  turn = own.catch(() => undefined);
  return own;
}

/** Hashes a passcode with scrypt and a new salt. Returns `salt:hash`, both hexadecimal. */
export async function hashPasscode(passcode: string, random: RandomBytes): Promise<string> {
  const salt = Buffer.from(random(SALT_BYTES));
  const hash = await derive(passcode.normalize('NFKC'), salt, BYTES);
  return `${salt.toString('hex')}:${hash.toString('hex')}`;
}

/** Whether `passcode` matches a hash created by {@link hashPasscode}. */
export async function isPasscode(passcode: string, hash: string): Promise<boolean> {
  if (passcode.length > passcodeLength.most) return false;
  const [salt, expected] = hash.split(':').map((part) => Buffer.from(part, 'hex'));
  if (salt === undefined || expected === undefined) return false;
  const found = await derive(passcode.normalize('NFKC'), salt, BYTES);
  return isSameSecret(expected, found);
}

/**
 * Returns the persons of a new sequence with the passcodes set for their signees.
 *
 * @throws validation.error if a passcode is too short or too long, or a person has two different
 * ones
 * @throws limit.exceeded
 */
export async function withPasscodes(
  persons: readonly SequencePerson[],
  requests: readonly { readonly signees: readonly SigneeRequest[] }[],
  newProcesses: readonly Pick<NewProcess, 'signees'>[],
  random: RandomBytes,
): Promise<readonly SequencePerson[]> {
  const bySignee = new Map<string, string>();
  requests.forEach(({ signees }, at) => {
    signees.forEach(({ passcode }, index) => {
      const key = newProcesses[at]?.signees[index]?.key;
      if (passcode === undefined || passcode === '' || key === undefined) return;
      requireLongEnough(passcode);
      bySignee.set(key, passcode);
    });
  });
  const found = persons.map(({ signingKeys }) => {
    const codes = new Set(signingKeys.flatMap(({ signeeKey }) => bySignee.get(signeeKey) ?? []));
    if (codes.size > 1) invalid('passcode', 'expected one for a person, found different ones');
    return [...codes][0];
  });
  if (found.filter((code) => code !== undefined).length > limits.passcodes) {
    throw new InnsigliError('limit.exceeded', `expected at most ${limits.passcodes} passcodes`);
  }
  const hashed: SequencePerson[] = [];
  for (const [at, person] of persons.entries()) {
    const code = found[at];
    if (code === undefined) hashed.push(person);
    else
      hashed.push({ ...person, passcodeHash: await runQueued(() => hashPasscode(code, random)) });
  }
  return hashed;
}

// Whitespace and invisible characters are not secret and do not count.
function requireLongEnough(passcode: string): void {
  const { least, most } = passcodeLength;
  const counted = [...passcode.normalize('NFKC').replace(/[\s\p{C}\p{Z}]+/gu, '')].length;
  if (counted >= least && passcode.length <= most) return;
  invalid('passcode', `expected ${least} to ${most} characters besides blanks, found ${counted}`);
}

/** Rejects passcodes for a document outside a sequence. @throws validation.error */
export function requireNoPasscode(signees: readonly SigneeRequest[]): void {
  const at = signees.findIndex(({ passcode }) => passcode !== undefined && passcode !== '');
  if (at < 0) return;
  invalid(`signees[${at}].passcode`, 'only signees of a sequence have a passcode');
}
