/**
 * In the fast project the RSA keys of the development trust are composed of few primes: each new
 * data directory has a key, and generating one takes a third of a second on another thread, which
 * no profile shows. The slow project generates keys as users do.
 */
import crypto, { type KeyObject } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { promisify } from 'node:util';
import { type KeyPair, newKeyPair } from './key-pairs.ts';

type Options = { readonly modulusLength?: number };
type Done = (error: Error | null, publicKey?: KeyObject, privateKey?: KeyObject) => void;
type Generate = (kind: string, options: Options, done: Done) => void;
type GenerateLater = (kind: string, options: Options) => Promise<KeyPair>;

const replaced = Symbol.for('innsigli.test.cheap-keys');
const { generateKeyPair } = crypto;

// Shared by the files of one process.
if (!Object.hasOwn(generateKeyPair, replaced)) {
  const usual = generateKeyPair as unknown as Generate;
  const usualLater = promisify(generateKeyPair) as unknown as GenerateLater;
  const cheap: Generate = (kind, options, done) => {
    const pair = findPair(kind, options);
    if (pair === undefined) usual(kind, options, done);
    else setImmediate(done, null, pair.publicKey, pair.privateKey);
  };
  const later: GenerateLater = async (kind, options) =>
    findPair(kind, options) ?? usualLater(kind, options);
  const both = Object.assign(cheap, { [replaced]: true, [promisify.custom]: later });
  Object.assign(crypto, { generateKeyPair: both });
  syncBuiltinESMExports();
}

function findPair(kind: string, { modulusLength }: Options): KeyPair | undefined {
  if (kind !== 'rsa' || modulusLength !== 3072) return undefined;
  return newKeyPair('RSA-3072', 'generated');
}
