import { once } from '../../../base/memo.ts';
import type { PdfFile } from '../../../formats/pdf/index.ts';
import { type TimestampVerdict, verifyTimestampToken } from '../../../trust/timestamp.ts';
import {
  cmsData,
  mergeData,
  type ProofOfExistence,
  proofsOfExistence,
  readDocumentSecurityStore,
  readRelatedData,
  type StatusContext,
  type StoredValidationData,
} from '../../existence/index.ts';
import type { CoveringStamp } from '../../level.ts';
import { findRevision } from '../origin.ts';
import type { SignatureObject } from '../signature-objects.ts';

/** A document time-stamp with its verdict and the covered validation data. */
export interface DocumentTimestamp extends CoveringStamp {
  readonly evidence: SignatureObject;
  /** All covered OCSP responses and CRLs, including those that do not count for a level. */
  underIt(): StoredValidationData;
}

/**
 * Verifies the document time-stamps among the signature objects, oldest first. Each is proven by
 * the next one whose time counts, the last one by the present.
 *
 * @param store of the file
 */
export function verifyDocumentTimestamps(
  file: PdfFile,
  evidence: readonly SignatureObject[],
  store: StoredValidationData,
  context: StatusContext,
): readonly DocumentTimestamp[] {
  const { pool, anchors, nowMs } = context;
  const stamps = evidence.filter(({ kind }) => kind === 'document-timestamp');
  const verdicts = stamps.map((stamp) => {
    const found = verifyTimestampToken({
      token: stamp.contents,
      imprint: (digest) => stamp.digest(digest),
      anchors,
      pool,
      nowMs,
    });
    const broken = stamp.findings.length > 0;
    return broken ? { ...found, valid: false, trusted: false } : found;
  });
  const under = (index: number) => evidenceUnder(file, stamps[index] as SignatureObject, evidence);
  const proofs = proofsOfExistence(verdicts, store, nowMs, context, under);
  return stamps.map((stamp, index) => ({
    verdict: verdicts[index] as TimestampVerdict,
    proof: proofs[index] as ProofOfExistence,
    covered: once(() => storeAt(file, stamp.coveredEnd)),
    evidence: stamp,
    underIt: () => under(index),
  }));
}

/** The validation data of the revision: in its store, in `/VRI`, and in the earlier signatures. */
function evidenceUnder(
  file: PdfFile,
  { coveredEnd }: SignatureObject,
  evidence: readonly SignatureObject[],
): StoredValidationData {
  const revision = findRevision(file, coveredEnd);
  const stored =
    revision === undefined ? [] : [readDocumentSecurityStore(revision), readRelatedData(revision)];
  const before = evidence.filter((each) => each.coveredEnd < coveredEnd);
  return mergeData([...stored, ...before.map(({ contents }) => cmsData(contents))]);
}

/** The store of the revision that ends at the offset. */
function storeAt(file: PdfFile, end: number): StoredValidationData {
  const revision = findRevision(file, end);
  if (revision === undefined) return { certificates: [], ocsp: [], crls: [] };
  return readDocumentSecurityStore(revision);
}
