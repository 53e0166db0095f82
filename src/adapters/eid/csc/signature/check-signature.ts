import { constants, verify } from 'node:crypto';
import { createDigest, equalBytes } from '../../../../base/bytes.ts';
import { attemptAny } from '../../../../base/errors.ts';
import { der, oids, readDer } from '../../../../formats/asn1/index.ts';
import {
  canonicalSignedAttributes,
  findAttributeFault,
  findBindingFault,
  listSignerReferences,
  parseSignedData,
  readContentType,
  readMessageDigest,
  type SignerInfo,
} from '../../../../formats/cms/index.ts';
import { type Certificate, digestLengths, equalNames } from '../../../../formats/x509/index.ts';
import { answerFault, publicKeyOf, readOr } from '../../provider-answer.ts';
import { isChosen, type SignatureChoice } from './signature-choice.ts';

/**
 * The value of a raw signature over `data` that the key of the certificate made; ECDSA as DER,
 * also where the provider gives r and s one after the other.
 *
 * @throws EidError `invalidResponse` when it is none
 */
export function requireSignature(
  value: Uint8Array,
  choice: SignatureChoice,
  certificate: Certificate,
  data: Uint8Array,
): Uint8Array {
  for (const form of choice.name === 'ecdsa' ? formsOf(value) : [value]) {
    if (isSignature(form, choice, certificate, data)) return form;
  }
  throw answerFault('the signature value does not match the certificate and the order');
}

/** An ECDSA value as it stands, and as DER of its halves. @spec BSI TR-03111 §5.2 */
function formsOf(value: Uint8Array): readonly Uint8Array[] {
  const half = value.length / 2;
  if (!Number.isInteger(half) || half < 28 || half > 66) return [value];
  const integers = [value.subarray(0, half), value.subarray(half)].map((part) =>
    der.integerFromContent(unsignedContent(part)),
  );
  return [value, der.sequence(...integers)];
}

/** Content of an INTEGER: as short as it can be, and not negative. */
function unsignedContent(part: Uint8Array): Uint8Array {
  const start = part.findIndex((byte) => byte !== 0);
  const digits = start < 0 ? Uint8Array.of(0) : part.subarray(start);
  return (digits[0] as number) < 0x80 ? digits : Buffer.concat([Uint8Array.of(0), digits]);
}

function isSignature(
  value: Uint8Array,
  { name, digest }: SignatureChoice,
  certificate: Certificate,
  data: Uint8Array,
): boolean {
  const key = publicKeyOf(certificate);
  const types = { 'rsa-pkcs1': ['rsa'], 'rsa-pss': ['rsa', 'rsa-pss'], ecdsa: ['ec'] };
  if (!types[name].includes(key.asymmetricKeyType ?? '')) return false;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const pss = name === 'rsa-pss' ? { padding, saltLength: digestLengths[digest] } : {};
  return attemptAny(() => verify(digest, data, { key, ...pss }, value)) ?? false;
}

/**
 * Accepts a detached SignedData of one signer over a digest, by the certificate.
 *
 * @throws EidError `invalidResponse` when it is another
 * @spec RFC 5652 §5.3, §5.4, §11; ETSI EN 319 142-1 §6.3
 */
export function requireCms(
  cms: Uint8Array,
  choice: SignatureChoice,
  certificate: Certificate,
  digest: Uint8Array,
): void {
  const signer = onlySigner(cms, certificate);
  const signed = signer.signedAttributesDer;
  const messageDigest = readMessageDigest(signer);
  if (signed === undefined || messageDigest === undefined) {
    throw answerFault('the CMS signs no digest');
  }
  if (!equalBytes(messageDigest, digest)) throw answerFault('the CMS covers a different digest');
  const misplaced = findAttributeFault(signer) ?? findBindingFault(signer);
  const isOdd = signer.repeatedAttributes.length > 0 || misplaced !== undefined;
  if (readContentType(signer) !== oids.data || isOdd) {
    throw answerFault('the CMS has unexpected signed attributes');
  }
  const isDigestChosen = signer.digest === choice.digest && !signer.isNamedBySignature;
  if (!isDigestChosen || !isChosen(choice, signer.signatureAlgorithm)) {
    throw answerFault('the CMS has a different algorithm than requested');
  }
  if (!namesSigner(signer, certificate)) throw answerFault('the CMS names a different signer');
  requireReference(signer, certificate);
  if (canonicalSignedAttributes(signer) !== undefined) {
    throw answerFault('the signed attributes of the CMS are not DER');
  }
  if (!isSignature(signer.signature, choice, certificate, signed)) {
    throw answerFault('the signature of the CMS does not match the certificate');
  }
}

function onlySigner(cms: Uint8Array, certificate: Certificate): SignerInfo {
  const parsed = readOr('the response is not a CMS', () => {
    readDer(cms);
    return parseSignedData(cms);
  });
  const [signer, second] = parsed.signerInfos;
  if (signer === undefined || second !== undefined)
    throw answerFault('the CMS does not have ' + 'exactly one signer');
  if (parsed.content !== undefined || parsed.contentType !== oids.data) {
    throw answerFault('the CMS is not detached');
  }
  if (!parsed.certificates.some((found) => equalBytes(found, certificate.der))) {
    throw answerFault('the CMS lacks the certificate of the credential');
  }
  return signer;
}

/** The signer identifier is that of the certificate. @spec RFC 5652 §5.3 */
function namesSigner(signer: SignerInfo, certificate: Certificate): boolean {
  const { issuerDer, serialNumber, subjectKeyId } = signer;
  if (issuerDer === undefined || serialNumber === undefined) {
    const own = certificate.extensions.subjectKeyId;
    return subjectKeyId !== undefined && own !== undefined && equalBytes(subjectKeyId, own);
  }
  const isSerial = equalBytes(serialNumber, certificate.serialNumber);
  return isSerial && equalNames(issuerDer, certificate.issuerDer);
}

/** The signer names its certificate under its signature. @spec RFC 5035 §5 */
function requireReference(signer: SignerInfo, certificate: Certificate): void {
  const references = listSignerReferences(signer);
  const isNamed =
    references.length > 0 &&
    references.every(({ digest, certificateHash }) => {
      if (digest === undefined) return false;
      return equalBytes(createDigest(digest).update(certificate.der).digest(), certificateHash);
    });
  if (!isNamed) throw answerFault('the CMS names a different certificate');
}
