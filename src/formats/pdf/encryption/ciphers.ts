import { createCipheriv, createDecipheriv, createHash, createHmac } from 'node:crypto';
import { concatBytes } from '../../../base/bytes.ts';
import { getOrCompute } from '../../../base/memo.ts';
import { rc4 } from './rc4.ts';

/** Encryption method of strings or streams. */
export type CryptMethod = 'identity' | 'rc4' | 'aes-128' | 'aes-256';

const SALT = Buffer.from('sAlT', 'latin1');
const BLOCK = 16;

/** Encrypts and decrypts the data of one object. */
export interface ObjectCipher {
  decrypt(method: CryptMethod, data: Uint8Array): Uint8Array;
  encrypt(method: CryptMethod, data: Uint8Array): Uint8Array;
}

/**
 * The ciphers of an object: each object has a separate key, except with AES-256.
 *
 * Data of incomplete AES blocks or with invalid padding is decrypted as far as possible, because
 * other readers display such files too.
 *
 * @spec ISO 32000-2 §7.6.3, algorithms 1 and 1.A
 */
export function objectCipher(
  fileKey: Uint8Array,
  objectNumber: number,
  generation: number,
): ObjectCipher {
  const keys = new Map<CryptMethod, Uint8Array>();
  const keyFor = (method: CryptMethod): Uint8Array => {
    if (method === 'aes-256') return fileKey;
    return getOrCompute(keys, method, () => objectKey(fileKey, objectNumber, generation, method));
  };
  return {
    decrypt(method, data) {
      if (method === 'identity') return data;
      if (method === 'rc4') return rc4(keyFor(method), data);
      return decryptAes(method, keyFor(method), data);
    },
    encrypt(method, data) {
      if (method === 'identity') return data;
      const key = keyFor(method);
      if (method === 'rc4') return rc4(key, data);
      // The initialisation vector is unpredictable without the key, but fixed for the same change.
      const place = Buffer.from(`${objectNumber} ${generation} `, 'latin1');
      const seed = createHmac('sha256', fileKey).update(place).update(data).digest();
      const vector = seed.subarray(0, BLOCK);
      const cipher = createCipheriv(`${method}-cbc`, key, vector);
      return concatBytes([vector, cipher.update(data), cipher.final()]);
    },
  };
}

function objectKey(
  fileKey: Uint8Array,
  objectNumber: number,
  generation: number,
  method: CryptMethod,
): Uint8Array {
  const place = Uint8Array.of(
    objectNumber,
    objectNumber >> 8,
    objectNumber >> 16,
    generation,
    generation >> 8,
  );
  const hash = createHash('md5').update(fileKey).update(place);
  if (method === 'aes-128') hash.update(SALT);
  return hash.digest().subarray(0, Math.min(fileKey.length + 5, 16));
}

function decryptAes(method: CryptMethod, key: Uint8Array, data: Uint8Array): Uint8Array {
  const whole = data.length - (data.length % BLOCK);
  if (whole < 2 * BLOCK) return new Uint8Array();
  const cipher = createDecipheriv(`${method}-cbc`, key, data.subarray(0, BLOCK));
  const plain = cipher.setAutoPadding(false).update(data.subarray(BLOCK, whole));
  const padding = plain[plain.length - 1] as number;
  return padding >= 1 && padding <= BLOCK ? plain.subarray(0, plain.length - padding) : plain;
}
