import {
  areAllSigned,
  attachmentDigest,
  purgedOnRequest,
  retainedUntilMs,
  type SigningProcess,
  systemActor,
} from '../process/index.ts';
import type { Activity } from './activity.ts';
import { isWrittenAt } from './row.ts';
import { endings } from './statuses.ts';

type Contents = Pick<
  SigningProcess,
  'original' | 'document' | 'attachments' | 'signees' | 'finalization' | 'purgedAtMs'
>;

/**
 * Digests of every blob that the process ever had, according to its log: the document at each step,
 * attachments and evidence. Undefined if rows of earlier versions have no digests.
 */
export function loggedContents(rows: readonly Activity[]): readonly string[] | undefined {
  if (rows[0]?.digests === undefined) return undefined;
  return [...new Set(rows.flatMap(({ digests = {} }) => Object.values(digests)))];
}

/** Digests of the blobs that were deleted when the process was purged. */
export function purgedContents(rows: readonly Activity[]): readonly string[] {
  return Object.values(rows.find(({ status }) => status === 'Purged')?.digests ?? {});
}

/**
 * Returns the first row from which the digests of the process differ from those in its log;
 * undefined if they agree. Rows of earlier versions have no digests, and neither has a purged
 * process.
 */
export function findContentsDifference(
  rows: readonly Activity[],
  process: Contents,
): number | undefined {
  if (process.purgedAtMs !== undefined) return undefined;
  const withDigests = rows.filter(({ digests }) => digests !== undefined);
  const [first] = withDigests;
  const newest = withDigests.at(-1);
  if (first === undefined || newest === undefined) return undefined;
  return (
    otherDocument(withDigests, process) ??
    otherSignature(withDigests, process) ??
    otherAttachment(withDigests, first.status === 'Created', process)
  );
}

function otherDocument(
  told: readonly Activity[],
  { original, document, finalization }: Contents,
): number | undefined {
  const made = told.find(({ status, digests }) => status === 'Created' && digests?.['document']);
  if (made !== undefined && made.digests?.['document'] !== original?.sha256) return made.seq;
  const newest = told.findLast(({ digests }) => digests?.['document'] !== undefined);
  if (newest === undefined) return undefined;
  if (newest.digests?.['document'] !== document?.sha256) return newest.seq;
  const isOther = newest.digests?.['before'] !== finalization.signedSha256;
  return newest.status === 'Completed' && isOther ? newest.seq : undefined;
}

function otherSignature(told: readonly Activity[], { signees }: Contents): number | undefined {
  const row = told.find(({ status, signeeKey, digests }) => {
    if (status !== 'SigneeSigned') return false;
    const signee = signees.find(({ key }) => key === signeeKey);
    return signee?.proof?.signedSha256 !== digests?.['before'];
  });
  return row?.seq;
}

/** @param isAll the rows list every attachment, not only later ones */
function otherAttachment(
  told: readonly Activity[],
  isAll: boolean,
  { attachments }: Contents,
): number | undefined {
  const expected = new Map<string, { readonly sha256: string; readonly seq: number }>();
  for (const { seq, status, digests = {} } of told) {
    for (const [name, sha256] of Object.entries(digests)) {
      if (!name.startsWith(attachmentDigest)) continue;
      const key = name.slice(attachmentDigest.length);
      if (status === 'AttachmentDeleted') expected.delete(key);
      else expected.set(key, { sha256, seq });
    }
  }
  const found = new Map<string, string>(
    attachments.map(({ key, document }) => [key, document.sha256]),
  );
  // If attachments share a key, the reader of the process uses the first, but a map the last.
  if (found.size !== attachments.length) return told.at(-1)?.seq;
  for (const [key, { sha256, seq }] of expected) if (found.get(key) !== sha256) return seq;
  const isMore = isAll && [...found.keys()].some((key) => !expected.has(key));
  return isMore ? told.at(-1)?.seq : undefined;
}

/**
 * Returns the row from which the terms of the process, its end or its purge differ from those in
 * its log; undefined if they agree. Rows of earlier versions have no terms.
 */
export function findTermsDifference(
  rows: readonly Activity[],
  process: SigningProcess,
): number | undefined {
  return otherTerms(rows, process) ?? otherEnd(rows, process) ?? earlyPurge(rows, process);
}

function otherTerms(rows: readonly Activity[], process: SigningProcess): number | undefined {
  const { policy, expiresAtMs } = process;
  const kept = rows.findLast(({ terms }) => terms?.retentionDays !== undefined);
  if (kept !== undefined && kept.terms?.retentionDays !== policy.retentionDays) return kept.seq;
  const last = rows.findLast(
    ({ status, terms }) => status === 'Extended' || terms?.expiresAtMs !== undefined,
  );
  const told = last?.terms?.expiresAtMs;
  return told === undefined || told === expiresAtMs ? undefined : last?.seq;
}

function otherEnd(rows: readonly Activity[], process: SigningProcess): number | undefined {
  const { phase, endedAtMs } = process;
  const end = rows.findLast(({ status }) => endings.includes(status));
  if (end !== undefined) {
    return phase === 'Done' && isWrittenAt(end, endedAtMs) ? undefined : end.seq;
  }
  const isFinalizing = phase === 'Finalizing' || phase === 'FinalizeFailed';
  const isOther = phase === 'Done' || endedAtMs !== undefined;
  return isOther || (isFinalizing && !areAllSigned(process)) ? rows.length : undefined;
}

/** Sequence number of a row that purges the process before its retention period ends, if any. */
function earlyPurge(rows: readonly Activity[], process: SigningProcess): number | undefined {
  const { endedAtMs = 0 } = process;
  const purged = rows.find(({ status }) => status === 'Purged');
  const hasTerms = rows[0]?.terms?.retentionDays !== undefined;
  if (purged?.createdBy !== systemActor || !hasTerms) return undefined;
  if (purged.description?.startsWith(purgedOnRequest)) return undefined;
  return purged.createdAtMs < retainedUntilMs(process, endedAtMs) ? purged.seq : undefined;
}
