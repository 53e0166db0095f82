import { equalBytes, hexOf } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { readDer, readIntegerBytes, readSequence } from '../../formats/asn1/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { CertificateReference } from '../../formats/xades/index.ts';
import { fingerprintOf, type KeyHolder } from '../../trust/signature.ts';
import type { XmlContext } from './context.ts';
import { readKeyValue } from './key-value.ts';
import type { XmlSignatureObject } from './signature-object.ts';

/** A key that may have made a signature. */
export interface KeyCandidate {
  readonly key: KeyHolder;
  /** Undefined for a bare key, and for that of a certificate that is not bound. */
  readonly certificate: Certificate | undefined;
  /** Set when what the signer says of the certificate besides its digest does not fit. */
  readonly misfit?: string;
}

/** Certificates of one KeyInfo whose keys are tried. */
const MAX_UNBOUND = 16;

/**
 * The keys that may have made the signature, best first. A signature with SigningCertificate is
 * made by the first certificate that it binds by its digest and by no other, as in CMS (RFC 5035
 * §5.4.1); when that one is not there, the keys of KeyInfo are tried as keys of nobody. Without
 * it its certificates are tried, or the bare key there: whether they are trusted is not asked here.
 *
 * @spec ETSI EN 319 132-1 §5.2.2, ETSI EN 319 102-1 §5.2.3
 */
export function listKeys(
  { signature, properties }: XmlSignatureObject,
  embedded: readonly Certificate[],
  { certificates, pool }: XmlContext,
): readonly KeyCandidate[] {
  const [bound] = properties?.signed?.signingCertificates ?? [];
  const found = bound && findBound(bound, embedded, certificates);
  if (found !== undefined) return [found];
  const named = (signature?.keyInfo?.certificates ?? []).slice(0, MAX_UNBOUND).flatMap((der) => {
    const certificate = pool.add(der);
    if (certificate === undefined) return [];
    // Another one is bound: whose key it is stays open.
    return [{ key: certificate, certificate: bound === undefined ? certificate : undefined }];
  });
  if (named.length > 0) return named;
  const keyValue = signature?.keyInfo?.keyValue;
  const key = keyValue && readKeyValue(keyValue);
  return key === undefined ? [] : [{ key, certificate: undefined }];
}

function findBound(
  reference: CertificateReference,
  embedded: readonly Certificate[],
  certificates: XmlContext['certificates'],
): KeyCandidate | undefined {
  const { digest, digestValue } = reference;
  if (digest === undefined) return undefined;
  const fits = (each: Certificate) => equalBytes(fingerprintOf(each, digest), digestValue);
  const certificate = embedded.find(fits) ?? certificates.find(digest, digestValue);
  if (certificate === undefined) return undefined;
  const misfit = findMisfit(reference, certificate);
  return { key: certificate, certificate, ...defined({ misfit }) };
}

/** The digest decides; another serial number beside it is a mistake of the signer's software. */
function findMisfit(
  { serialNumber, issuerSerialDer }: CertificateReference,
  certificate: Certificate,
): string | undefined {
  const own = integerOf(certificate.serialNumber);
  const isSame =
    (serialNumber === undefined || (decimal.test(serialNumber) && BigInt(serialNumber) === own)) &&
    (issuerSerialDer === undefined || readSerial(issuerSerialDer) === own);
  return isSame ? undefined : 'the serial number in SigningCertificate does not match its digest';
}

const decimal = /^-?[0-9]{1,80}$/;

/** Two's complement, big-endian. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${hexOf(bytes)}`));
}

/** IssuerSerial { issuer GeneralNames, serialNumber INTEGER } */
function readSerial(issuerSerialDer: Uint8Array): bigint | undefined {
  try {
    const [, serial] = readSequence(readDer(issuerSerialDer), 'IssuerSerial');
    if (serial === undefined) return undefined;
    return integerOf(readIntegerBytes(serial));
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
