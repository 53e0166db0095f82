import type { SigningProcess } from '../process/index.ts';
import type { Activity } from './activity.ts';
import type { ChainFault } from './chain.ts';
import { findContentsDifference, findTermsDifference } from './logged-contents.ts';
import { loggedStatus } from './statuses.ts';

/** First row that the process contradicts, and the kind of difference. */
interface ProcessDifference {
  readonly seq: number;
  readonly fault: ChainFault;
}

/**
 * Returns the first difference between a process and its log; undefined if they agree. No hash
 * covers the process, so every part that matters as evidence is compared with the rows. A log that
 * does not start with the creation of the process contains too little to compare.
 */
export function findDifference(
  rows: readonly Activity[],
  process: SigningProcess,
): ProcessDifference | undefined {
  const [first] = rows;
  if (first?.status !== 'Created') return undefined;
  const last = rows.length;
  const foreign = rows.find((row) => !isOf(row, process));
  if (foreign !== undefined) return { seq: foreign.seq, fault: 'row.foreign' };
  // Earlier versions wrote no digests, and a creation time that may differ from the process's.
  if (first.digests !== undefined && first.createdAtMs !== process.createdAtMs) {
    return { seq: 1, fault: 'process.changed' };
  }
  if (loggedStatus(rows) !== process.status) return { seq: last, fault: 'status.changed' };
  const time = findTermsDifference(rows, process);
  if (time !== undefined) return { seq: time, fault: 'process.changed' };
  if (!isPurgeConsistent(rows, process)) return { seq: last, fault: 'process.changed' };
  const signee = findSigneeDifference(rows, process);
  if (signee !== undefined) return { seq: signee, fault: 'signee.changed' };
  const seq = findContentsDifference(rows, process);
  return seq === undefined ? undefined : { seq, fault: 'document.changed' };
}

function isOf(row: Activity, process: SigningProcess): boolean {
  const { companyKey, flowKey, sequenceKey } = row;
  const isSame = companyKey === process.companyKey && flowKey === process.flowKey;
  return isSame && sequenceKey === process.sequenceKey;
}

/**
 * Whether process and log agree on the purge. A purged process has a row that records it, and has
 * none of the data that a purge removes.
 */
function isPurgeConsistent(rows: readonly Activity[], process: SigningProcess): boolean {
  const { purgedAtMs, original, document, attachments, signees } = process;
  const isPurged = rows.some(({ status }) => status === 'Purged');
  if ((purgedAtMs !== undefined) !== isPurged) return false;
  if (!isPurged) return true;
  const isEmpty = original === undefined && document === undefined && attachments.length === 0;
  return isEmpty && signees.every(({ name, ssn }) => name === '' && ssn === undefined);
}

/** The row at which the signees, or those who signed or declined, differ from the process. */
function findSigneeDifference(
  rows: readonly Activity[],
  { signees }: SigningProcess,
): number | undefined {
  const last = rows.length;
  const keys = new Set<string>(signees.map(({ key }) => key));
  if (keys.size !== signees.length) return last;
  const rowsBySignee = (status: string) =>
    new Map(rows.flatMap((row) => (row.status === status ? [[row.signeeKey ?? '', row.seq]] : [])));
  const added = rowsBySignee('SigneeAdded');
  for (const [key, seq] of added) if (!keys.has(key)) return seq;
  if (added.size !== keys.size) return last;
  for (const [state, status] of [
    ['Signed', 'SigneeSigned'],
    ['Declined', 'SigneeDeclined'],
  ] as const) {
    const rowOf = rowsBySignee(status);
    const done = signees.filter((signee) => signee.state === state);
    if (done.some(({ key }) => !rowOf.has(key))) return last;
    const [missing] = [...rowOf].filter(([key]) => !done.some((signee) => signee.key === key));
    if (missing !== undefined) return missing[1];
  }
  return undefined;
}
