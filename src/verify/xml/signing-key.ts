import { equalBytes, hexOf } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import { attempt } from '../../base/errors.ts';
import {
  contentOf,
  der,
  oids,
  readDer,
  readIntegerBytes,
  readSequence,
} from '../../formats/asn1/index.ts';
import { type Certificate, equalNames } from '../../formats/x509/index.ts';
import type { CertificateReference } from '../../formats/xades/index.ts';
import type { XmlElement } from '../../formats/xml/index.ts';
import { namespaces, readBase64 } from '../../formats/xmldsig/index.ts';
import { fingerprintOf, type KeyHolder } from '../../trust/signature.ts';
import type { XmlContext } from './context.ts';
import type { XmlSignatureObject } from './signature-object.ts';

/** A key that may have created a signature. */
export interface KeyCandidate {
  readonly key: KeyHolder;
  /** Undefined for a bare key, and for the key of a certificate that is not bound. */
  readonly certificate: Certificate | undefined;
  /** Set if the signer's other statements about the certificate do not match its digest. */
  readonly misfit?: string;
}

/** Maximum number of certificates in one KeyInfo whose keys are tried. */
const MAX_UNBOUND = 16;

/**
 * The keys that may have created the signature, best first. A signature with SigningCertificate or
 * SigningCertificateV2 is created with the first certificate that each of them binds by its digest,
 * and with no other, as in CMS (RFC 5035 §3). If this certificate is not available, or they bind
 * two, the keys of KeyInfo are tried without an owner. Without such a property, the certificates of
 * KeyInfo are tried, or its bare key. Trust is not evaluated here.
 *
 * @spec ETSI EN 319 132-1 §5.2.2, ETSI EN 319 102-1 §5.2.3
 */
export function listKeys(
  { signature, properties }: XmlSignatureObject,
  embedded: readonly Certificate[],
  { certificates, pool }: XmlContext,
): readonly KeyCandidate[] {
  const references = properties?.signed?.signerReferences ?? [];
  const isBound = references.length > 0;
  const found = findBound(references, embedded, certificates);
  if (found !== undefined) return [found];
  const named = (signature?.keyInfo?.certificates ?? []).slice(0, MAX_UNBOUND).flatMap((der) => {
    const certificate = pool.add(der);
    if (certificate === undefined) return [];
    // A different certificate is bound, so the owner of this key is unknown.
    return [{ key: certificate, certificate: isBound ? undefined : certificate }];
  });
  if (named.length > 0) return named;
  const keyValue = signature?.keyInfo?.keyValue;
  const key = keyValue && readKeyValue(keyValue);
  return key === undefined ? [] : [{ key, certificate: undefined }];
}

/** The certificate that every reference binds by its digest. */
function findBound(
  references: readonly CertificateReference[],
  embedded: readonly Certificate[],
  certificates: XmlContext['certificates'],
): KeyCandidate | undefined {
  const [first] = references;
  if (first?.digest === undefined) return undefined;
  const binds = (each: Certificate, { digest, digestValue }: CertificateReference) =>
    digest !== undefined && equalBytes(fingerprintOf(each, digest), digestValue);
  const certificate =
    embedded.find((each) => binds(each, first)) ??
    certificates.find(first.digest, first.digestValue);
  if (certificate === undefined) return undefined;
  if (!references.every((reference) => binds(certificate, reference))) return undefined;
  const [misfit] = references.flatMap((one) => findMisfit(one, certificate) ?? []);
  return { key: certificate, certificate, ...defined({ misfit }) };
}

/** The digest is decisive. A different serial number is an error of the signer's software. */
function findMisfit(
  { serialNumber, issuerSerialDer }: CertificateReference,
  certificate: Certificate,
): string | undefined {
  const own = integerOf(certificate.serialNumber);
  if (serialNumber !== undefined) {
    const isSame = decimal.test(serialNumber) && BigInt(serialNumber) === own;
    if (!isSame) return 'the serial number in SigningCertificate does not match its digest';
  }
  if (issuerSerialDer === undefined) return undefined;
  const { issuerDer, serial } = readIssuerSerial(issuerSerialDer);
  const isNamed = issuerDer === undefined || equalNames(issuerDer, certificate.issuerDer);
  if (serial === own && isNamed) return undefined;
  return 'issuer or serial number in SigningCertificateV2 do not match its digest';
}

