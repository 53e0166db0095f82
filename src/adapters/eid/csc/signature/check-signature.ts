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
import { publicKeyOf, readOr, responseFault } from '../../provider-answer.ts';
import { isChosen, type SignatureChoice } from './signature-choice.ts';

/**
 * Verifies a raw signature over `data` with the certificate and returns its value. ECDSA values are
 * returned as DER, even if the provider returns r and s concatenated.
 *
 * @throws EidError `invalidResponse` if it is not valid
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
  throw responseFault('the signature value does not match the certificate and the order');
}

/** An ECDSA value as received, and its two halves as DER. @spec BSI TR-03111 §5.2 */
function formsOf(value: Uint8Array): readonly Uint8Array[] {
  const half = value.length / 2;
  if (!Number.isInteger(half) || half < 28 || half > 66) return [value];
  const integers = [value.subarray(0, half), value.subarray(half)].map((part) =>
    der.integerFromContent(unsignedContent(part)),
  );
  return [value, der.sequence(...integers)];
}

/** Content of a non-negative INTEGER of minimum length. */
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
 * Verifies a detached SignedData with one signer over a digest, using the certificate.
 *
 * @throws EidError `invalidResponse` if it is not valid
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
    throw responseFault('the CMS signs no digest');
  }
  if (!equalBytes(messageDigest, digest)) throw responseFault('the CMS covers a different digest');
  const misplaced = findAttributeFault(signer) ?? findBindingFault(signer);
  const isOdd = signer.repeatedAttributes.length > 0 || misplaced !== undefined;
  if (readContentType(signer) !== oids.data || isOdd) {
    throw responseFault('the CMS has unexpected signed attributes');
  }
  const isDigestChosen = signer.digest === choice.digest && !signer.isNamedBySignature;
  if (!isDigestChosen || !isChosen(choice, signer.signatureAlgorithm)) {
    throw responseFault('the CMS has a different algorithm than requested');
  }
  if (!namesSigner(signer, certificate)) throw responseFault('the CMS names a different signer');
  requireReference(signer, certificate);
  if (canonicalSignedAttributes(signer) !== undefined) {
    throw responseFault('the signed attributes of the CMS are not DER');
  }
  if (!isSignature(signer.signature, choice, certificate, signed)) {
    throw responseFault('the signature of the CMS does not match the certificate');
  }
}

function onlySigner(cms: Uint8Array, certificate: Certificate): SignerInfo {
  const parsed = readOr('the response is not a CMS', () => {
    readDer(cms);
    return parseSignedData(cms);
  });
  const [signer, second] = parsed.signerInfos;
  if (signer === undefined || second !== undefined)
    throw responseFault('the CMS does not have exactly one signer');
  if (parsed.content !== undefined || parsed.contentType !== oids.data) {
    throw responseFault('the CMS is not detached');
  }
  if (!parsed.certificates.some((found) => equalBytes(found, certificate.der))) {
    throw responseFault('the CMS lacks the certificate of the credential');
  }
  return signer;
}

/** Whether the signer identifier refers to the certificate. @spec RFC 5652 §5.3 */
function namesSigner(signer: SignerInfo, certificate: Certificate): boolean {
  const { issuerDer, serialNumber, subjectKeyId } = signer;
  if (issuerDer === undefined || serialNumber === undefined) {
    const own = certificate.extensions.subjectKeyId;
    return subjectKeyId !== undefined && own !== undefined && equalBytes(subjectKeyId, own);
  }
  const isSerial = equalBytes(serialNumber, certificate.serialNumber);
  return isSerial && equalNames(issuerDer, certificate.issuerDer);
}

/** Requires a signed reference to the signer's certificate. @spec RFC 5035 §5 */
function requireReference(signer: SignerInfo, certificate: Certificate): void {
  const references = listSignerReferences(signer);
  const isNamed =
    references.length > 0 &&
    references.every(({ digest, certificateHash }) => {
      if (digest === undefined) return false;
      return equalBytes(createDigest(digest).update(certificate.der).digest(), certificateHash);
    });
  if (!isNamed) throw responseFault('the CMS names a different certificate');
}
