import type { PdfFile } from '../formats/pdf/index.ts';
import { type TimestampVerdict, verifyTimestampToken } from '../trust/timestamp.ts';
import type { SignedEvidence } from './evidence.ts';
import type { StatusContext } from './long-term.ts';
import { openRevision } from './revision.ts';
import { readSecurityStore, type StoredValidationData } from './security-store.ts';
import { proveTime, type TimeProof } from './time-proof.ts';

/** A document time-stamp with its verdict and the validation data that it covers. */
export interface DocumentTimestamp {
  readonly evidence: SignedEvidence;
  readonly verdict: TimestampVerdict;
  /** Whether its time counts. */
  readonly proof: TimeProof;
  /** The security store of the revision under the time-stamp; read when first asked for. */
  covered(): StoredValidationData;
}

/**
 * Judges the document time-stamps among the evidence, oldest first. Each is proved by the next
 * one whose time counts, the last one by the present.
 */
export function verifyDocumentTimestamps(
  file: PdfFile,
  evidence: readonly SignedEvidence[],
  context: StatusContext,
): readonly DocumentTimestamp[] {
  const { pool, anchors, nowMs } = context;
  const store = readSecurityStore(file);
  let provedMs = nowMs;
  const judged: DocumentTimestamp[] = [];
  for (const stamp of evidence.filter(({ kind }) => kind === 'document-timestamp').reverse()) {
    const found = verifyTimestampToken({
      token: stamp.contents,
      imprint: (digest) => stamp.digest(digest),
      anchors,
      pool,
      nowMs,
    });
    const broken = stamp.findings.length > 0;
    const verdict = broken ? { ...found, valid: false, trusted: false } : found;
    const proof = proveTime(verdict, store, provedMs, context);
    if (proof.timeMs !== undefined) provedMs = Math.min(provedMs, proof.timeMs);
    let data: StoredValidationData | undefined;
    judged.unshift({
      evidence: stamp,
      verdict,
      proof,
      covered() {
        data ??= storeAt(file, stamp.coveredEnd);
        return data;
      },
    });
  }
  return judged;
}

/** The store as it was in the revision that ends at the offset. */
function storeAt(file: PdfFile, end: number): StoredValidationData {
  const revision = openRevision(file, end);
  if (revision === undefined) return { certificates: [], ocsp: [], crls: [] };
  return readSecurityStore(revision);
}
