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

/** Where the evidence record of a process is; undefined where there is none. */
export function evidencePlace(
  { key, attachments }: SigningProcess,
  rows: readonly Activity[],
): EvidencePlace | undefined {
  const record = attachments.findLast(
    ({ contentType, fileName, url }) =>
      contentType === 'application/json' && fileName.endsWith('-evidence.json') && !url,
  );
  if (record === undefined) return undefined;
  const hashes = rows.map(({ hash }) => hash);
  return { processKey: key, sha256: record.document.sha256, hashes };
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
  } catch {
    return { finding: { processKey, seq: hashes.length, fault: 'evidence.missing' } };
  }
  const { chain, lastRoot } = statement;
  if (statement.processKey !== processKey || hashes[chain.count - 1] !== chain.head) {
    return { finding: { processKey, seq: chain.count, fault: 'evidence.other' } };
  }
  return lastRoot === undefined ? {} : { lastRoot };
}
