import { defined } from '../../base/defined.ts';
import type { PdfFile } from '../../formats/pdf/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { createCertificatePool } from '../../trust/pool.ts';
import type { Finding, SignatureReport } from '../report/index.ts';
import { checkBaseline } from './baseline.ts';
import { verifyCmsSignature } from './signature/index.ts';
import { collectSignatureObjects } from './signature-objects.ts';

/** Integrity of a signature, without trust and time-stamps. */
export interface SignatureIntegrity {
  readonly intact: boolean;
  readonly coverage: SignatureReport['coverage'];
  /** True if it is intact and has the form of PAdES baseline B. */
  readonly baseline: boolean;
  /** Certificate of the signer, if the signature identifies one. */
  readonly certificate?: Certificate;
  /** Reasons why it is not intact, or not a baseline signature. */
  readonly findings: readonly Finding[];
}

/**
 * Verifies cryptographic integrity, coverage and form of the signature in one field. Undefined if
 * the field is absent or empty. Path, time, level above B and later updates are not checked.
 */
export function verifyIntegrity(
  file: PdfFile,
  field: string,
  pool: CertificatePool,
): SignatureIntegrity | undefined {
  const evidence = collectSignatureObjects(file).find((item) => item.field === field);
  if (evidence === undefined) return undefined;
  const cms = verifyCmsSignature(evidence, createCertificatePool([], pool));
  const departures = checkBaseline(evidence, cms);
  return {
    intact: cms.intact,
    coverage: evidence.coverage,
    ...defined({ certificate: cms.certificate }),
    baseline: cms.intact && departures.length === 0,
    findings: [...cms.findings, ...departures],
  };
}
