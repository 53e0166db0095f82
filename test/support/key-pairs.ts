import { createPrivateKey, createPublicKey, generatePrimeSync, type KeyObject } from 'node:crypto';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { atFileEnd } from './file-end.ts';

/** A private key with its public one. */
export interface KeyPair {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
}

const makers = {
  'RSA-2048': () => rsaKey(),
  'RSA-3072': () => rsaKey(3072),
  'RSA-PSS': rsaPssKey,
} as const satisfies Record<string, () => KeyObject>;

const pairs = new Map<string, KeyPair[]>();
const taken = new Map<string, number>();

atFileEnd('key pairs', () => taken.clear());

/**
 * A key pair unique to this name in the test file, and to this name across files, because key pairs
 * of support modules are shared. A different file may get the same pair for the same name.
 */
export function newKeyPair(kind: keyof typeof makers, name: string): KeyPair {
  const label = `${kind} ${name}`;
  const at = taken.get(label) ?? 0;
  taken.set(label, at + 1);
  const known = pairs.get(label) ?? [];
  pairs.set(label, known);
  known[at] ??= pairOf(makers[kind]());
  return known[at];
}

function pairOf(privateKey: KeyObject): KeyPair {
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

const PUBLIC_EXPONENT = 65_537n;

/**
 * Primes of one length, and the number of earlier ones that the last is still to be combined with.
 */
interface Primes {
  readonly found: bigint[];
  others: number;
}

const primesOf = new Map<number, Primes>();

/**
 * The next pair of primes. Generating two takes a tenth of a second, so each is combined with every
 * other one: twenty are enough for 190 keys. Outside tests such keys would be broken.
 */
function nextFactors(lengthBits: number): readonly [bigint, bigint] {
  const primes = primesOf.get(lengthBits) ?? { found: [], others: 0 };
  primesOf.set(lengthBits, primes);
  const { found } = primes;
  while (primes.others === 0) {
    found.push(newPrime(lengthBits, found));
    primes.others = found.length - 1;
  }
  primes.others -= 1;
  return [found.at(-1) as bigint, found[primes.others] as bigint];
}

function newPrime(lengthBits: number, known: readonly bigint[]): bigint {
  for (;;) {
    const prime = generatePrimeSync(lengthBits, { bigint: true });
    if (!known.includes(prime) && (prime - 1n) % PUBLIC_EXPONENT !== 0n) return prime;
  }
}

/** An RSA key of 2048 bits by default. @spec RFC 8017 §3.2, RFC 7518 §6.3.2 */
function rsaKey(lengthBits = 2048): KeyObject {
  const [p, q] = nextFactors(lengthBits / 2);
  const d = inverseOf(PUBLIC_EXPONENT, (p - 1n) * (q - 1n));
  const key = {
    ...{ kty: 'RSA', n: base64Url(p * q), e: base64Url(PUBLIC_EXPONENT), d: base64Url(d) },
    ...{ p: base64Url(p), q: base64Url(q), qi: base64Url(inverseOf(q, p)) },
    ...{ dp: base64Url(d % (p - 1n)), dq: base64Url(d % (q - 1n)) },
  };
  return createPrivateKey({ key, format: 'jwk' });
}

/** The same for RSASSA-PSS only: PKCS #8 with its algorithm, without parameters. */
function rsaPssKey(): KeyObject {
  const value = rsaKey().export({ type: 'pkcs1', format: 'der' });
  const algorithm = der.sequence(der.oid(oids.rsassaPss));
  const key = der.sequence(der.smallInteger(0), algorithm, der.octetString(value));
  return createPrivateKey({ key: Buffer.from(key), format: 'der', type: 'pkcs8' });
}

/** The modular inverse of `value`, by the extended Euclidean algorithm. */
function inverseOf(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, value % modulus];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder - quotient * next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return factor < 0n ? factor + modulus : factor;
}

function base64Url(value: bigint): string {
  const digits = value.toString(16);
  return Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex').toString(
    'base64url',
  );
}
