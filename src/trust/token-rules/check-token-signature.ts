import { equalBytes } from '../../base/bytes.ts';
import type { ErrorCode } from '../../base/errors.ts';
import { oids } from '../../formats/asn1/index.ts';
import {
  canonicalSignedAttributes,
  findAttributeFault,
  findBindingFault,
  findOtherAlgorithm,
  findOtherDigest,
  listSignerReferences,
  readContentType,
  readMessageDigest,
  type SignerInfo,
  type SigningCertificateReference,
} from '../../formats/cms/index.ts';
import type { TimestampToken } from '../../formats/tsp/index.ts';
import { type Certificate, describeAlgorithm } from '../../formats/x509/index.ts';
import { digestOf, verifySignature } from '../signature.ts';
import { bindsCertificate, namesCertificate } from '../signer-certificates.ts';

/** Error code of the first check that a token failed. */
export type TimestampProblem = Extract<ErrorCode, `tsa.${string}`>;

/** Status of a token that is neither accepted nor refuted. */
export interface TimestampDoubt {
  readonly subIndication:
    | 'CHAIN_CONSTRAINTS_FAILURE'
    | 'NO_SIGNING_CERTIFICATE_FOUND'
    | 'SIG_CONSTRAINTS_FAILURE'
    | 'SIG_CRYPTO_FAILURE';
  /** The signature is that of the certificate and covers the expected data. */
  readonly isIntact: boolean;
}

/** Reason for not accepting a token. Without a doubt, the token is refuted. */
export type TimestampFault = readonly [
  problem: TimestampProblem,
  message: string,
  doubt?: TimestampDoubt,
];

/** The fault of a token with an unsupported algorithm. */
export function unsupportedAlgorithm(oid: string): TimestampFault {
  const message = `the algorithm ${describeAlgorithm(oid)} is not supported`;
  return ['tsa.algorithm.unsupported', message];
}

/**
 * Verifies the signature of a token with the key of this certificate and returns its fault;
 * undefined if it is valid and its attributes bind content, certificate and algorithms.
 *
 * @spec RFC 3161 §2.4.2, RFC 5652 §5.4, §11, RFC 5816 §2.2, RFC 6211 §3
 */
export function checkTokenSignature(
  token: TimestampToken,
  signer: SignerInfo,
  certificate: Certificate,
): TimestampFault | undefined {
  const invalid = (message: string): TimestampFault => ['tsa.signature.invalid', message];
  const { digest, signatureAlgorithm, signedAttributesDer } = signer;
  if (digest === undefined) return unsupportedAlgorithm(signer.digestOid);
  if (signatureAlgorithm === undefined) return unsupportedAlgorithm(signer.signatureOid);
  if (signedAttributesDer === undefined) return invalid('the token has no signed attributes');
  if (signer.repeatedAttributes.length > 0) {
    return invalid(`signed attribute ${signer.repeatedAttributes[0]} occurs more than once`);
  }
  const misplaced = findAttributeFault(signer);
  if (misplaced !== undefined) return invalid(misplaced);
  const contentType = readContentType(signer);
  if (contentType !== oids.tstInfo) {
    return invalid(`content-type attribute: expected TSTInfo, found ${contentType ?? 'none'}`);
  }
  const stated = readMessageDigest(signer);
  if (stated === undefined || !equalBytes(stated, digestOf(digest, token.tstInfoDer))) {
    return invalid('the message digest does not match the content of the token');
  }
  const other = findOtherAlgorithm(signer);
  if (other !== undefined) {
    return invalid(`the signed attributes name a different ${other} algorithm than the signer`);
  }
  const hash = findOtherDigest(signer);
  if (hash !== undefined) return otherDigest(hash, digest);
  const open = signer.isNamedBySignature ? bySignature(digest) : undefined;
  const holds = (signed: Uint8Array) =>
    verifySignature(signatureAlgorithm, certificate, signed, signer.signature);
  const canonical = canonicalSignedAttributes(signer);
  if (holds(canonical ?? signedAttributesDer)) {
    return open ?? checkBinding(signer, certificate) ?? misbound(signer);
  }
  if (canonical !== undefined && holds(signedAttributesDer)) return notDer;
  return invalid('the signature was not made with the key of the authority');
}

/** For data that implementations interpret differently. */
const differing: TimestampDoubt = { subIndication: 'SIG_CRYPTO_FAILURE', isIntact: false };

/** A signature that some validators accept and others reject. @spec RFC 5652 §5.4 */
const notDer: TimestampFault = [
  'tsa.signature.invalid',
  'the signature matches the signed attributes as encoded, but not their DER encoding',
  differing,
];

/** Implementations use one of the two digest algorithms for both purposes. @spec RFC 8933 §3.1 */
function otherDigest(hash: string, digest: string): TimestampFault {
  const message = `the token is digested with ${digest}, and signed with ${hash}`;
  return ['tsa.signature.invalid', message, differing];
}

/** Programs derive the digest from a signature algorithm, or reject it. @spec RFC 5652 §10.1.1 */
function bySignature(digest: string): TimestampFault {
  const message = `expected the identifier of ${digest}, found a signature algorithm`;
  return ['tsa.signature.invalid', message, differing];
}

/** A binding that other implementations may not see. @spec RFC 5035 §2, §3 */
function misbound(signer: SignerInfo): TimestampFault | undefined {
  const message = findBindingFault(signer);
  return message === undefined ? undefined : ['tsa.signature.invalid', message, differing];
}

/**
 * Requires the attribute that binds the token to one certificate. A signature by another
 * certificate with the same key is not invalid. @spec RFC 3161 §2.4.2, EN 319 102-1 §5.2.3.4
 */
function checkBinding(signer: SignerInfo, certificate: Certificate): TimestampFault | undefined {
  const references = listSignerReferences(signer);
  if (references.length === 0) {
    const message = 'the signing-certificate attribute is missing';
    const doubt = { subIndication: 'SIG_CONSTRAINTS_FAILURE', isIntact: true } as const;
    return ['tsa.signature.invalid', message, doubt];
  }
  const fits = (one: SigningCertificateReference) =>
    bindsCertificate(one, certificate) && namesCertificate(one, certificate);
  if (references.every(fits)) return undefined;
  const message = 'the signing-certificate attribute names a different certificate';
  const doubt = { subIndication: 'NO_SIGNING_CERTIFICATE_FOUND', isIntact: true } as const;
  return ['tsa.signature.invalid', message, doubt];
}
