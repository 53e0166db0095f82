import { type Certificate, describeName, serialHex } from '../formats/x509/index.ts';
import type { SignerSummary } from './report.ts';

/** What a report says of a certificate. */
export function describeSigner(certificate: Certificate): SignerSummary {
  return {
    subject: describeName(certificate.subjectDer),
    issuer: describeName(certificate.issuerDer),
    serialNumber: serialHex(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
  };
}
