import { type Certificate, describeName, serialHex } from '../formats/x509/index.ts';
import type { SignerSummary } from './report.ts';

const summaries = new WeakMap<Certificate, SignerSummary>();

/** Summary of a certificate for a report; made once for each certificate value. */
export function describeSigner(certificate: Certificate): SignerSummary {
  let summary = summaries.get(certificate);
  if (summary === undefined) {
    summary = summarize(certificate);
    summaries.set(certificate, summary);
  }
  return summary;
}

function summarize(certificate: Certificate): SignerSummary {
  return {
    subject: describeName(certificate.subjectDer),
    issuer: describeName(certificate.issuerDer),
    serialNumber: serialHex(certificate),
    notBefore: new Date(certificate.notBeforeMs).toISOString(),
    notAfter: new Date(certificate.notAfterMs).toISOString(),
  };
}
