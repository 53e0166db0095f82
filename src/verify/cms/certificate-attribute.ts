import { oids } from '../../formats/asn1/index.ts';
import { readSigningCertificate, type SignerInfo } from '../../formats/cms/index.ts';

/**
 * What a baseline profile has against the attribute that binds the certificate; undefined if
 * nothing: there is one, signing-certificate for SHA-1 and signing-certificate-v2 for the others.
 *
 * @spec ETSI EN 319 122-1 §5.2.2.1, §6.3 table 1
 */
export function findAttributeDeparture(signer: SignerInfo): string | undefined {
  const references = readSigningCertificate(signer);
  if (references.length === 0) return 'signing-certificate-v2 is missing';
  const types = [oids.signingCertificate, oids.signingCertificateV2];
  if (types.every((type) => signer.signedAttributes?.has(type))) {
    return 'signing-certificate stands beside signing-certificate-v2';
  }
  const isOdd = references.some(({ version, digest }) => version === 2 && digest === 'sha1');
  return isOdd ? 'signing-certificate-v2 has a SHA-1 digest' : undefined;
}
