import { CoreError } from '../../base/errors.ts';
import { type Activity, type PersonalValue, verifyChain } from '../../domain/activity/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { StoreUnit } from '../ports/index.ts';

/** A row of the log with the personal data that is not erased. */
export interface ActivityEntry extends Omit<Activity, 'commitments'> {
  /** Who did it: the address or name of a person as long as it is not erased, then `User`. */
  readonly createdBy: string;
  readonly fileName?: string;
  readonly commitments: Activity['commitments'];
  /** By name, such as `ip` and `userAgent`. */
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
 * The log of a process, of which nothing was changed since it was written: for what vouches for
 * the log, such as evidence.
 *
 * @throws activity.chain.broken naming the first row that does not hold
 */
export async function requireActivity(
  unit: StoreUnit,
  key: ProcessKey,
): Promise<readonly ActivityEntry[]> {
  const rows = await unit.activity.rows(key);
  const personal = await unit.activity.personal(key);
  const verdict = verifyChain(key, rows, personal);
  if (!verdict.isIntact) {
    const { seq, fault } = verdict;
    throw new CoreError('activity.chain.broken', `the log of ${key} is broken at row ${seq}`, {
      details: { processKey: key, seq, fault },
      hint: 'innsigli activity verify names what was changed',
    });
  }
  return rows.map((row) => entryOf(row, personal.get(row.seq) ?? []));
}

/** `row` with its personal values. */
export function entryOf(row: Activity, values: readonly PersonalValue[]): ActivityEntry {
  if (values.length === 0) return { ...row, personal: nothing };
  const personal: Record<string, string> = Object.create(null);
  let { createdBy, fileName } = row;
  for (const { name, value } of values) {
    if (name === 'createdBy') createdBy = value;
    else if (name === 'fileName') fileName = value;
    else personal[name] = value;
  }
  return { ...row, createdBy, ...(fileName === undefined ? {} : { fileName }), personal };
}

const nothing: ActivityEntry['personal'] = Object.freeze(Object.create(null));
