import type { PdfFile } from '../../../formats/pdf/index.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { createCertificatePool } from '../../../trust/pool.ts';
import { digestOf } from '../../../trust/signature.ts';
import { verifyTimestampToken } from '../../../trust/timestamp.ts';
import { signatureTimestamps } from '../../cms/index.ts';
import { readDocumentSecurityStore, type StatusContext } from '../../existence/index.ts';
import { collectSignatureObjects } from '../signature-objects.ts';
import { verifyCmsSignature } from './cms-signature.ts';
import { verifyDocumentTimestamps } from './document-timestamps.ts';

/** A certificate that the document relies on, and the time at which it had to be valid. */
export interface CertificateToCheck {
  readonly certificate: Certificate;
  readonly atMs: number;
}

/** The same, with the field of its signature or time-stamp. */
export interface FieldCertificate extends CertificateToCheck {
  readonly field: string;
}

/** The certificates whose validation data a document needs. */
export interface CertificatesToCheck {
  readonly certificates: readonly FieldCertificate[];
  /** The caller's pool plus the certificates of the document, for building paths. */
  readonly pool: CertificatePool;
}

/**
 * Lists the certificates whose validation data the archive level needs: those of every intact
 * signature and time-stamp of the document, each with its proven time.
 *
 * @param given its pool is not changed
 */
export function listCertificatesToCheck(file: PdfFile, given: StatusContext): CertificatesToCheck {
  const { nowMs } = given;
  const evidence = collectSignatureObjects(file);
  const store = readDocumentSecurityStore(file);
  const pool = createCertificatePool(store.certificates, given.pool);
  const context = { ...given, pool };
  const stamps = verifyDocumentTimestamps(file, evidence, store, context);
  const certificates: FieldCertificate[] = [];
  for (const {
    verdict,
    evidence: { field },
  } of stamps) {
    const { certificate, valid, info } = verdict;
    const atMs = info?.genTimeMs ?? nowMs;
    if (valid && certificate) certificates.push({ certificate, atMs, field });
  }
  for (const item of evidence) {
    if (item.kind !== 'signature') continue;
    const { field } = item;
    const { certificate, signerInfo, intact } = verifyCmsSignature(item, pool);
    if (!intact || certificate === undefined || signerInfo === undefined) continue;
    const times = stamps
      .filter(({ evidence: stamp }) => stamp.coveredEnd > item.coveredEnd)
      .map(({ verdict }) => verdict.info?.genTimeMs ?? nowMs);
    for (const token of signatureTimestamps(signerInfo)) {
      const verdict = verifyTimestampToken({
        token,
        imprint: (digest) => digestOf(digest, signerInfo.signature),
        ...context,
      });
      if (!verdict.valid || verdict.certificate === undefined) continue;
      const atMs = verdict.info?.genTimeMs ?? nowMs;
      certificates.push({ certificate: verdict.certificate, atMs, field });
      times.push(atMs);
    }
    certificates.push({ certificate, atMs: Math.min(nowMs, ...times), field });
  }
  return { certificates, pool };
}
