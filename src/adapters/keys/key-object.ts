import { constants, createPublicKey, KeyObject, sign } from 'node:crypto';
import { equalBytes } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { requireBytes, requireGiven } from '../../base/given.ts';
import { readableOptions } from '../../base/taken.ts';
import { oids, readBitOctets, readDer, readOid, readSequence } from '../../formats/asn1/index.ts';
import {
  type Certificate,
  type DigestAlgorithm,
  digestLengths,
  parseCertificate,
  type SignatureAlgorithm,
} from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';

/** Digest and scheme, for keys that support several. */
export interface SigningChoice {
  /** Digest algorithm. Default: according to the strength of the key, at least SHA-256. */
  readonly digest?: DigestAlgorithm;
  /** Signature scheme. Default: `rsa-pkcs1` for an RSA key; any other key has only one scheme. */
  readonly scheme?: SignatureAlgorithm['scheme'];
}

/** Names of {@link SigningChoice}. */
export const choiceNames = { digest: 1, scheme: 1 } as const;

/** A private key in this process, with its certificate. */
export interface KeyObjectSignerOptions extends SigningChoice {
  /** RSA, ECDSA on P-256, P-384 or P-521, or Ed25519. */
  readonly privateKey: KeyObject;
  /** Its certificate, DER. */
  readonly certificate: Uint8Array;
  /** Certificates of the issuers, DER. Default: none. */
  readonly chain?: readonly Uint8Array[];
}

/**
 * Creates a signer for a key in this process.
 *
 * @throws key.unreadable if the certificate cannot be parsed
 * @throws key.mismatch if the key does not belong to the certificate
 * @throws algorithm.unsupported if the key does not support the choice, or for SHA-1
 * @example
 * const signer = keyObjectSigner({ privateKey: createPrivateKey(pem), certificate: der });
 */
export function keyObjectSigner(given: KeyObjectSignerOptions): Signer {
  const names = { ...choiceNames, privateKey: 1, certificate: 1, chain: 1 } as const;
  const options = readableOptions('keyObjectSigner', given, names);
  const { privateKey, certificate, chain = [] } = options;
  requireGiven('privateKey', 'a KeyObject', privateKey, privateKey instanceof KeyObject);
  requireBytes('certificate', certificate);
  const parsed = parseGivenCertificate(certificate);
  if (!keyFitsCertificate(privateKey, parsed)) {
    throw new InnsigliError('key.mismatch', 'the private key does not belong to the certificate', {
      hint: 'pass the certificate issued for this key',
    });
  }
  const algorithm = chooseAlgorithm(privateKey, parsed, options);
  requireReliableDigest(algorithm);
  const makeSignature = signFunction(privateKey, algorithm);
  return {
    certificate,
    chain,
    algorithm,
    async sign(data) {
      try {
        return makeSignature(data);
      } catch (cause) {
        const message = `the ${algorithm.scheme} key cannot sign with ${algorithm.digest}`;
        throw new InnsigliError('key.sign.failed', message, { cause });
      }
    },
  };
}

/** Parses a certificate given by a user. @throws key.unreadable */
export function parseGivenCertificate(bytes: Uint8Array): Certificate {
  const unreadable = (cause: InnsigliError) => {
    const message = `the certificate cannot be read: ${cause.message}`;
    throw new InnsigliError('key.unreadable', message, { cause });
  };
  return attempt(() => parseCertificate(bytes), unreadable);
}

/** Whether the certificate contains the public key of a private key. */
export function keyFitsCertificate(privateKey: KeyObject, certificate: Certificate): boolean {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  if (equalBytes(spki, certificate.spkiDer)) return true;
  // One RSA key can have several SubjectPublicKeyInfo forms, with and without PSS parameters.
  // KeyObject.equals would handle that, but leaves an error in OpenSSL's queue that fails the next
  // call.
  if (!isRsa(spki) || !isRsa(certificate.spkiDer)) return false;
  const [, bits] = readSequence(readDer(spki), 'public key');
  return equalBytes(readBitOctets(bits), certificate.publicKeyBits);
}

