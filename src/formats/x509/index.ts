/** Certificates, CRLs, OCSP and algorithm identifiers: bytes to values and back, no judgement. */
export { type Certificate, parseCertificate, serialHex } from './certificate.ts';
export { type CertificateExtensions, keyUsageBits } from './extensions.ts';
export {
  type DigestAlgorithm,
  digestLengths,
  parseDigestAlgorithm,
  parseSignatureAlgorithm,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from './signature-algorithm.ts';
