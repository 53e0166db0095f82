import { oids } from '../../formats/asn1/index.ts';
import { type CmsVerdict, checkCertificates } from '../cms/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { CadesValue } from './cades-values.ts';

/**
 * Violations of CAdES baseline B by a signature; empty if there are none. Checks only the form; the
 * cryptographic checks are elsewhere.
 *
 * @spec ETSI EN 319 122-1 §6.3 table 1
 */
export function checkCadesBaseline(cms: CmsVerdict): readonly Finding[] {
  const { signedData, signerInfo, certificate } = cms;
  if (signedData === undefined || signerInfo === undefined) return [];
  const findings: Finding[] = [];
  if (signedData.contentType !== oids.data) {
    const message = `expected id-data, found ${signedData.contentType}`;
    findings.push(buildFinding('baseline.content-type', message));
  }
  if (signerInfo.signedAttributes?.has(oids.signingTime) !== true) {
    const message = 'the signed attribute signing-time is missing';
    findings.push(buildFinding('baseline.signing-time', message));
  }
  return [...findings, ...checkCertificates(signerInfo, signedData.certificates, certificate)];
}

const legacy = new Map<string, string>([
  [oids.certificateValues, 'certificate-values'],
  [oids.revocationValues, 'revocation-values'],
  [oids.completeCertificateReferences, 'complete-certificate-references'],
  [oids.completeRevocationReferences, 'complete-revocation-references'],
]);

/**
 * Violations of the baseline levels LT and LTA by a signature: attributes of older forms, which the
 * values in SignedData have superseded.
 *
 * @spec ETSI EN 319 122-1 §6.3 table 1
 */
export function checkLongTermForm(values: readonly CadesValue[]): readonly Finding[] {
  const types = new Set(values.map(({ type }) => type));
  return [...legacy].flatMap(([type, name]) =>
    types.has(type)
      ? [buildFinding('baseline.values', `the attribute ${name} has an older format`)]
      : [],
  );
}

const unchecked = new Map<string, string>([
  [oids.cadesCTimeStamp, 'CAdES-C-time-stamp'],
  [oids.certCrlTimeStamp, 'time-stamped-certs-crls-references'],
]);

/**
 * Findings about unsigned attributes that are present but not checked, and so prove nothing.
 *
 * @param countersigned number of countersignatures that are checked
 */
export function noteUnchecked(
  values: readonly CadesValue[],
  countersigned: number,
): readonly Finding[] {
  const types = new Set(values.map(({ type }) => type));
  const counters = values.filter(({ type }) => type === oids.counterSignature).length;
  const rest = counters > countersigned ? [[oids.counterSignature, 'countersignature']] : [];
  return [...unchecked, ...rest].flatMap(([type = '', name]): Finding[] => {
    if (!types.has(type)) return [];
    const message = `the attribute ${name} is present but not checked`;
    return [buildFinding('signature.attribute.unchecked', message)];
  });
}
