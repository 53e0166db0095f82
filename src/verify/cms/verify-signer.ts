import { equalBytes } from '../../base/bytes.ts';
import { oids } from '../../formats/asn1/index.ts';
import {
  canonicalSignedAttributes,
  findAttributeFault,
  findOtherAlgorithm,
  listSignerReferences,
  looksLikeSignedAttributes,
  readContentType,
  readMessageDigest,
  type SignedData,
  type SignerInfo,
  valueBytesOf,
} from '../../formats/cms/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  describeAlgorithm,
  type SignatureAlgorithm,
} from '../../formats/x509/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { digestOf, verifySignature } from '../../trust/signature.ts';
import { listSignerCertificates, namesCertificate } from '../../trust/signer-certificates.ts';
import { buildFinding, type FindingCode } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { CmsVerdict } from './cms-verdict.ts';

/** Content whose signature is verified. */
export interface SignedContent {
  /** The digest over the content. */
  digest(algorithm: DigestAlgorithm): Uint8Array;
  /** The content in one piece, for the rare signatures that need it. */
  coveredBytes(): Uint8Array;
  /** Whether the CMS embeds the SHA-1 digest of the content, which is what was signed. */
  readonly embedsDigest: boolean;
  /** True for a countersignature: the content is the signature value of another signer. */
  readonly isSignatureValue?: true;
}

/**
 * Verifies digest and signature value of one signer of a SignedData over the content, with the
 * certificate that the signed attributes bind, or without such a binding, the one that the signer
 * identifies. If the SignedData also embeds content, it must be identical. The certificates of the
 * SignedData must be in the pool.
 *
 * @spec RFC 5652 §5.4, §5.6
 */
export function verifySigner(
  signedData: SignedData,
  signerInfo: SignerInfo,
  content: SignedContent,
  pool: CertificatePool,
): CmsVerdict {
  const contentDigest = content.embedsDigest ? 'sha1' : signerInfo.digest;
  const own = signedData.certificates;
  const { candidates, misnamed } = listSignerCertificates(signerInfo, own, pool);
  const [certificate] = candidates;
  const known = { signedData, signerInfo, contentDigest };
  const broken = checkAttributes(signerInfo);
  if (broken !== undefined) return { ...known, certificate, intact: false, ...broken };
  if (certificate === undefined) {
    const message = 'the signing certificate is missing';
    const fault = fail('NO_SIGNING_CERTIFICATE_FOUND', 'signature.certificate.missing', message);
    // The owner of the key is unknown, but the signed data is unchanged.
    const intact = misnamed.some((each) => fits(each, signedData, signerInfo, content));
    return { ...known, intact, ...fault };
  }
  const fault = findContentFault(content, signedData, signerInfo);
  if (fault !== undefined) return { ...known, certificate, intact: false, ...fault };
  // Never undefined here: findContentFault reports that case.
  const algorithm = signerInfo.signatureAlgorithm as SignatureAlgorithm;
  const signed = signerInfo.signedAttributesDer ?? signedData.content ?? content.coveredBytes();
  const holds = (bytes: Uint8Array) =>
    candidates.find((each) => verifySignature(algorithm, each, bytes, signerInfo.signature));
  const der = canonicalSignedAttributes(signerInfo);
  const maker = holds(der ?? signed);
  if (maker !== undefined) {
    const stripped = signerInfo.signedAttributes === undefined ? checkStripped(signed) : undefined;
    const unsure = checkNamed(signerInfo) ?? checkListed(signedData, signerInfo, content);
    const doubt = stripped ?? unsure;
    const own = { ...known, certificate: maker };
    return doubt === undefined
      ? { ...own, intact: true, findings: noteMisfit(signerInfo, maker) }
      : { ...own, intact: false, ...doubt };
  }
  const other = der === undefined ? undefined : holds(signed);
  if (other !== undefined) return { ...known, certificate: other, intact: false, ...notDer };
  const message =
    signerInfo.signedAttributes === undefined
      ? 'the bytes were changed, or a different key was used'
      : 'the signature was not made with this key';
  return {
    ...known,
    certificate,
    intact: false,
    ...fail('SIG_CRYPTO_FAILURE', 'signature.value.invalid', message),
  };
}

