import type { ByteSource } from '../base/bytes.ts';
import { isCoreError } from '../base/errors.ts';
import { openPdf, type PdfFile } from '../formats/pdf/index.ts';
import { type TimestampVerdict, verifyTimestampToken } from '../trust/timestamp.ts';
import type { SignedEvidence } from './evidence.ts';
import type { StatusContext } from './long-term.ts';
import { readSecurityStore, type StoredValidationData } from './security-store.ts';

/** A document time-stamp with its verdict and the validation data that it covers. */
export interface DocumentTimestamp {
  readonly evidence: SignedEvidence;
  readonly verdict: TimestampVerdict;
  /** The security store of the revision under the time-stamp; read when first asked for. */
  covered(): StoredValidationData;
}

/** Judges the document time-stamps among the evidence, oldest first. */
export function verifyDocumentTimestamps(
  file: PdfFile,
  evidence: readonly SignedEvidence[],
  context: StatusContext,
): readonly DocumentTimestamp[] {
  return evidence
    .filter(({ kind }) => kind === 'document-timestamp')
    .map((stamp) => {
      const { pool, anchors, nowMs } = context;
      const verdict = verifyTimestampToken({
        token: stamp.contents,
        imprint: (digest) => stamp.digest(digest),
        anchors,
        pool,
        nowMs,
      });
      const broken = stamp.findings.length > 0;
      let data: StoredValidationData | undefined;
      return {
        evidence: stamp,
        verdict: broken ? { ...verdict, valid: false, trusted: false } : verdict,
        covered() {
          data ??= storeAt(file, stamp.coveredEnd);
          return data;
        },
      };
    });
}

/** The store as it was in the revision that ends at the offset. */
function storeAt(file: PdfFile, end: number): StoredValidationData {
  if (end === file.source.lengthBytes) return readSecurityStore(file);
  try {
    return readSecurityStore(openPdf(revisionSource(file.source, end)));
  } catch (error) {
    if (isCoreError(error)) return { certificates: [], ocsp: [], crls: [] };
    throw error;
  }
}

function revisionSource(source: ByteSource, end: number): ByteSource {
  return { lengthBytes: end, slice: (from, to) => source.slice(from, to) };
}
