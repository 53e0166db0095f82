import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { atFileEnd } from './file-end.ts';

/** A private key with its public one. */
export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const makers = {
  'RSA-2048': () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
  'RSA-PSS': () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
} as const satisfies Record<string, () => KeyPair>;

const pairs: Record<keyof typeof makers, KeyPair[]> = { 'RSA-2048': [], 'RSA-PSS': [] };
const taken = { 'RSA-2048': 0, 'RSA-PSS': 0 };

atFileEnd('key pairs', () => {
  taken['RSA-2048'] = 0;
  taken['RSA-PSS'] = 0;
});

/**
 * A key pair that nobody else in this test file has. Another file may be given the same one: to
 * make it takes a tenth of a second.
 */
export function newKeyPair(kind: keyof typeof makers): KeyPair {
  const at = taken[kind];
  taken[kind] = at + 1;
  pairs[kind][at] ??= makers[kind]();
  return pairs[kind][at];
}