const decimal = /^-?[0-9]{1,80}$/;

/** Two's complement, big-endian. */
function integerOf(bytes: Uint8Array): bigint {
  return BigInt.asIntN(8 * bytes.length, BigInt(`0x${hexOf(bytes)}`));
}

/** IssuerSerial { issuer GeneralNames, serialNumber INTEGER } */
function readIssuerSerial(der: Uint8Array): { issuerDer?: Uint8Array; serial?: bigint } {
  return (
    attempt(() => {
      const [names, serial] = readSequence(readDer(der), 'IssuerSerial');
      const directory = readSequence(names, 'issuer').find(({ tag }) => tag === DIRECTORY_NAME);
      return {
        ...(directory && { issuerDer: contentOf(directory) }),
        ...(serial && { serial: integerOf(readIntegerBytes(serial)) }),
      };
    }) ?? {}
  );
}

const DIRECTORY_NAME = 0xa4;

const { dsig, dsig11 } = namespaces;
const oidUri = /^urn:oid:([0-2](?:\.[0-9]{1,10}){1,16})$/;

/**
 * The public key of a ds:KeyValue (RSA, DSA, named curve) or dsig11:DEREncodedKeyValue. Undefined
 * if it has a different type or is malformed. Its owner is unknown.
 *
 * @spec XML-Signature Syntax and Processing 1.1 §4.5.2, §4.5.2.1, §4.5.6
 */
function readKeyValue(element: XmlElement): KeyHolder | undefined {
  return attempt(() => {
    if (element.is(dsig11, 'DEREncodedKeyValue')) return { spkiDer: readBase64(element) };
    const rsa = element.child(dsig, 'RSAKeyValue');
    if (rsa !== undefined) return readRsa(rsa);
    const dsa = element.child(dsig, 'DSAKeyValue');
    if (dsa !== undefined) return readDsa(dsa);
    const curve = element.child(dsig11, 'ECKeyValue');
    return curve && readCurvePoint(curve);
  });
}

function readRsa(element: XmlElement): KeyHolder | undefined {
  const modulus = element.child(dsig, 'Modulus');
  const exponent = element.child(dsig, 'Exponent');
  if (modulus === undefined || exponent === undefined) return undefined;
  const numbers = [modulus, exponent].map((each) => der.unsignedInteger(readBase64(each)));
  const algorithm = der.sequence(der.oid(oids.rsaEncryption), der.nil());
  return { spkiDer: der.sequence(algorithm, der.bitString(der.sequence(...numbers))) };
}

/** Without P, Q and G, the domain parameters of the key are unknown. */
function readDsa(element: XmlElement): KeyHolder | undefined {
  const numbers = ['P', 'Q', 'G', 'Y'].flatMap((name) => element.child(dsig, name) ?? []);
  const [p, q, g, y] = numbers.map((each) => der.unsignedInteger(readBase64(each)));
  if (p === undefined || q === undefined || g === undefined || y === undefined) return undefined;
  const algorithm = der.sequence(der.oid(oids.dsaPublicKey), der.sequence(p, q, g));
  return { spkiDer: der.sequence(algorithm, der.bitString(y)) };
}

function readCurvePoint(element: XmlElement): KeyHolder | undefined {
  const curve = oidUri.exec(element.child(dsig11, 'NamedCurve')?.attribute('URI') ?? '')?.[1];
  const point = element.child(dsig11, 'PublicKey');
  if (curve === undefined || point === undefined) return undefined;
  const algorithm = der.sequence(der.oid(oids.ecPublicKey), der.oid(curve));
  return { spkiDer: der.sequence(algorithm, der.bitString(readBase64(point))) };
}
