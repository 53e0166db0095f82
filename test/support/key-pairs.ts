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

const pairs = new Map<string, KeyPair[]>();
const taken = new Map<string, number>();

atFileEnd('key pairs', () => taken.clear());

/**
 * A key pair that nobody else in this test file has under this name, and nobody of another name in
 * any file: what support modules make in one file is used in others. Another file may be given the
 * same one for the same name: to make it takes a tenth of a second.
 */
export function newKeyPair(kind: keyof typeof makers, name: string): KeyPair {
  const label = `${kind} ${name}`;
  const at = taken.get(label) ?? 0;
  taken.set(label, at + 1);
  const known = pairs.get(label) ?? [];
  pairs.set(label, known);
  known[at] ??= makers[kind]();
  return known[at];
}
