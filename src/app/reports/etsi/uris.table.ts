import { oids } from '../../../formats/asn1/index.ts';
import type { DigestAlgorithm } from '../../../formats/x509/index.ts';
import { digestUri } from '../../../formats/xmldsig/index.ts';
import type { BuildingBlock, Indication } from '../../../verify/report/index.ts';

/** Namespaces of a validation report, with their prefixes. */
export const reportNamespaces = {
  vr: 'http://uri.etsi.org/19102/v1.4.1#',
  ds: 'http://www.w3.org/2000/09/xmldsig#',
  XAdES: 'http://uri.etsi.org/01903/v1.3.2#',
} as const;

/** @spec ETSI TS 119 102-2 §4.3.4 */
export const mainIndications: Readonly<
  Record<Indication | Exclude<BuildingBlock['indication'], 'NOT-RUN' | 'INDETERMINATE'>, string>
> = {
  'TOTAL-PASSED': 'urn:etsi:019102:mainindication:total-passed',
  'TOTAL-FAILED': 'urn:etsi:019102:mainindication:total-failed',
  INDETERMINATE: 'urn:etsi:019102:mainindication:indeterminate',
  PASSED: 'urn:etsi:019102:mainindication:passed',
  FAILED: 'urn:etsi:019102:mainindication:failed',
};

/** Prefixes of URIs in reports. ETSI publishes no identifiers for findings and building blocks. */
export const prefixes = {
  subIndication: 'urn:etsi:019102:subindication:',
  revocationReason: 'urn:etsi:019102:revocationReason:',
  finding: 'urn:innsigli:finding:',
  buildingBlock: 'urn:innsigli:building-block:',
} as const;

/** Encodes text as part of a URI. Replaces unpaired surrogates, which are not characters. */
export function uriPart(text: string): string {
  return encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd'));
}

/** Types of validation objects. @spec ETSI TS 119 102-2 §4.4.3 */
export const objectTypes = {
  certificate: 'urn:etsi:019102:validationObject:certificate',
  crl: 'urn:etsi:019102:validationObject:CRL',
  ocsp: 'urn:etsi:019102:validationObject:OCSPResponse',
  timestamp: 'urn:etsi:019102:validationObject:timestamp',
  signedData: 'urn:etsi:019102:validationObject:signedData',
} as const;

/** Types of proof of existence. @spec ETSI TS 119 102-2 §4.4.5 */
export const proofTypes = { validation: 'urn:etsi:019102:poetype:validation' } as const;

/** Statuses of a validation constraint. */
export const constraintStatuses = {
  applied: 'urn:etsi:019102:constraintStatus:applied',
  disabled: 'urn:etsi:019102:constraintStatus:disabled',
} as const;

/** The validation process of EN 319 102-1 §5.6, for signatures with archival data. */
export const processUri = 'urn:etsi:019102:validationprocess:LTA';

/** The identifier of a digest algorithm, by its OID if XML defines none. @spec RFC 3061 §2 */
export function digestIdentifier(digest: DigestAlgorithm): string {
  return digest === 'shake256' ? `urn:oid:${oids.shake256}` : digestUri(digest);
}
