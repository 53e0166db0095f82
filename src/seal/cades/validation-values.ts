import { latin1Text } from '../../base/bytes.ts';
import { der, oids } from '../../formats/asn1/index.ts';
import { joinSignedData, splitSignedData } from '../../formats/cms/index.ts';
import type { ValidationData } from '../validation-data.ts';

/**
 * Adds certificates, CRLs and OCSP responses to the SignedData of the signature. Existing values
 * are not repeated and keep their bytes, so that archive time-stamps stay valid.
 *
 *     RevocationInfoChoice = CertificateList | [1] { id-ri-ocsp-response, OCSPResponse }
 *
 * @throws cms.invalid if `signature` is not SignedData
 * @spec ETSI EN 319 122-1 §6.3; RFC 5652 §10.2.1; RFC 5940 §2.1
 */
export function addValidationValues(signature: Uint8Array, data: ValidationData): Uint8Array {
  const parts = splitSignedData(signature);
  const answers = data.ocsp.map((answer) => der.element(0xa1, [ocspResponse, answer]));
  return joinSignedData({
    ...parts,
    certificates: withNew(parts.certificates, data.certificates),
    revocation: withNew(parts.revocation, [...data.crls, ...answers]),
  });
}

const ocspResponse = der.oid(oids.ocspResponseInfo);

function withNew(present: readonly Uint8Array[], added: readonly Uint8Array[]): Uint8Array[] {
  const all = new Map(added.map((value) => [latin1Text(value), value]));
  for (const value of present) all.delete(latin1Text(value));
  return [...present, ...all.values()];
}
