import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { type Activity, openedValues, type PersonalValue } from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { findFault } from './verify/chain-walk.ts';

/** A row of the log with its personal values, as far as they are not erased. */
export interface ActivityEntry extends Omit<Activity, 'commitments'> {
  /** Actor: the address or name of a person; `User` once it is erased. */
  readonly createdBy: string;
  readonly fileName?: string;
  readonly commitments: Activity['commitments'];
  /** Personal values by name, such as `ip` and `userAgent`. */
  readonly personal: Readonly<Record<string, string>>;
}

/** Reads the logs of processes for display: oldest row first, with personal values filled in. */
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
 * Returns the log of a process after checking that its chain is intact and matches the current
 * state of the process. For records that attest the log, such as evidence.
 *
 * @throws activity.chain.broken naming the first row that fails verification
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

/** Whether {@link requireActivity} would return the log. */
export async function isActivityIntact(unit: StoreUnit, process: SigningProcess): Promise<boolean> {
  return (await checked(unit, process)).finding === undefined;
}

async function checked(unit: StoreUnit, process: SigningProcess) {
  const { key, companyKey } = process;
  const rows = await unit.activity.rows(key);
  const personal = await unit.activity.personal(key);
  const values = openedValues(rows, personal, process);
  return { rows, personal, finding: findFault(key, rows, values, { companyKey }, process) };
}

/** A row's description as text, with the person who logged in and the sender's or link's name. */
export function descriptionText({ description, personal }: ActivityEntry): string | undefined {
  const { loginName, loginNumber, senderName, linkName, reason } = personal;
  // The reason for a cancellation or block is personal data: it can be erased.
  if (loginName === undefined) return description ?? reason;
  const sender = senderName === undefined ? '' : `; the sender named ${senderName}`;
  const link = linkName === undefined ? '' : `; a link named ${linkName}`;
  const who = `${loginName}, ${loginNumber ?? ''}${sender}${link}`;
  return description === undefined ? who : `${description}: ${who}`;
}

/** Returns `row` with its personal values filled in. */
export function entryOf(row: Activity, values: readonly PersonalValue[]): ActivityEntry {
  if (values.length === 0) return { ...row, personal: nothing };
  const personal: Record<string, string> = Object.create(null);
  let { createdBy, fileName } = row;
  for (const { name, value } of values) {
    if (name === 'createdBy') createdBy = value ?? createdBy;
    else if (name === 'fileName') fileName = value ?? fileName;
    // An absent value belongs to a signee and is shown with the process.
    else if (value !== undefined) personal[name] = value;
  }
  return { ...row, createdBy, ...defined({ fileName }), personal };
}

const nothing: ActivityEntry['personal'] = Object.freeze(Object.create(null));
