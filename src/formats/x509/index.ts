/** Certificates, CRLs, OCSP and algorithm identifiers: parsed and built, without validation. */
export { type Certificate, parseCertificate, serialHex } from './certificate.ts';
export type { CertificateExtensionInput } from './certificate-builder.ts';
export { assembleCertificate, buildCertificateTbs } from './certificate-builder.ts';
export { buildCrl, type CertificateList, parseCrl } from './crl.ts';
export { type CertificateExtensions, keyUsageBits } from './extensions.ts';
export { maskName, valueInName } from './mask-name.ts';
export {
  buildName,
  commonNameOf,
  comparableName,
  comparableRdns,
  describeName,
  emailAddressesOf,
  equalNames,
  organizationOf,
  parseName,
} from './name.ts';
export type {
  OcspBasicResponse,
  OcspCertificateId,
  OcspResponse,
  OcspSingleResponse,
} from './ocsp.ts';
export { ocspCertificateId, parseOcspRequest, parseOcspResponse } from './ocsp.ts';
export { buildOcspFailure, buildOcspRequest, buildOcspResponse } from './ocsp-builder.ts';
export { parseQcStatements, type QcStatements } from './qc-statements.ts';
export {
  type DigestAlgorithm,
  describeAlgorithm,
  digestLengths,
  parseDigestAlgorithm,
  parseSignatureAlgorithm,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from './signature-algorithm.ts';
