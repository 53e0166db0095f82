import { equalBytes } from '../../base/bytes.ts';
import { oids } from '../../formats/asn1/index.ts';
import { readSigningCertificate, type SignerInfo } from '../../formats/cms/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';

/** Deviations of a CMS from the baseline profiles in binding and embedding the certificate. */
export function checkCertificates(
  signer: SignerInfo,
  embedded: readonly Uint8Array[],
  certificate: Certificate | undefined,
): readonly Finding[] {
  const departure = findAttributeDeparture(signer);
  const bound =
    departure === undefined ? [] : [buildFinding('baseline.signing-certificate', departure)];
  if (certificate !== undefined && embedded.some((der) => equalBytes(der, certificate.der))) {
    return bound;
  }
  const message = 'the CMS lacks the signing certificate';
  return [...bound, buildFinding('baseline.certificates', message)];
}

/**
 * Deviation of the attribute that binds the certificate from a baseline profile. Undefined if there
 * is none: it must occur exactly once, as signing-certificate for SHA-1 and as
 * signing-certificate-v2 otherwise.
 *
 * @spec ETSI EN 319 122-1 §5.2.2.1, §6.3 table 1
 */
function findAttributeDeparture(signer: SignerInfo): string | undefined {
  const references = readSigningCertificate(signer);
  if (references.length === 0) return 'signing-certificate-v2 is missing';
  const types = [oids.signingCertificate, oids.signingCertificateV2];
  if (types.every((type) => signer.signedAttributes?.has(type))) {
    return 'both signing-certificate and signing-certificate-v2 are present';
  }
  const isOdd = references.some(({ version, digest }) => version === 2 && digest === 'sha1');
  return isOdd ? 'signing-certificate-v2 has a SHA-1 digest' : undefined;
}
