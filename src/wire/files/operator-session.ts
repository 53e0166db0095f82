import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isRecord } from '../../base/input.ts';

/** Session of the operator at this data directory. It is logged and grants no permission. */
export interface OperatorSession {
  /** Name as stated by the provider. */
  readonly name: string;
  /** Method and provider: `app simulator`. */
  readonly method: string;
  /** True if a test person logged in, which proves nothing. */
  readonly isSimulated: boolean;
  readonly companyKey: string;
  /** Epoch milliseconds. */
  readonly loggedInAtMs: number;
  readonly expiresAtMs: number;
}

/**
 * State of a session. `foreign`: not used, because it is of a different directory or company, is
 * unreadable, or is accessible to others.
 */
export type FoundOperator =
  | { readonly state: 'none' }
  | { readonly state: 'foreign'; readonly why: string }
  | { readonly state: 'expired' | 'open'; readonly session: OperatorSession };

const BYTES_MAX = 4096;

/** Returns the session of the data directory for the company of a service at this time. */
export function findOperator(
  dataDir: string,
  service: { readonly company: { readonly key: string } },
  nowMs: number,
): FoundOperator {
  const path = fileOf(dataDir);
  let held: OperatorSession & { readonly dataDir: string };
  try {
    const stats = lstatSync(path);
    if (!stats.isFile() || stats.size > BYTES_MAX) return foreign('it is not an operator file');
    if ((stats.mode & 0o077) !== 0) return foreign('other users can read or write it');
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (!isSession(value)) return foreign('it is damaged');
    held = value;
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return isAbsent ? { state: 'none' } : foreign('it cannot be read');
  }
  const { dataDir: madeFor, ...session } = held;
  if (madeFor !== realpathSync(dataDir))
    return foreign('it was created for a different data directory');
  if (session.companyKey !== service.company.key)
    return foreign('it was created for a different company');
  const isOpen = nowMs < session.expiresAtMs && nowMs >= session.loggedInAtMs;
  return { state: isOpen ? 'open' : 'expired', session };
}

/** Stores a session in a file that only its owner can read. */
export async function writeOperator(dataDir: string, session: OperatorSession): Promise<void> {
  const { writeWhole } = await import('../../adapters/write-whole.ts');
  const held = { ...session, dataDir: realpathSync(dataDir) };
  await writeWhole(fileOf(dataDir), Buffer.from(`${JSON.stringify(held)}\n`));
}

/** Removes the session. */
export async function removeOperator(dataDir: string): Promise<void> {
  await rm(fileOf(dataDir), { force: true });
}

/** Name of the operator in the log. */
export function operatorName({ name, isSimulated }: OperatorSession): string {
  const plain = name.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ').slice(0, 120);
  return isSimulated ? `${plain} (operator, TEST)` : `${plain} (operator)`;
}

function fileOf(dataDir: string): string {
  return join(dataDir, 'operator.json');
}

function foreign(why: string): FoundOperator {
  return { state: 'foreign', why };
}

function isSession(value: unknown): value is OperatorSession & { readonly dataDir: string } {
  if (!isRecord(value)) return false;
  const texts = ['name', 'method', 'companyKey', 'dataDir'].map((member) => value[member]);
  const times = ['loggedInAtMs', 'expiresAtMs'].map((member) => value[member]);
  const isTyped = typeof value['isSimulated'] === 'boolean';
  const areTexts = texts.every((each) => typeof each === 'string');
  return isTyped && areTexts && times.every((each) => Number.isSafeInteger(each));
}
