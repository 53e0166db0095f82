import { InnsigliError } from '../../base/errors.ts';
import { isoTime } from '../../base/time/iso-time.ts';
import { type PdfFile, printBudget } from '../../formats/pdf/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import { coverageOfPdf } from '../document-coverage.ts';
import {
  cmsData,
  listUncheckedRevocation,
  mergeData,
  readDocumentSecurityStore,
  readRelatedData,
  type StatusContext,
  type StoredValidationData,
  withEvidence,
  withEvidenceUnder,
} from '../existence/index.ts';
import type { PdfVerificationReport, SignatureReport } from '../report/index.ts';
import { worstOf } from '../worst-of.ts';
import {
  type EarlierStore,
  listEarlierStores,
  listRemovedSignatures,
} from './earlier-revisions.ts';
import {
  checkSignatureObject,
  checkTimestamp,
  verifyDocumentTimestamps,
} from './signature/index.ts';
import { collectSignatureObjects, type SignatureObject } from './signature-objects.ts';
import { endingOf, objectHeads } from './unlisted-objects.ts';
import { listUnnamedSignatures } from './unnamed-signatures.ts';

/** Input of a verification other than the document. */
export interface VerificationContext extends Omit<StatusContext, 'pool' | 'existence'> {
  /** Certificates for paths, in addition to those of the document. The pool is not changed. */
  readonly pool?: CertificatePool;
}

const notJudged: readonly string[] = ['signature policies', 'qualified status and trusted lists'];

/**
 * Verifies every signature and document time-stamp of the file: cryptographic checks, coverage,
 * path to an anchor, level. Negative results are values of the report.
 */
export function verifyPdf(file: PdfFile, context: VerificationContext): PdfVerificationReport {
  const { anchors, nowMs, revocation, algorithms } = context;
  const evidence = collectSignatureObjects(file);
  if (evidence.length === 0) requireEnd(file);
  const store = readDocumentSecurityStore(file);
  const stores = listEarlierStores(file, evidence);
  const around = collectEvidenceAround(file, evidence, stores);
  const known = [...anchors, ...store.certificates, ...around.certificates];
  const pool = createCertificatePool(known, context.pool);
  const rules = withEvidence(revocation, around);
  const { qualifier, isListedResponder } = context;
  const trusted = { pool, anchors, nowMs, qualifier, isListedResponder };
  const status = { ...trusted, revocation: rules, algorithms };
  const stamps = verifyDocumentTimestamps(file, evidence, store, status);
  const later = stamps.map(({ proof, underIt }) => ({ proof, covered: underIt }));
  const proved = withEvidenceUnder(status, later);
  const printing = printBudget();
  const present = () => mergeData([store, readRelatedData(file)]);
  const signed = { file, objects: evidence, stores, present, printing, found: new Map() };
  // The changes after a signature are found by reading its whole revision.
  const ends = evidence.map(({ coveredEnd }) => coveredEnd);
  const revisions = new Set(ends.filter((end) => end < file.source.lengthBytes));
  if (revisions.size === 1) file.endSharing();
  const signatures = evidence.map((item): SignatureReport => {
    const stamp = stamps.find((candidate) => candidate.evidence === item);
    if (stamp !== undefined) return checkTimestamp(signed, stamp, status);
    return checkSignatureObject(signed, item, stamps, store, proved);
  });
  const removed = signatures.length === 0 ? listRemovedSignatures(file) : [];
  const isUnsigned = signatures.length === 0 && removed.length === 0;
  const unnamed = isUnsigned ? listUnnamedSignatures(file) : [];
  return {
    v: 1,
    format: 'pdf',
    indication: worstOf(signatures),
    coverage: coverageOfPdf(signatures),
    verifiedAt: isoTime(nowMs),
    signatures,
    ...(removed.length > 0 ? { removedSignatures: removed } : {}),
    ...(unnamed.length > 0 ? { unnamedSignatures: unnamed } : {}),
    uncoveredBytes: uncoveredBytes(file.source.lengthBytes, signatures),
    notJudged: [...listUncheckedRevocation(revocation), ...notJudged],
  };
}

function uncoveredBytes(lengthBytes: number, signatures: readonly SignatureReport[]): number {
  const intact = signatures.filter((signature) => signature.intact);
  const ends = intact.map(({ byteRange: [, , start = 0, length = 0] }) => start + length);
  return lengthBytes - Math.max(0, ...ends);
}

/** Bytes at the end of a file that are searched for the last end-of-file marker. */
const END_BYTES = 16 * 1024 * 1024;

/**
 * Rejects a corrupt file whose last update is incomplete: if no signature is found, the expected
 * one may be in that update.
 *
 * @throws pdf.truncated
 */
function requireEnd(file: PdfFile): void {
  if (file.findings.length === 0) return;
  const { lengthBytes } = file.source;
  const { tail } = endingOf(file, Math.max(0, lengthBytes - END_BYTES));
  const [head] = tail.startsWith('%EOF') ? objectHeads(tail) : [];
  if (head === undefined) return;
  const message = `the file ends inside its last update, with object ${head.objectNumber}`;
  throw new InnsigliError('pdf.truncated', message, {
    hint: 'the file seems to be incomplete: download it again',
  });
}

/**
 * Collects the validation data outside the latest document security store: in the entries of
 * `/VRI`, in earlier stores that an update replaced or removed, and in the signatures. It proves
 * revocations like the store does, but only the store counts for the level of a signature.
 */
function collectEvidenceAround(
  file: PdfFile,
  signatures: readonly SignatureObject[],
  earlier: readonly EarlierStore[],
): StoredValidationData {
  return mergeData([
    readRelatedData(file),
    ...earlier.flatMap(({ data }) => data ?? []),
    ...signatures.map(({ contents }) => cmsData(contents)),
  ]);
}
