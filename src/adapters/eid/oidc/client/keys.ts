import { createPrivateKey, type KeyObject, type webcrypto } from 'node:crypto';
import { EidError } from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { getOrCompute } from '../../../../base/memo.ts';
import type { OidcKey } from '../oidc-options.ts';

/** A key in the form used by openid-client. */
export interface ImportedKey {
  readonly key: webcrypto.CryptoKey;
  readonly kid?: string;
}

/** A decryption key with the name of its algorithm. */
type DecryptionKey = ImportedKey & { readonly alg: string };

/** Parameters that WebCrypto requires to import a key. */
interface KeyParameters {
  readonly name: string;
  readonly hash?: string;
  readonly namedCurve?: string;
}

const { subtle } = globalThis.crypto;

/** Imported configured keys, cached: each step of a login needs them and importing takes time. */
const signingKeys = new WeakMap<OidcKey, Promise<ImportedKey>>();
const decryptionKeys = new WeakMap<OidcKey, Promise<DecryptionKey>>();

const curves: Readonly<Record<string, { readonly name: string; readonly signs: string }>> = {
  prime256v1: { name: 'P-256', signs: 'ES256' },
  secp384r1: { name: 'P-384', signs: 'ES384' },
  secp521r1: { name: 'P-521', signs: 'ES512' },
};

/**
 * Imports the signing key of the client.
 *
 * @throws EidError `internalError` if it is unreadable or does not match its algorithm
 */
export function importSigningKey(given: OidcKey): Promise<ImportedKey> {
  return getOrCompute(signingKeys, given, async () => {
    const key = readKey(given);
    const algorithm = given.algorithm ?? usualAlgorithm(key);
    return imported(given, key, signingParameters(algorithm), ['sign']);
  });
}

/**
 * Imports the key that decrypts tokens.
 *
 * @throws EidError `internalError` as {@link importSigningKey}
 */
export function importDecryptionKey(given: OidcKey): Promise<DecryptionKey> {
  return getOrCompute(decryptionKeys, given, async () => {
    const key = readKey(given);
    const isRsa = key.asymmetricKeyType === 'rsa';
    const alg = given.algorithm ?? (isRsa ? 'RSA-OAEP-256' : 'ECDH-ES');
    const rsaHashes: Record<string, string> = { 'RSA-OAEP': 'SHA-1', 'RSA-OAEP-256': 'SHA-256' };
    const hash = rsaHashes[alg];
    if (hash !== undefined) {
      return { ...(await imported(given, key, { name: 'RSA-OAEP', hash }, ['decrypt'])), alg };
    }
    if (!/^ECDH-ES(\+A(128|192|256)KW)?$/.test(alg)) throw misfit();
    const parameters = { name: 'ECDH', namedCurve: 'P-256' };
    return { ...(await imported(given, key, parameters, ['deriveBits'])), alg };
  });
}

function readKey({ pem }: OidcKey): KeyObject {
  try {
    return createPrivateKey(pem);
  } catch {
    throw new EidError('internalError', 'a private key of the configuration cannot be read');
  }
}

function usualAlgorithm(key: KeyObject): string {
  if (key.asymmetricKeyType === 'rsa') return 'RS256';
  if (key.asymmetricKeyType === 'ed25519') return 'Ed25519';
  return curves[key.asymmetricKeyDetails?.namedCurve ?? '']?.signs ?? 'none';
}

function signingParameters(algorithm: string): KeyParameters {
  const hash = `SHA-${algorithm.slice(-3)}`;
  if (/^RS(256|384|512)$/.test(algorithm)) return { name: 'RSASSA-PKCS1-v1_5', hash };
  if (/^PS(256|384|512)$/.test(algorithm)) return { name: 'RSA-PSS', hash };
  const curve = Object.values(curves).find(({ signs }) => signs === algorithm);
  if (curve !== undefined) return { name: 'ECDSA', namedCurve: curve.name };
  if (algorithm === 'Ed25519' || algorithm === 'EdDSA') return { name: 'Ed25519' };
  throw misfit();
}

async function imported(
  { keyId }: OidcKey,
  key: KeyObject,
  parameters: KeyParameters,
  usages: webcrypto.KeyUsage[],
): Promise<ImportedKey> {
  const der = key.export({ format: 'der', type: 'pkcs8' });
  try {
    const cryptoKey = await subtle.importKey('pkcs8', der, parameters, false, usages);
    return defined({ key: cryptoKey, kid: keyId });
  } catch {
    throw misfit();
  }
}

function misfit(): EidError {
  return new EidError('internalError', 'a private key does not match its algorithm');
}
