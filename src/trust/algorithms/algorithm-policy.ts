import { equalBytes } from '../../base/bytes.ts';
import { getOrCompute } from '../../base/memo.ts';
import type { Certificate, SignatureAlgorithm } from '../../formats/x509/index.ts';
import { describeName, maskName, parseSignatureAlgorithm } from '../../formats/x509/index.ts';
import { publicKeyOf } from '../signature.ts';
import { type AlgorithmTable, algorithmTable, type KeyFamily } from './algorithm-suites.table.ts';

/** Time and table for the evaluation of algorithms. */
export interface AlgorithmQuestion {
  /**
   * A time at which the protected data provably existed. Default: the date of the table, so that
   * anything broken by then proves nothing.
   */
  readonly atMs?: number;
  /** Default: {@link algorithmTable}. */
  readonly table?: AlgorithmTable | undefined;
  /** The time is in the future, so that messages state what will expire. Default: false. */
  readonly isForecast?: boolean;
}

/** Key families by key type of node:crypto. */
const families: Readonly<Record<string, KeyFamily>> = {
  rsa: 'rsa',
  'rsa-pss': 'rsa',
  dsa: 'dsa',
  ec: 'ecdsa',
  ed25519: 'eddsa',
  ed448: 'eddsa',
};
/** Size of a curve in bits, from its OpenSSL name; names of some small curves do not contain it. */
const curveBits = /(\d{3})[krtvw]\d$/;

/** Keys and algorithms that determine the strength of a signature or time-stamp. */
export interface Proof {
  /** Certificate of the signer. */
  readonly certificate: Certificate;
  /** Algorithm of the signature value; undefined if unknown. */
  readonly algorithm: SignatureAlgorithm | undefined;
  /** Every digest that binds the signed data. */
  readonly digests: readonly (string | undefined)[];
  /** Path from the certificate to an anchor, or its known part, leaf first. */
  readonly path: readonly Certificate[];
}

/**
 * The reason that a proof is too weak; undefined if it is not. This is the only policy: `verify`
 * and sealing both apply it, so that every seal passes our own validation.
 *
 * @spec ETSI EN 319 102-1 §5.2.8, §5.6.2.4; ETSI TS 119 312
 */
export function findWeakProof(
  { certificate, algorithm, digests, path }: Proof,
  when: AlgorithmQuestion = {},
): string | undefined {
  for (const digest of digests) {
    const weakness = findWeakDigest(digest, when);
    if (weakness !== undefined) return weakness;
  }
  return (algorithm && findWeakness(algorithm, certificate, when)) ?? findWeakPath(path, when);
}

/** Why a signature algorithm with this key is too weak at a time; undefined if it is not. */
export function findWeakness(
  algorithm: SignatureAlgorithm,
  signer: Certificate,
  when: AlgorithmQuestion = {},
): string | undefined {
  const isEdwards = algorithm.scheme === 'ed25519' || algorithm.scheme === 'ed448';
  const digest = isEdwards ? undefined : findWeakDigest(algorithm.digest, when);
  return digest ?? findWeakKey(signer, when);
}

/** The reason that a digest is not collision-resistant; undefined if it is. */
export function findWeakDigest(
  digest: string | undefined,
  when: AlgorithmQuestion = {},
): string | undefined {
  const { atMs, table = algorithmTable } = when;
  if (digest === undefined) return undefined;
  const end = table.digests[digest];
  if (end === undefined) return `the digest ${digest} is too weak: ${table.name} does not list it`;
  return isPast(end, atMs, table) ? describeEnd(`the digest ${digest}`, end, when) : undefined;
}

function isPast(end: string | null, atMs: number | undefined, table: AlgorithmTable): boolean {
  return end !== null && (atMs ?? startOf(table.published)) >= startOf(end);
}

/** Cached dates of tables: there are few of them, and they are parsed repeatedly. */
const dayStarts = new Map<string, number>();
const MOST_DAYS = 256;

function startOf(day: string): number {
  let startMs = dayStarts.get(day);
  if (startMs === undefined) {
    startMs = Date.parse(day);
    if (dayStarts.size < MOST_DAYS) dayStarts.set(day, startMs);
  }
  return startMs;
}

function describeEnd(
  what: string,
  end: string | null,
  { isForecast, table = algorithmTable }: AlgorithmQuestion,
): string {
  if (isForecast !== true) return `${what} is too weak since ${end}`;
  return `${what} proves nothing from ${end} (${table.name})`;
}

/** The size of a key as measured by the table. */
interface KeySize {
  readonly family: KeyFamily;
  readonly bits: number;
  /** For display. */
  readonly name: string;
}

/** The size of a key, or why it is too weak at any time. Computed once per certificate. */
const keySizes = new WeakMap<Certificate, KeySize | string>();

function findWeakKey(certificate: Certificate, when: AlgorithmQuestion): string | undefined {
  const key = getOrCompute(keySizes, certificate, measureKey);
  return typeof key === 'string' ? key : checkSize(key, when);
}

