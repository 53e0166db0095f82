import type { XmlSignatureReport } from '../../../../src/verify/report/report.ts';
import { certificateInfo, check, pki, signXml } from './sign-xml.ts';

/** Makes the signature of {@link signed}. */
export const signer = pki.member('signer');
export const rsa = pki.member('rsa');
export const ca = pki.member('ca');
export const keyInfo = certificateInfo(signer, ca);
export const host = ['<inv xmlns="urn:x"><sum>10</sum>', '</inv>'] as const;
export const dsig = 'http://www.w3.org/2000/09/xmldsig#';

/** A sound enveloped signature over all of {@link host}. */
export const signed = signXml({ signer, host, keyInfo });

/** The report on the first signature of a text. */
export function first(text: string): XmlSignatureReport {
  const [report] = check(text);
  if (report === undefined) throw new Error('a report');
  return report;
}

/** What the report on a sound signature has. */
export const passed = { indication: 'TOTAL-PASSED', intact: true, trusted: true };

/** What the report on a refuted signature has. */
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
