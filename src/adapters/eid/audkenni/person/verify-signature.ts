import { constants, createHash, type KeyObject, publicDecrypt, verify } from 'node:crypto';
import { equalBytes } from '../../../../base/bytes.ts';
import { attemptAny } from '../../../../base/errors.ts';
import { der, oids } from '../../../../formats/asn1/index.ts';
import {
  findAttributeFault,
  findBindingFault,
  parseSignedData,
  readContentType,
  readMessageDigest,
  type SignedData,
  type SignerInfo,
} from '../../../../formats/cms/index.ts';
import {
  type Certificate,
  digestLengths,
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
} from '../../../../formats/x509/index.ts';
import { publicKeyOf, readCertificate, readOr, responseFault } from '../../provider-answer.ts';

/** A hash and its algorithm. */
export interface SignedHash {
  readonly digest: 'sha256' | 'sha512';
  readonly value: Uint8Array;
}

/** Hashes a message. */
export function hashOf(digest: SignedHash['digest'], message: Uint8Array): SignedHash {
  return { digest, value: new Uint8Array(createHash(digest).update(message).digest()) };
}

const LEAST_RSA_BITS = 2_048;

/**
 * Checks an RSASSA-PKCS1-v1_5 signature value over a hash.
 *
 * @throws EidError `invalidResponse`
 * @spec RFC 8017 §8.2.2
 */
export function requireRawSignature(
  value: Uint8Array,
  certificate: Certificate,
  hash: SignedHash,
): void {
  if (isRawSignature(value, strongKeyOf(certificate), hash)) return;
  throw responseFault('the signature does not match the certificate and the data that was sent');
}

/**
 * Verifies the signature of a CMS over content with that hash, and returns its certificates, that
 * of the signer first.
 *
 * @throws EidError `invalidResponse`
 * @spec RFC 5652 §5.4, §5.6
 */
export function requireCms(cms: Uint8Array, hash: SignedHash): readonly Uint8Array[] {
  const signedData = readOr('the CMS cannot be read', () => parseSignedData(cms));
  const [signer, ...others] = signedData.signerInfos;
  if (signer === undefined || others.length > 0)
    throw responseFault('the CMS: expected one signer');
  const isStated = signer.digest === hash.digest && !signer.isNamedBySignature;
  if (!isStated || signedData.contentType !== oids.data) {
    throw responseFault(`the CMS: expected plain data with ${hash.digest}`);
  }
  const certificate = signerCertificate(signedData, signer);
  if (!isSignatureOf(signer, certificate, hash)) {
    throw responseFault('the CMS: its signature does not cover the data that was sent');
  }
  const rest = signedData.certificates.filter((each) => !equalBytes(each, certificate.der));
  return [certificate.der, ...rest];
}

const MOST_CERTIFICATES = 16;

function signerCertificate(signedData: SignedData, signer: SignerInfo): Certificate {
  const { issuerDer, serialNumber, subjectKeyId } = signer;
  if (signedData.certificates.length > MOST_CERTIFICATES) {
    throw responseFault(`the CMS: expected at most ${MOST_CERTIFICATES} certificates`);
  }
  const found = signedData.certificates
    .map((der) => readCertificate(der))
    .find((each) => {
      const keyId = each.extensions.subjectKeyId;
      if (subjectKeyId !== undefined) return keyId !== undefined && equalBytes(keyId, subjectKeyId);
      if (issuerDer === undefined || serialNumber === undefined) return false;
      return equalBytes(each.issuerDer, issuerDer) && equalBytes(each.serialNumber, serialNumber);
    });
  if (found === undefined) throw responseFault('the CMS: expected the certificate of the signer');
  return found;
}

function isSignatureOf(signer: SignerInfo, certificate: Certificate, hash: SignedHash): boolean {
  const { signedAttributesDer, signatureAlgorithm, signature, repeatedAttributes } = signer;
  const key = strongKeyOf(certificate);
  if (signatureAlgorithm === undefined || repeatedAttributes.length > 0) return false;
  const misplaced = findAttributeFault(signer) ?? findBindingFault(signer);
  if (misplaced !== undefined) return false;
  if (signedAttributesDer === undefined) {
    return signatureAlgorithm.scheme === 'rsa-pkcs1' && isRawSignature(signature, key, hash);
  }
  const digest = readMessageDigest(signer);
  if (digest === undefined || !equalBytes(digest, hash.value)) return false;
  if (readContentType(signer) !== oids.data) return false;
  return isSigned(signatureAlgorithm, key, signedAttributesDer, signature);
}

const strongDigests: readonly string[] = ['sha256', 'sha384', 'sha512'];
const keyTypes: Readonly<Record<string, string>> = {
  'rsa-pkcs1': 'rsa',
  'rsa-pss': 'rsa',
  ecdsa: 'ec',
};

function isSigned(
  { scheme, digest, saltLengthBytes = 20 }: SignatureAlgorithm,
  key: KeyObject,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (keyTypes[scheme] !== key.asymmetricKeyType || !strongDigests.includes(digest)) return false;
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const pss = scheme === 'rsa-pss' ? { padding, saltLength: saltLengthBytes } : {};
  return attemptAny(() => verify(digest, data, { key, ...pss }, signature)) ?? false;
}

function isRawSignature(value: Uint8Array, key: KeyObject, hash: SignedHash): boolean {
  const { digest, value: hashed } = hash;
  if (key.asymmetricKeyType !== 'rsa' || hashed.length !== digestLengths[digest]) return false;
  // RFC 8017 §8.2.2 step 1. The underlying library accepts values without their leading zero bytes.
  const { modulusLength = 0 } = key.asymmetricKeyDetails ?? {};
  if (value.length !== Math.ceil(modulusLength / 8)) return false;
  // Only the hash is available, no message: the padding is removed and the DigestInfo compared.
  const identifier = serializeDigestAlgorithm(digest).subarray(2);
  const withNull = der.sequence(identifier, der.nil());
  const expected = [withNull, der.sequence(identifier)].map((algorithm) =>
    der.sequence(algorithm, der.octetString(hashed)),
  );
  const padding = constants.RSA_PKCS1_PADDING;
  const found = attemptAny(() => publicDecrypt({ key, padding }, value));
  return found !== undefined && expected.some((info) => equalBytes(info, found));
}

function strongKeyOf(certificate: Certificate): KeyObject {
  const key = publicKeyOf(certificate);
  const { modulusLength = LEAST_RSA_BITS } = key.asymmetricKeyDetails ?? {};
  if (modulusLength < LEAST_RSA_BITS)
    throw responseFault('the key of the certificate is too short');
  return key;
}
