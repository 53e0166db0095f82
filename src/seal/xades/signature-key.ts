import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import { der } from '../../formats/asn1/index.ts';
import type { Certificate, DigestAlgorithm } from '../../formats/x509/index.ts';
import {
  curveLengthBytes,
  digestUri,
  ecdsaRawFromDer,
  namespaces,
} from '../../formats/xmldsig/index.ts';
import { fingerprintOf } from '../../trust/signature.ts';
import type { Signer } from '../ports.ts';
import { embeddedCertificates, type StrongDigest } from '../signing.ts';
import { writeBase64, writeElement } from './write-element.ts';

/** Digest of references: that of the signature, but SHA-512 for SHAKE256, which XML cannot name. */
export function referenceDigest({ algorithm: { digest } }: Signer): DigestAlgorithm {
  return digest === 'shake256' ? 'sha512' : digest;
}

/** @throws algorithm.unsupported for SHA-1 */
export function requireReliableDigest({ algorithm }: Signer): void {
  if (algorithm.digest !== 'sha1') return;
  throw new InnsigliError('algorithm.unsupported', 'expected SHA-224 or better, found SHA-1', {
    hint: 'use sha256 with this key; a key bound to SHA-1 cannot be used',
  });
}

const keyInfos = new WeakMap<Signer, string>();

/** ds:KeyInfo with the {@link embeddedCertificates}. Built once per signer. */
export function keyInfoText(signer: Signer): string {
  return getOrCompute(keyInfos, signer, () => {
    const certificates = embeddedCertificates(signer).map((certificate) =>
      writeElement('ds:X509Certificate', {}, writeBase64(certificate)),
    );
    return writeElement('ds:KeyInfo', {}, writeElement('ds:X509Data', {}, ...certificates));
  });
}

const signingCertificates = new WeakMap<Certificate, Map<DigestAlgorithm, string>>();

/**
 * SigningCertificateV2, which binds the signature to one certificate. Built once per certificate.
 *
 *     IssuerSerialV2 = base64 of IssuerSerial { { [4] issuer }, serialNumber }
 *
 * @spec ETSI EN 319 132-1 §5.2.2
 */
export function signingCertificateText(certificate: Certificate, digest: StrongDigest): string {
  const known = getOrCompute(signingCertificates, certificate, () => new Map());
  return getOrCompute(known, digest, () => {
    const issuer = der.sequence(der.explicit(4, certificate.issuerDer));
    const serial = der.integerFromContent(certificate.serialNumber);
    const hash = digestText(digest, fingerprintOf(certificate, digest));
    const cert = writeElement(
      'xades:Cert',
      {},
      writeElement('xades:CertDigest', {}, hash),
      writeElement('xades:IssuerSerialV2', {}, writeBase64(der.sequence(issuer, serial))),
    );
    return writeElement('xades:SigningCertificateV2', {}, cert);
  });
}

/** ds:DigestMethod and ds:DigestValue, each with namespace declaration, as in canonical form. */
export function digestText(digest: DigestAlgorithm, value: Uint8Array): string {
  const declaration = { 'xmlns:ds': namespaces.dsig };
  return (
    writeElement('ds:DigestMethod', { ...declaration, Algorithm: digestUri(digest) }) +
    writeElement('ds:DigestValue', declaration, writeBase64(value))
  );
}

/**
 * The signature value for XML: ECDSA as r and s, others as returned by the signer.
 *
 * @throws key.sign.failed, algorithm.unsupported for an unknown curve
 */
export async function signBytes(
  signer: Signer,
  certificate: Certificate,
  bytes: Uint8Array,
): Promise<Uint8Array> {
  const isEcdsa = signer.algorithm.scheme === 'ecdsa';
  const lengthBytes = isEcdsa ? curveLengthBytes(certificate.spkiDer) : undefined;
  if (isEcdsa && lengthBytes === undefined) {
    throw new InnsigliError('algorithm.unsupported', 'the elliptic curve of the key is unknown', {
      hint: 'use P-256, P-384 or P-521',
    });
  }
  try {
    const signature = await signer.sign(bytes);
    return lengthBytes === undefined ? signature : ecdsaRawFromDer(signature, lengthBytes);
  } catch (error) {
    if (isInnsigliError(error) && error.code !== 'asn1.invalid') throw error;
    throw new InnsigliError('key.sign.failed', 'the signer returned no usable signature', {
      cause: error,
    });
  }
}