function isRsa(spki: Uint8Array): boolean {
  const name = keyOid(spki);
  return name === oids.rsaEncryption || name === oids.rsassaPss;
}

function keyOid(spki: Uint8Array): string | undefined {
  return attempt(() => {
    const [algorithm] = readSequence(readDer(spki), 'public key');
    return readOid(readSequence(algorithm, 'algorithm')[0]);
  });
}

/** Rejects SHA-1: an attacker who chooses both documents can make one signature match both. */
function requireReliableDigest({ digest }: SignatureAlgorithm): void {
  if (digest !== 'sha1') return;
  throw new InnsigliError('algorithm.unsupported', 'expected SHA-224 or better, found SHA-1', {
    hint: 'omit the digest or use sha256; a key bound to SHA-1 cannot be used',
  });
}

const curveDigests: Record<string, DigestAlgorithm> = {
  prime256v1: 'sha256',
  secp384r1: 'sha384',
  secp521r1: 'sha512',
};

function chooseAlgorithm(
  key: KeyObject,
  certificate: Certificate,
  choice: SigningChoice,
): SignatureAlgorithm {
  const details = key.asymmetricKeyDetails ?? {};
  // A certificate may restrict an RSA key to PSS.
  const pssOnly = keyOid(certificate.spkiDer) === oids.rsassaPss;
  const type = pssOnly ? 'rsa-pss' : (key.asymmetricKeyType ?? 'unknown');
  const scheme = choice.scheme ?? defaultSchemes[type];
  if (scheme === undefined || !possibleSchemes[type]?.includes(scheme)) {
    const keyKind = choice.scheme ?? 'RSA, EC or Ed25519';
    const message = `expected a key for ${keyKind}, found type ${type}`;
    throw new InnsigliError('algorithm.unsupported', message, {
      details: { keyType: type },
      hint: 'use a different key, or omit the scheme',
    });
  }
  if (scheme === 'ed25519') return { scheme, digest: 'sha512' };
  if (scheme === 'ed448') return { scheme, digest: 'shake256' };
  if (scheme === 'ecdsa') {
    return { scheme, digest: choice.digest ?? curveDigests[details.namedCurve ?? ''] ?? 'sha256' };
  }
  if (scheme === 'rsa-pkcs1') return { scheme, digest: choice.digest ?? 'sha256' };
  const bound = type === 'rsa-pss' ? (details.hashAlgorithm as DigestAlgorithm) : undefined;
  const digest = choice.digest ?? bound ?? 'sha256';
  if (bound !== undefined && bound !== digest) {
    throw new InnsigliError('algorithm.unsupported', `the key is bound to ${bound}, not ${digest}`);
  }
  const salt = Math.max(
    digestLengths[digest] ?? 0,
    bound === undefined ? 0 : (details.saltLength ?? 0),
  );
  return { scheme, digest, saltLengthBytes: salt };
}

const defaultSchemes: Record<string, SignatureAlgorithm['scheme']> = {
  rsa: 'rsa-pkcs1',
  'rsa-pss': 'rsa-pss',
  ec: 'ecdsa',
  ed25519: 'ed25519',
  ed448: 'ed448',
};

const possibleSchemes: Record<string, readonly SignatureAlgorithm['scheme'][]> = {
  rsa: ['rsa-pkcs1', 'rsa-pss'],
  'rsa-pss': ['rsa-pss'],
  ec: ['ecdsa'],
  ed25519: ['ed25519'],
  ed448: ['ed448'],
};

function signFunction(
  key: KeyObject,
  algorithm: SignatureAlgorithm,
): (data: Uint8Array) => Uint8Array {
  const { scheme, digest } = algorithm;
  if (scheme === 'ed25519' || scheme === 'ed448') return (data) => sign(null, data, key);
  if (scheme !== 'rsa-pss') return (data) => sign(digest, data, key);
  const padding = constants.RSA_PKCS1_PSS_PADDING;
  const saltLength = algorithm.saltLengthBytes ?? digestLengths[digest];
  return (data) => sign(digest, data, { key, padding, saltLength });
}
