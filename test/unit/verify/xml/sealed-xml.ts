import type { XmlSignatureReport } from '../../../../src/verify/report/report.ts';
import { certificateInfo, check, pki, signXml } from './sign-xml.ts';

/** Signer of {@link signed}. */
export const signer = pki.member('signer');
export const rsa = pki.member('rsa');
export const ca = pki.member('ca');
export const keyInfo = certificateInfo(signer, ca);
export const host = ['<inv xmlns="urn:x"><sum>10</sum>', '</inv>'] as const;
export const dsig = 'http://www.w3.org/2000/09/xmldsig#';

/** A valid enveloped signature over all of {@link host}. */
export const signed = signXml({ signer, host, keyInfo });

/** The report on the first signature of a text. */
export function first(text: string): XmlSignatureReport {
  const [report] = check(text);
  if (report === undefined) throw new Error('a report');
  return report;
}

/** Members of the report on a valid signature. */
export const passed = { indication: 'TOTAL-PASSED', intact: true, trusted: true };

/** Members of the report on a refuted signature. */
export function failed(subIndication: string) {
  return {
    indication: 'TOTAL-FAILED',
    subIndication,
    intact: false,
    trusted: false,
    coverage: 'none',
  };
}

/** Codes of the findings. */
export function codes({ findings }: XmlSignatureReport): readonly string[] {
  return findings.map(({ code }) => code);
}