/**
 * The finding about a reference that binds the certificate by its digest but states a different
 * issuer or serial number.
 *
 * @spec ETSI EN 319 102-1 §5.2.3 step 3
 */
function noteMisfit(signerInfo: SignerInfo, certificate: Certificate): readonly Finding[] {
  const references = listSignerReferences(signerInfo);
  if (references.every((one) => namesCertificate(one, certificate))) return [];
  const message = 'issuer or serial number in signing-certificate do not match its digest';
  return [buildFinding('signature.certificate.misfit', message)];
}

/** Reason why a signature is not intact. */
type Fault = Pick<CmsVerdict, 'isOpen' | 'subIndication' | 'findings'>;

/**
 * Fault of a signature over the signed attributes as encoded, not over their DER encoding: some
 * validators accept it, others do not.
 *
 * @spec RFC 5652 §5.4
 */
const notDer = leaveOpen(
  'SIG_CRYPTO_FAILURE',
  'signature.attributes.not-der',
  'the signature matches the signed attributes as encoded, but not their DER encoding',
);

/**
 * A signature over signed attributes also verifies as one without attributes over content that is
 * the DER of those attributes: bytes that no one signed as content.
 *
 * @spec RFC 5652 §5.3, §5.4
 */
function checkStripped(signed: Uint8Array): Fault | undefined {
  if (!looksLikeSignedAttributes(signed)) return undefined;
  const message = 'the content is the signed attributes of a different signature';
  return leaveOpen('SIG_CONSTRAINTS_FAILURE', 'signature.attributes.stripped', message);
}

/**
 * A digest algorithm identified by a signature algorithm: some programs use its digest, others find
 * no digest algorithm.
 *
 * @spec RFC 5652 §5.3, §10.1.1
 */
function checkNamed({ isNamedBySignature, digest, digestOid }: SignerInfo): Fault | undefined {
  if (!isNamedBySignature) return undefined;
  const message = `expected the identifier of ${digest}, found a signature algorithm, ${digestOid}`;
  return leaveOpen('FORMAT_FAILURE', 'signature.digest.named', message);
}

/**
 * Some programs digest detached content only with the algorithms of this list, and fail for a
 * signer whose algorithm is not in it.
 *
 * @spec RFC 5652 §5.1
 */
function checkListed(
  { digestAlgorithms, content }: SignedData,
  { digestOid, digest }: SignerInfo,
  { isSignatureValue }: SignedContent,
): Fault | undefined {
  if (content !== undefined || isSignatureValue) return undefined;
  const isListed = digestAlgorithms.some((one) => {
    const isSame = digest !== undefined && one.digest === digest && !one.isNamedBySignature;
    return isSame || one.digestOid === digestOid;
  });
  if (isListed) return undefined;
  const expected = digest ?? digestOid;
  const message = `the SignedData does not list the digest algorithm of the signer, ${expected}`;
  return leaveOpen('FORMAT_FAILURE', 'signature.digest.unlisted', message);
}

/** Whether the content matches and the key of this certificate verifies the signature. */
function fits(
  certificate: Certificate,
  signedData: SignedData,
  signerInfo: SignerInfo,
  content: SignedContent,
): boolean {
  const { signatureAlgorithm: algorithm, signature } = signerInfo;
  if (algorithm === undefined || findContentFault(content, signedData, signerInfo)) return false;
  const signed =
    canonicalSignedAttributes(signerInfo) ??
    signerInfo.signedAttributesDer ??
    signedData.content ??
    content.coveredBytes();
  return verifySignature(algorithm, certificate, signed, signature);
}

