import { equalBytes } from '../../base/bytes.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { oids } from '../../formats/asn1/index.ts';
import {
  canonicalSignedAttributes,
  parseSignedData,
  readContentType,
  readMessageDigest,
  type SignedData,
  type SignerInfo,
} from '../../formats/cms/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  describeAlgorithm,
  type SignatureAlgorithm,
} from '../../formats/x509/index.ts';
import type { CertificatePool } from '../../trust/path.ts';
import { digestOf, verifySignature } from '../../trust/signature.ts';
import { listSignerCertificates } from '../../trust/signer-certificates.ts';
import type { Finding } from '../report.ts';
import type { SignatureObject } from './signature-objects.ts';

/** What the CMS of a signature says and whether its mathematics hold. */
export interface CmsVerdict {
  readonly signedData?: SignedData | undefined;
  readonly signerInfo?: SignerInfo | undefined;
  /** The certificate whose key verifies the signature. */
  readonly certificate?: Certificate | undefined;
  readonly intact: boolean;
  /** Set when not intact. @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: 'FORMAT_FAILURE' | 'HASH_FAILURE' | 'SIG_CRYPTO_FAILURE' | string;
  readonly findings: readonly Finding[];
}

const detached = new Set(['ETSI.CAdES.detached', 'adbe.pkcs7.detached']);

/**
 * Verifies digest and signature value of a CMS signature over the covered bytes, with the
 * certificate that the signed attributes bind; without that binding, the one the signer names.
 */
export function verifyCmsSignature(evidence: SignatureObject, pool: CertificatePool): CmsVerdict {
  if (evidence.findings.length > 0) return fail('FORMAT_FAILURE', evidence.findings);
  const known = detached.has(evidence.subFilter) || evidence.subFilter === 'adbe.pkcs7.sha1';
  if (!known) {
    return fail('FORMAT_FAILURE', [
      error('signature.format.unsupported', `/SubFilter /${evidence.subFilter} is not checked`),
    ]);
  }
  let signedData: SignedData;
  try {
    signedData = parseSignedData(evidence.contents);
  } catch (thrown) {
    if (!isInnsigliError(thrown)) throw thrown;
    return fail('FORMAT_FAILURE', [error('signature.cms.invalid', thrown.message)]);
  }
  for (const der of signedData.certificates) pool.add(der);
  const [signerInfo, ...others] = signedData.signerInfos;
  if (signerInfo === undefined || others.length > 0) {
    const found = signedData.signerInfos.length;
    const finding = error('signature.cms.signers', `expected one SignerInfo, found ${found}`);
    return fail('FORMAT_FAILURE', [finding], signedData);
  }
  const embedsDigest = evidence.subFilter === 'adbe.pkcs7.sha1';
  return verifySigner(signedData, signerInfo, { ...evidence, embedsDigest }, pool);
}

/** What a signer must have signed. */
export interface SignedContent {
  /** The digest over the content. */
  digest(algorithm: DigestAlgorithm): Uint8Array;
  /** The content in one piece: only for the rare signature that needs it so. */
  coveredBytes(): Uint8Array;
  /** The CMS carries the SHA-1 of the content, and that is what was signed; else it is detached. */
  readonly embedsDigest: boolean;
}

/**
 * Verifies digest and signature value of one signer of a SignedData over detached content, with
 * the certificate that the signed attributes bind; without that binding, the one the signer
 * names. The certificates of the SignedData must stand in the pool.
 *
 * @spec RFC 5652 §5.4, §5.6
 */
export function verifySigner(
  signedData: SignedData,
  signerInfo: SignerInfo,
  content: SignedContent,
  pool: CertificatePool,
): CmsVerdict {
  const { candidates } = listSignerCertificates(signerInfo, signedData.certificates, pool);
  const [first] = candidates;
  if (first === undefined) {
    const finding = error('signature.certificate.missing', 'the signing certificate is missing');
    return fail('NO_SIGNING_CERTIFICATE_FOUND', [finding], signedData, signerInfo);
  }
  const broken = (subIndication: string, finding: Finding) =>
    fail(subIndication, [finding], signedData, signerInfo, first);
  const statement = readStatement(content, signedData, signerInfo);
  if (statement.failure !== undefined) return broken(...statement.failure);
  const { algorithm, forms } = statement;
  for (const form of forms) {
    const signed = form();
    if (signed === undefined) continue;
    const certificate = candidates.find((candidate) =>
      verifySignature(algorithm, candidate, signed, signerInfo.signature),
    );
    if (certificate === undefined) continue;
    return { signedData, signerInfo, certificate, intact: true, findings: [] };
  }
  const message = 'the bytes were changed, or another key was used';
  return broken('SIG_CRYPTO_FAILURE', error('signature.value.invalid', message));
}

/** The forms of what the signature value is over, or why none of them may be. */
type Statement =
  | { readonly failure: readonly [subIndication: string, finding: Finding] }
  | {
      readonly failure?: undefined;
      readonly algorithm: SignatureAlgorithm;
      readonly forms: readonly (() => Uint8Array | undefined)[];
    };

function readStatement(
  covered: SignedContent,
  signedData: SignedData,
  signerInfo: SignerInfo,
): Statement {
  const { digest, signatureAlgorithm: algorithm } = signerInfo;
  if (digest === undefined || algorithm === undefined) {
    const oid = digest === undefined ? signerInfo.digestOid : signerInfo.signatureOid;
    const message = `the algorithm ${describeAlgorithm(oid)} is not supported`;
    const finding = error('signature.algorithm.unsupported', message);
    return { failure: ['CRYPTO_CONSTRAINTS_FAILURE_NO_POE', finding] };
  }
  const content = contentDigest(covered, signedData, digest);
  if (typeof content === 'string') {
    return { failure: ['HASH_FAILURE', error('signature.digest.mismatch', content)] };
  }
  const { signedAttributesDer } = signerInfo;
  if (signedAttributesDer === undefined) {
    return { algorithm, forms: [() => signedData.content ?? covered.coveredBytes()] };
  }
  const [repeated] = signerInfo.repeatedAttributes;
  if (repeated !== undefined) {
    const finding = error('signature.attributes.repeated', `attribute ${repeated} occurs twice`);
    return { failure: ['FORMAT_FAILURE', finding] };
  }
  if (readContentType(signerInfo) !== signedData.contentType) {
    const finding = error('signature.content-type.mismatch', 'content-type is not the signed type');
    return { failure: ['FORMAT_FAILURE', finding] };
  }
  const stated = readMessageDigest(signerInfo);
  if (stated === undefined || !equalBytes(stated, content)) {
    const finding = error('signature.digest.mismatch', 'the covered bytes were changed');
    return { failure: ['HASH_FAILURE', finding] };
  }
  // BER signers may have sorted the attributes only for signing. RFC 5652 §5.4
  const forms = [() => signedAttributesDer, () => canonicalSignedAttributes(signerInfo)];
  return { algorithm, forms };
}

/** The digest that message-digest must repeat, or why there is none. */
function contentDigest(
  covered: SignedContent,
  signedData: SignedData,
  digest: DigestAlgorithm,
): Uint8Array | string {
  if (!covered.embedsDigest) {
    if (signedData.content === undefined) return covered.digest(digest);
    return 'expected a detached signature, found embedded content';
  }
  const { content } = signedData;
  if (content === undefined) return 'the embedded SHA-1 digest is missing';
  if (!equalBytes(content, covered.digest('sha1'))) return 'the covered bytes were changed';
  return digestOf(digest, content);
}

/**
 * The digest that binds the covered bytes: with embedded content SHA-1, else that of the signer,
 * which need not be the one that the signature algorithm names.
 */
export function bindingDigest({ signedData, signerInfo }: CmsVerdict): DigestAlgorithm | undefined {
  return signedData?.content === undefined ? signerInfo?.digest : 'sha1';
}

/** The tokens in the unsigned attributes, DER. */
export function signatureTimestamps(signerInfo: SignerInfo): readonly Uint8Array[] {
  const values = signerInfo.unsignedAttributes?.get(oids.signatureTimeStampToken) ?? [];
  return values.map((node) => node.bytes.subarray(node.start, node.end));
}

function error(code: string, message: string): Finding {
  return { code, severity: 'error', message };
}

function fail(
  subIndication: string,
  findings: readonly Finding[],
  signedData?: SignedData,
  signerInfo?: SignerInfo,
  certificate?: Certificate,
): CmsVerdict {
  return { signedData, signerInfo, certificate, intact: false, subIndication, findings };
}
