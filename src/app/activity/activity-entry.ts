import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { type Activity, openedValues, type PersonalValue } from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { findFault } from './verify/chain-walk.ts';

/** A row of the log with the personal data that is not erased. */
export interface ActivityEntry extends Omit<Activity, 'commitments'> {
  /** Actor: the address or name of a person until it is erased, then `User`. */
  readonly createdBy: string;
  readonly fileName?: string;
  readonly commitments: Activity['commitments'];
  /** Personal values by name, such as `ip` and `userAgent`. */
  readonly personal: Readonly<Record<string, string>>;
}

/** The logs of processes for readers: oldest first, personal values put back in their places. */
export async function readActivities(
  unit: StoreUnit,
  keys: readonly ProcessKey[],
): Promise<ReadonlyMap<ProcessKey, readonly ActivityEntry[]>> {
  const rows = await unit.activity.rowsOf(keys);
  const personal = await unit.activity.personalOf(keys);
  return new Map(
    [...rows].map(([key, own]) => {
      const values = personal.get(key);
      return [key, own.map((row) => entryOf(row, values?.get(row.seq) ?? []))];
    }),
  );
}

/**
 * The log of a process that holds, and that tells of the process as it is now: for what vouches
 * for the log, such as evidence.
 *
 * @throws activity.chain.broken naming the first row that does not hold
 */
export async function requireActivity(
  unit: StoreUnit,
  process: SigningProcess,
): Promise<readonly ActivityEntry[]> {
  const { key } = process;
  const { rows, personal, finding } = await checked(unit, process);
  if (finding !== undefined) {
    const { seq, fault } = finding;
    const message = `the log of ${key} is broken at row ${seq}: ${fault}`;
    throw new InnsigliError('activity.chain.broken', message, {
      details: { processKey: key, seq, fault },
      hint: 'run innsigli activity verify to see the change',
    });
  }
  return rows.map((row) => entryOf(row, personal.get(row.seq) ?? []));
}

/** True if {@link requireActivity} would return the log. */
export async function holdsActivity(unit: StoreUnit, process: SigningProcess): Promise<boolean> {
  return (await checked(unit, process)).finding === undefined;
}

async function checked(unit: StoreUnit, process: SigningProcess) {
  const { key, companyKey } = process;
  const rows = await unit.activity.rows(key);
  const personal = await unit.activity.personal(key);
  const values = openedValues(rows, personal, process);
  return { rows, personal, finding: findFault(key, rows, values, { companyKey }, process) };
}

/**
 * The description of a row in words, with the person who logged in and the one named by the sender
 * or a link.
 */
export function toldDescription({ description, personal }: ActivityEntry): string | undefined {
  const { loginName, loginNumber, senderName, linkName, reason } = personal;
  // The reason for a cancellation or block is personal data: it can be erased.
  if (loginName === undefined) return description ?? reason;
  const sender = senderName === undefined ? '' : `; the sender named ${senderName}`;
  const link = linkName === undefined ? '' : `; a link named ${linkName}`;
  const who = `${loginName}, ${loginNumber ?? ''}${sender}${link}`;
  return description === undefined ? who : `${description}: ${who}`;
}

/** `row` with its personal values. */
export function entryOf(row: Activity, values: readonly PersonalValue[]): ActivityEntry {
  if (values.length === 0) return { ...row, personal: nothing };
  const personal: Record<string, string> = Object.create(null);
  let { createdBy, fileName } = row;
  for (const { name, value } of values) {
    if (name === 'createdBy') createdBy = value ?? createdBy;
    else if (name === 'fileName') fileName = value ?? fileName;
    // Data of a signee in the process is shown with the process.
    else if (value !== undefined) personal[name] = value;
  }
  return { ...row, createdBy, ...defined({ fileName }), personal };
}

const nothing: ActivityEntry['personal'] = Object.freeze(Object.create(null));
