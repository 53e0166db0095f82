import type { PdfFile } from '../../formats/pdf/index.ts';
import { type TimestampVerdict, verifyTimestampToken } from '../../trust/timestamp.ts';
import {
  readDocumentSecurityStore,
  type StoredValidationData,
} from '../document-security-store.ts';
import type { CoveringStamp } from '../level.ts';
import type { StatusContext } from '../long-term.ts';
import { type ProofOfExistence, proofsOfExistence } from '../proof-of-existence.ts';
import { findRevision } from './origin.ts';
import type { SignatureObject } from './signature-objects.ts';

/** A document time-stamp with its verdict and the validation data that it covers. */
export interface DocumentTimestamp extends CoveringStamp {
  readonly evidence: SignatureObject;
}

/**
 * Checks the document time-stamps among the evidence, oldest first. Each is proved by the next
 * one whose time counts, the last one by the present.
 */
export function verifyDocumentTimestamps(
  file: PdfFile,
  evidence: readonly SignatureObject[],
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
  const proofs = proofsOfExistence(verdicts, readDocumentSecurityStore(file), nowMs, context);
  return stamps.map((stamp, index): DocumentTimestamp => {
    let data: StoredValidationData | undefined;
    return {
      evidence: stamp,
      verdict: verdicts[index] as TimestampVerdict,
      proof: proofs[index] as ProofOfExistence,
      covered() {
        data ??= storeAt(file, stamp.coveredEnd);
        return data;
      },
    };
  });
}

/** The store as it was in the revision that ends at the offset. */
function storeAt(file: PdfFile, end: number): StoredValidationData {
  const revision = findRevision(file, end);
  if (revision === undefined) return { certificates: [], ocsp: [], crls: [] };
  return readDocumentSecurityStore(revision);
}
