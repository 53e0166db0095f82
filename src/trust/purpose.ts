import { oids } from '../formats/asn1/index.ts';
import { type Certificate, keyUsageBits } from '../formats/x509/index.ts';

/** Extended key usages accepted for signing documents, following common validators. */
const signingPurposes = new Set<string>([
  oids.documentSigning,
  oids.emailProtection,
  oids.anyExtendedKeyUsage,
  oids.clientAuth,
  // id-tsl-kp-tslSigning: trusted lists are XML documents. ETSI TS 119 612 §5.7.1
  '0.4.0.2231.3.0',
  oids.codeSigning,
  // Document signing purposes of Microsoft and Adobe that predate RFC 9336.
  '1.3.6.1.4.1.311.10.3.12',
  '1.2.840.113583.1.1.5',
]);

const purposeNames = new Map<string, string>([
  [oids.serverAuth, 'serverAuth'],
  [oids.timeStamping, 'timeStamping'],
  [oids.ocspSigning, 'OCSPSigning'],
]);

/** Faults for any purpose: key usage, if present, must permit signatures. */
function commonFaults({ extensions: { unknownCritical, keyUsage } }: Certificate): string[] {
  const list = unknownCritical.join(', ');
  const found = list === '' ? [] : [`the certificate has the unknown critical extension ${list}`];
  const wanted = keyUsageBits.digitalSignature | keyUsageBits.nonRepudiation;
  if (keyUsage !== undefined && (keyUsage & wanted) === 0) {
    found.push('key usage: expected digitalSignature or nonRepudiation, found neither');
  }
  return found;
}

function listPurposes(purposes: readonly string[]): string {
  return purposes.map((purpose) => purposeNames.get(purpose) ?? purpose).join(', ');
}

/**
 * Faults of a certificate for signing documents, one sentence each; empty if there are none. Key
 * usage must include digitalSignature or nonRepudiation. Extended key usage, if present, must
 * include a purpose for signatures by persons. Certificates only for TLS servers, time-stamps or
 * OCSP are rejected, and so is a CA whose key usage allows only certificates and CRLs, and a CA
 * without key usage unless it is an anchor.
 *
 * @spec RFC 5280 §4.2.1.3, §4.2.1.12; RFC 9336 §4
 */
export function checkSigningPurpose(certificate: Certificate, isAnchor = false): readonly string[] {
  const { keyUsage, extendedKeyUsage, basicConstraints } = certificate.extensions;
  const findings = commonFaults(certificate);
  if (
    extendedKeyUsage !== undefined &&
    !extendedKeyUsage.some((purpose) => signingPurposes.has(purpose))
  ) {
    const found = listPurposes(extendedKeyUsage);
    findings.push(`extended key usage: expected a purpose for documents, found ${found}`);
  }
  if (basicConstraints?.ca === true && keyUsage === undefined && !isAnchor) {
    findings.push('a CA certificate without key usage must not sign documents');
  }
  return findings;
}

/**
 * Faults of a certificate for signing time-stamps, one sentence each: extended key usage must be
 * critical and contain only timeStamping.
 *
 * @spec RFC 3161 §2.3
 */
export function checkTimestampPurpose(certificate: Certificate): readonly string[] {
  const { extendedKeyUsage = [], extendedKeyUsageCritical } = certificate.extensions;
  const findings = commonFaults(certificate);
  if (!extendedKeyUsage.includes(oids.timeStamping)) {
    findings.push(missingPurpose('timeStamping', extendedKeyUsage));
  } else if (extendedKeyUsage.length > 1) {
    const found = listPurposes(extendedKeyUsage);
    findings.push(`extended key usage: expected only timeStamping, found ${found}`);
  } else if (!extendedKeyUsageCritical) {
    findings.push('extended key usage timeStamping: expected critical, found not critical');
  }
  return findings;
}

/**
 * Faults of a certificate for signing OCSP responses on behalf of its issuer, one sentence each.
 *
 * @spec RFC 6960 §4.2.2.2
 */
export function checkOcspPurpose(certificate: Certificate): readonly string[] {
  const { extendedKeyUsage = [] } = certificate.extensions;
  const findings = commonFaults(certificate);
  if (extendedKeyUsage.includes(oids.ocspSigning)) return findings;
  return [...findings, missingPurpose('OCSPSigning', extendedKeyUsage)];
}

function missingPurpose(wanted: string, purposes: readonly string[]): string {
  return `extended key usage: expected ${wanted}, found ${listPurposes(purposes) || 'none'}`;
}
