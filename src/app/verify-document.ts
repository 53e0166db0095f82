import type { ByteSource } from '../base/bytes.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { createCertificatePool } from '../trust/pool.ts';
import type { VerificationReport } from '../verify/report.ts';
import { verifyPdf } from '../verify/verify-pdf.ts';
import { openOptions, withDocument } from './open-document.ts';

/** What a document is judged against. */
export interface VerifyRequest {
  readonly source: ByteSource;
  /** Opens an encrypted document. */
  readonly password?: string;
  readonly anchors: readonly Certificate[];
  /** Certificates that help to build paths, DER. */
  readonly certificates?: readonly Uint8Array[];
  readonly nowMs: number;
}

/**
 * Judges every signature of a document.
 *
 * @throws pdf.* when the document cannot be read at all
 */
export function verifyDocument(request: VerifyRequest): VerificationReport {
  const { source, anchors, certificates = [], nowMs } = request;
  const pool = createCertificatePool(certificates);
  return withDocument(source, openOptions(request), (file) =>
    verifyPdf(file, { anchors, pool, nowMs }),
  );
}