function measureKey(certificate: Certificate): KeySize | string {
  try {
    const { asymmetricKeyType = '', asymmetricKeyDetails = {} } = publicKeyOf(certificate);
    const { modulusLength, publicExponent, namedCurve } = asymmetricKeyDetails;
    if (publicExponent !== undefined && publicExponent < 3n) {
      return `an RSA key with the exponent ${publicExponent} is too weak`;
    }
    const family = families[asymmetricKeyType];
    if (family === undefined) return `keys of type ${asymmetricKeyType} are not supported`;
    if (family === 'eddsa') return { family, bits: 256, name: `the key ${asymmetricKeyType}` };
    if (family === 'ecdsa') {
      const bits = Number(curveBits.exec(namedCurve ?? '')?.[1] ?? 0);
      return { family, bits, name: `the curve ${namedCurve ?? 'without a name'}` };
    }
    const kind = family === 'rsa' ? 'an RSA key' : 'a DSA key';
    return { family, bits: modulusLength ?? 0, name: `${kind} of ${modulusLength} bits` };
  } catch {
    return 'the public key is unreadable';
  }
}

function checkSize({ family, bits, name }: KeySize, when: AlgorithmQuestion): string | undefined {
  const { atMs, table = algorithmTable } = when;
  const row = table.keys[family].findLast(([from]) => bits >= from);
  if (row !== undefined && !isPast(row[1], atMs, table)) return undefined;
  const needed = table.keys[family].find(([, end]) => !isPast(end, atMs, table))?.[0];
  const expected = needed === undefined ? '' : `, expected at least ${needed} bits`;
  if (row === undefined) return `${name} is too weak${expected}`;
  return `${describeEnd(name, row[1], when)}${expected}`;
}

const algorithms = new WeakMap<Certificate, SignatureAlgorithm>();

function readAlgorithm({ signatureAlgorithm }: Certificate): SignatureAlgorithm {
  return parseSignatureAlgorithm(signatureAlgorithm);
}

/** The first weakness on a path, leaf first. The signature of an anchor is irrelevant. */
export function findWeakPath(
  path: readonly Certificate[],
  when: AlgorithmQuestion = {},
): string | undefined {
  for (let i = 0; i + 1 < path.length; i++) {
    const [certificate, issuer] = [path[i] as Certificate, path[i + 1] as Certificate];
    const algorithm = getOrCompute(algorithms, certificate, readAlgorithm);
    const weakness = findWeakness(algorithm, issuer, when);
    if (weakness === undefined) continue;
    const [subject, signedBy] = [certificate, issuer].map((one) => describeName(one.subjectDer));
    return `"${subject}" is signed by "${signedBy}": ${weakness}`;
  }
  return undefined;
}

/** End of the strength of a proof, unless a later time-stamp covers it by then. */
export interface ProofEnd {
  /** The first moment at which it no longer proves anything, in epoch milliseconds. */
  readonly endMs: number;
  readonly cause: 'certificate' | 'algorithm';
  /** The certificate or algorithm that expires, and the day, for display. */
  readonly message: string;
}

/**
 * The ends of a proof that is strong at a given time: the first expiry of a certificate on its
 * path, and the first day after that time on which one of its digests or keys expires in the table.
 * Sorted by time; empty if neither is known. An anchor is trusted at any time and therefore ends
 * nothing.
 */
export function listProofEnds(
  proof: Proof,
  atMs: number,
  table: AlgorithmTable = algorithmTable,
): readonly ProofEnd[] {
  const found = [findCertificateEnd(proof.path), findAlgorithmEnd(proof, atMs, table)];
  const ends = found.filter((end) => end !== undefined);
  return ends.sort((one, other) => one.endMs - other.endMs);
}

function findCertificateEnd(path: readonly Certificate[]): ProofEnd | undefined {
  const top = path.at(-1);
  const isRoot = top !== undefined && equalBytes(top.subjectDer, top.issuerDer);
  const members = isRoot && path.length > 1 ? path.slice(0, -1) : path;
  const [first, ...others] = members;
  if (first === undefined) return undefined;
  const ending = others.reduce((a, b) => (b.notAfterMs < a.notAfterMs ? b : a), first);
  return getOrCompute(expiries, ending, expiryOf);
}

/** A signer has the same path for all its signatures. */
const expiries = new WeakMap<Certificate, ProofEnd>();

function expiryOf({ notAfterMs, subjectDer }: Certificate): ProofEnd {
  const day = new Date(notAfterMs).toISOString().slice(0, 10);
  const message = `the certificate of "${maskName(describeName(subjectDer))}" expires on ${day}`;
  return { endMs: notAfterMs + 1000, cause: 'certificate', message };
}

function findAlgorithmEnd(proof: Proof, atMs: number, table: AlgorithmTable): ProofEnd | undefined {
  for (const endMs of getOrCompute(endDays, table, endDaysOf)) {
    if (endMs <= atMs) continue;
    const message = findWeakProof(proof, { atMs: endMs, table, isForecast: true });
    if (message !== undefined) return { endMs, cause: 'algorithm', message };
  }
  return undefined;
}

const endDays = new WeakMap<AlgorithmTable, readonly number[]>();

/** The days on which an algorithm expires in a table, in ascending order. */
function endDaysOf({ digests, keys }: AlgorithmTable): readonly number[] {
  const days = [...Object.values(digests), ...Object.values(keys).flatMap(rowEnds)];
  const times = days.flatMap((day) => (day === null ? [] : Date.parse(day)));
  return [...new Set(times)].sort((a, b) => a - b);
}

function rowEnds(rows: AlgorithmTable['keys'][keyof AlgorithmTable['keys']]) {
  return rows.map(([, end]) => end);
}
