import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Both halves of a key. */
export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

type RsaKind = 'RSA-2048' | 'RSA-PSS';

// Keys of nobody, PKCS #8 in base64: to make one takes a tenth of a second, to read it nothing.
const kept: Readonly<Record<RsaKind, readonly string[]>> = JSON.parse(
  readFileSync(new URL('rsa-keys.json', import.meta.url), 'utf8'),
);
const taken: Record<RsaKind, number> = { 'RSA-2048': 0, 'RSA-PSS': 0 };

/** A key of 2048 bits that nobody else in this process got. When the kept ones are used up, a new one. */
export function newRsaPair(kind: RsaKind = 'RSA-2048'): KeyPair {
  const content = kept[kind][taken[kind]++];
  if (content === undefined) {
    const modulusLength = 2048;
    return kind === 'RSA-PSS'
      ? generateKeyPairSync('rsa-pss', { modulusLength })
      : generateKeyPairSync('rsa', { modulusLength });
  }
  const key = Buffer.from(content, 'base64');
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