/** The fault of attributes that are repeated or misplaced. Undefined if there is none. */
function checkAttributes(signerInfo: SignerInfo): Fault | undefined {
  const [repeated] = signerInfo.repeatedAttributes;
  if (repeated !== undefined) {
    const message = `attribute ${repeated} occurs twice`;
    return fail('FORMAT_FAILURE', 'signature.attributes.repeated', message);
  }
  const message = findAttributeFault(signerInfo);
  if (message === undefined) return undefined;
  return fail('FORMAT_FAILURE', 'signature.attributes.invalid', message);
}

/** The fault found before the signature value is verified. Undefined if there is none. */
function findContentFault(
  covered: SignedContent,
  signedData: SignedData,
  signerInfo: SignerInfo,
): Fault | undefined {
  const { digest, signatureAlgorithm, signedAttributes } = signerInfo;
  if (digest === undefined || signatureAlgorithm === undefined) {
    const oid = digest === undefined ? signerInfo.digestOid : signerInfo.signatureOid;
    const message = `the algorithm ${describeAlgorithm(oid)} is not supported`;
    return fail('CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'signature.algorithm.unsupported', message);
  }
  const content = contentDigestOf(covered, signedData, digest);
  if (typeof content === 'string') {
    return fail('HASH_FAILURE', 'signature.digest.mismatch', content);
  }
  if (signedAttributes === undefined) return findOtherContent(covered, signedData);
  // A signature value has no content type. RFC 5652 §11.4
  const type = covered.isSignatureValue === true ? undefined : signedData.contentType;
  if (readContentType(signerInfo) !== type) {
    const message = 'content-type is not the signed type';
    return fail('FORMAT_FAILURE', 'signature.content-type.mismatch', message);
  }
  const other = findOtherAlgorithm(signerInfo);
  if (other !== undefined) {
    const message = `the signed attributes name a different ${other} algorithm than the signer`;
    return fail('SIG_CRYPTO_FAILURE', 'signature.algorithm.changed', message);
  }
  const stated = readMessageDigest(signerInfo);
  if (stated !== undefined && equalBytes(stated, content)) {
    return findOtherContent(covered, signedData);
  }
  if (stated === undefined) {
    // Without a digest there is no mismatch. EN 319 102-1 §5.2.7.3
    return fail('SIG_CRYPTO_FAILURE', 'signature.digest.mismatch', 'message-digest is missing');
  }
  return fail('HASH_FAILURE', 'signature.digest.mismatch', 'the covered bytes were changed');
}

/**
 * The signature is over the content embedded in the SignedData. It is invalid for other content,
 * even if that has the signed digest.
 *
 * @spec RFC 5652 §5.4, §5.6; ETSI EN 319 102-1 §5.2.7.4
 */
function findOtherContent(covered: SignedContent, { content }: SignedData): Fault | undefined {
  if (covered.embedsDigest || content === undefined) return undefined;
  if (equalBytes(content, covered.coveredBytes())) return undefined;
  const message = 'expected a detached signature, found different embedded content';
  return fail('SIG_CRYPTO_FAILURE', 'signature.digest.mismatch', message);
}

/** The digest that message-digest must contain, or the reason why there is none. */
function contentDigestOf(
  covered: SignedContent,
  { content }: SignedData,
  digest: DigestAlgorithm,
): Uint8Array | string {
  if (!covered.embedsDigest) return covered.digest(digest);
  if (content === undefined) return 'the embedded SHA-1 digest is missing';
  if (!equalBytes(content, covered.digest('sha1'))) return 'the covered bytes were changed';
  return digestOf(digest, content);
}

/** The time-stamp tokens in the unsigned attributes, DER. */
export function signatureTimestamps(signerInfo: SignerInfo): readonly Uint8Array[] {
  const values = signerInfo.unsignedAttributes.get(oids.signatureTimeStampToken) ?? [];
  return values.map(valueBytesOf);
}

function fail(subIndication: string, code: FindingCode, message: string): Fault {
  return { subIndication, findings: [buildFinding(code, message)] };
}

/** A fault about which programs disagree. It refutes nothing. */
function leaveOpen(...fault: Parameters<typeof fail>): Fault {
  return { isOpen: true, ...fail(...fault) };
}
