import { defined } from '../../../base/defined.ts';
import { codeOf } from '../../../base/errors.ts';
import type { Activity } from '../../../domain/activity/index.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import type { BlobStore } from '../../ports/index.ts';
import type { ChainFinding } from './chain-walk.ts';
import { type EvidenceStatement, parseEvidence } from './compare-evidence.ts';

/** The stored rows of a process, by their hashes. */
export interface StoredFiles {
  readonly processKey: SigningProcess['key'];
  readonly hashes: readonly string[];
  /** Documents and attachments; earlier revisions may have been collected by earlier versions. */
  readonly contents: readonly string[];
  /** The evidence record of a completed process. */
  readonly evidence?: string;
}

/** The contents that a process should have in the store; none after a purge. */
export function storedFiles(process: SigningProcess, rows: readonly Activity[]): StoredFiles {
  const { original, document, attachments } = process;
  const current = [original, document, ...attachments.map((each) => each.document)];
  return {
    processKey: process.key,
    hashes: rows.map(({ hash }) => hash),
    contents: current.flatMap((each) => each?.sha256 ?? []),
    ...defined({ evidence: evidenceOf(process, rows) }),
  };
}

/**
 * The digest of the evidence record of a process, according to its log; the attachments of the
 * process itself can be changed. Undefined without one, and after a purge.
 */
function evidenceOf(
  { purgedAtMs, attachments }: SigningProcess,
  rows: readonly Activity[],
): string | undefined {
  const completed = rows.find(({ status }) => status === 'Completed');
  if (completed === undefined || purgedAtMs !== undefined) return undefined;
  // Rows of earlier versions do not tell it.
  const older = () =>
    attachments.findLast(
      ({ contentType, fileName }) =>
        contentType === 'application/json' && fileName.endsWith('-evidence.json'),
    )?.document.sha256;
  const { digests } = completed;
  return digests === undefined ? older() : digests['evidence'];
}

/** The fault, if any, and the last daily root in the evidence. */
export interface FilesConclusion {
  readonly finding?: ChainFinding;
  readonly lastRoot?: EvidenceStatement['lastRoot'];
}

/**
 * Holds the log of a process against the evidence that was made from it, for who writes the log
 * again leaves other hashes there, and looks whether its contents are there: no worker removes
 * them before a purge.
 */
export async function checkFiles(
  blobs: Pick<BlobStore, 'get' | 'has'>,
  files: StoredFiles,
): Promise<FilesConclusion> {
  const { processKey, hashes, contents, evidence } = files;
  const checked = evidence === undefined ? {} : await checkEvidence(blobs, files, evidence);
  if (checked.finding !== undefined) return checked;
  for (const sha256 of contents) {
    if (await blobs.has(sha256)) continue;
    return { ...checked, finding: { processKey, seq: hashes.length, fault: 'contents.missing' } };
  }
  return checked;
}

async function checkEvidence(
  blobs: Pick<BlobStore, 'get'>,
  { processKey, hashes }: StoredFiles,
  sha256: string,
): Promise<FilesConclusion> {
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
