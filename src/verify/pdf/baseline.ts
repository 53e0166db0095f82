import { oids } from '../../formats/asn1/index.ts';
import { PdfString, parsePdfDate } from '../../formats/pdf/index.ts';
import { type CmsVerdict, checkCertificates } from '../cms/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { SignatureObject } from './signature-objects.ts';

/**
 * Violations of PAdES baseline B by a signature; empty if there are none. Checks only the form; the
 * cryptographic checks are elsewhere.
 *
 * @spec ETSI EN 319 142-1 §6.3 table 1
 */
export function checkBaseline(evidence: SignatureObject, cms: CmsVerdict): readonly Finding[] {
  return [...checkDictionary(evidence), ...checkCms(cms)];
}

function checkDictionary({ dict, subFilter }: SignatureObject): Finding[] {
  const findings: Finding[] = [];
  if (subFilter !== 'ETSI.CAdES.detached') {
    const message = `expected /SubFilter /ETSI.CAdES.detached, found /${subFilter}`;
    findings.push(buildFinding('baseline.sub-filter', message));
  }
  if (!dict.has('Filter')) findings.push(buildFinding('baseline.filter', '/Filter is missing'));
  if (dict.has('Cert')) findings.push(buildFinding('baseline.cert', '/Cert must not be present'));
  const claimed = dict.get('M');
  if (!(claimed instanceof PdfString) || parsePdfDate(claimed) === undefined) {
    findings.push(buildFinding('baseline.m', '/M is missing or not a date'));
  }
  return findings;
}

function checkCms({ signedData, signerInfo, certificate }: CmsVerdict): Finding[] {
  if (signedData === undefined || signerInfo === undefined) return [];
  const findings: Finding[] = [];
  if (signedData.contentType !== oids.data) {
    findings.push(buildFinding('baseline.content-type', 'the signed type must be id-data'));
  }
  if (signerInfo.signedAttributes?.has(oids.signingTime)) {
    const message = 'signing-time must not be a signed attribute';
    findings.push(buildFinding('baseline.signing-time', message));
  }
  findings.push(...checkCertificates(signerInfo, signedData.certificates, certificate));
  for (const name of [oids.certificateValues, oids.revocationValues]) {
    if (!signerInfo.unsignedAttributes.has(name)) continue;
    findings.push(buildFinding('baseline.values', `attribute ${name} is not allowed`));
  }
  return findings;
}
