import { generateKeyPairSync } from 'node:crypto';
import type { SignatureAlgorithm } from '../../src/formats/x509/index.ts';
import { caExtensions, keyHolder } from './hand-signed.ts';
import type { TestMember, TestPki } from './pki.ts';

const rsa: SignatureAlgorithm = { scheme: 'rsa-pkcs1', digest: 'sha256' };
const pss: SignatureAlgorithm = { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 };
const ecdsa: SignatureAlgorithm = { scheme: 'ecdsa', digest: 'sha256' };

const keys = {
  'RSA-1024': () => keyHolder(generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey, rsa),
  'RSA-1536': () => keyHolder(generateKeyPairSync('rsa', { modulusLength: 1536 }).privateKey, rsa),
  'RSA-PSS-1024': () =>
    keyHolder(generateKeyPairSync('rsa-pss', { modulusLength: 1024 }).privateKey, pss),
  'P-192': () =>
    keyHolder(generateKeyPairSync('ec', { namedCurve: 'prime192v1' }).privateKey, ecdsa),
  'K-160': () =>
    keyHolder(generateKeyPairSync('ec', { namedCurve: 'secp160k1' }).privateKey, ecdsa),
} as const;

/** Weaknesses of a signer or its issuers that the policy rejects, and the message of each. */
export const weaknesses = {
  'an RSA key of 1024 bits': /1024 bits/,
  'an RSA key of 1536 bits': /1536 bits/,
  'an RSA-PSS key of 1024 bits': /1024 bits/,
  'P-192': /prime192v1/,
  'K-160': /secp160k1/,
  'a certificate signed with SHA-1': /"CN=signer.*sha1/,
  'a CA key of 1024 bits': /signed by "CN=weak ca.*1024 bits/,
  'a CA on P-192': /signed by "CN=weak ca.*prime192v1/,
  'a CA that was signed with SHA-1': /"CN=weak ca.*sha1/,
} as const;

/** Name of a weakness. */
export type Weakness = keyof typeof weaknesses;

/** A member of the PKI with one weakness and otherwise valid. */
export function weakMember(
  pki: TestPki,
  weakness: Weakness,
  extensions: Parameters<TestPki['issue']>[0]['extensions'] = {},
): TestMember {
  const name = 'signer';
  const below = (issuer: TestMember) => pki.issue({ name, issuer, extensions });
  const ca = (options: Partial<Parameters<TestPki['issue']>[0]>) =>
    pki.issue({ name: 'weak ca', extensions: caExtensions, ...options });
  const sha1 = { signedWith: { scheme: 'ecdsa', digest: 'sha1' } } as const;
  switch (weakness) {
    case 'an RSA key of 1024 bits':
      return pki.issue({ name, keyOf: keys['RSA-1024'](), extensions });
    case 'an RSA key of 1536 bits':
      return pki.issue({ name, keyOf: keys['RSA-1536'](), extensions });
    case 'an RSA-PSS key of 1024 bits':
      return pki.issue({ name, keyOf: keys['RSA-PSS-1024'](), extensions });
    case 'P-192':
      return pki.issue({ name, keyOf: keys['P-192'](), extensions });
    case 'K-160':
      return pki.issue({ name, keyOf: keys['K-160'](), extensions });
    case 'a certificate signed with SHA-1':
      return pki.issue({ name, ...sha1, extensions });
    case 'a CA key of 1024 bits':
      return below(ca({ keyOf: keys['RSA-1024']() }));
    case 'a CA on P-192':
      return below(ca({ keyOf: keys['P-192']() }));
    case 'a CA that was signed with SHA-1':
      return below(ca({ issuer: pki.member('root'), ...sha1 }));
  }
}
