import { codeOf } from '../../base/errors.ts';
import type { Activity } from '../../domain/activity/index.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { BlobStore } from '../ports/index.ts';
import type { ChainFinding } from './chain-walk.ts';
import { type EvidenceStatement, parseEvidence } from './compare-evidence.ts';

/** A completed process with the digest of its evidence record, and its rows by their hashes. */
export interface EvidencePlace {
  readonly processKey: SigningProcess['key'];
  readonly sha256: string;
  readonly hashes: readonly string[];
}

/**
 * The digest of the evidence record of a process, as its log tells it; what the process says of
 * its attachments can be changed. Undefined where there is none, or no longer: after a purge.
 */
export function evidencePlace(
  { key, purgedAtMs, attachments }: SigningProcess,
  rows: readonly Activity[],
): EvidencePlace | undefined {
  const completed = rows.find(({ status }) => status === 'Completed');
  if (completed === undefined || purgedAtMs !== undefined) return undefined;
  // Rows of earlier versions do not tell it.
  const older = () =>
    attachments.findLast(
      ({ contentType, fileName }) =>
        contentType === 'application/json' && fileName.endsWith('-evidence.json'),
    )?.document.sha256;
  const { digests } = completed;
  const sha256 = digests === undefined ? older() : digests['evidence'];
  if (sha256 === undefined) return undefined;
  return { processKey: key, sha256, hashes: rows.map(({ hash }) => hash) };
}

/**
 * Holds the log of a process against the evidence that was made from it: who writes the log again
 * leaves other hashes there.
 *
 * @returns what is wrong, and what the evidence says of the daily roots
 */
export async function judgeEvidence(
  blobs: Pick<BlobStore, 'get'>,
  { processKey, sha256, hashes }: EvidencePlace,
): Promise<{
  readonly finding?: ChainFinding;
  readonly lastRoot?: EvidenceStatement['lastRoot'];
}> {
  let statement: EvidenceStatement;
  try {
    statement = parseEvidence(await blobs.get(sha256));
  } catch (error) {
    const isOther = ['activity.evidence.invalid', 'blob.corrupt'].includes(codeOf(error));
    const fault = isOther ? 'evidence.other' : 'evidence.missing';
    return { finding: { processKey, seq: hashes.length, fault } };
  }
  const { chain, lastRoot } = statement;
  if (statement.processKey !== processKey || hashes[chain.count - 1] !== chain.head) {
    return { finding: { processKey, seq: chain.count, fault: 'evidence.other' } };
  }
  return lastRoot === undefined ? {} : { lastRoot };
}
