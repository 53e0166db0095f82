/** Certificates, CRLs, OCSP and algorithm identifiers: bytes to values and back, no judgement. */
export { type Certificate, parseCertificate, serialHex } from './certificate.ts';
// biome-ignore format: one line a module keeps this entry short
export { assembleCertificate, buildCertificateTbs, type CertificateExtensionInput, type CertificateInput } from './certificate-builder.ts';
// biome-ignore format: one line a module keeps this entry short
export { buildCrl, type CertificateList, type CrlInput, type CrlScope, parseCrl, type RevokedEntry } from './crl.ts';
export { type CertificateExtensions, keyUsageBits } from './extensions.ts';
// biome-ignore format: one line a module keeps this entry short
export { buildName, commonNameOf, comparableName, comparableRdns, describeName, emailAddressesOf, equalNames, type NameAttributes } from './name.ts';
export {
  type OcspBasicResponse,
  type OcspCertificateId,
  type OcspRequest,
  type OcspResponse,
  type OcspResponseStatus,
  type OcspSingleResponse,
  parseBasicOcspResponse,
  parseOcspRequest,
  parseOcspResponse,
} from './ocsp.ts';
// biome-ignore format: one line a module keeps this entry short
export { buildOcspFailure, buildOcspRequest, buildOcspResponse, type OcspResponseInput } from './ocsp-builder.ts';
export {
  type DigestAlgorithm,
  digestLengths,
  parseDigestAlgorithm,
  parseSignatureAlgorithm,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from './signature-algorithm.ts';
