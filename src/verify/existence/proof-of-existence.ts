import { defined } from '../../base/defined.ts';
import { findPath } from '../../trust/path.ts';
import {
  type ExpectedImprint,
  findWeakTimestamp,
  type TimestampVerdict,
  verifyTimestampToken,
} from '../../trust/timestamp.ts';
import type { StoredValidationData } from './document-security-store.ts';
import { evidenceExistence } from './evidence-existence.ts';
import { checkPathStatus, type StatusContext } from './long-term.ts';

/** Whether the time of a time-stamp counts as a proof of existence. */
export interface ProofOfExistence {
  /** The proven time. Undefined if it does not count. */
  readonly timeMs?: number;
  /** Sub-indication if the time does not count. @spec ETSI EN 319 102-1 §5.4, §5.6.2.4 */
  readonly subIndication?: string;
  readonly message: string;
}

/**
 * Determines whether the time of a time-stamp counts. Its authority must be valid at an
 * independently proven time: the present, or the time of a later time-stamp. The revocation status
 * of the authority must be known, and none of its issuers may be known to be revoked; an unknown
 * status of an issuer is accepted, as in the common policy of validators. Rules that ignore a
 * missing status do so while the authority's certificate is valid. The time stated by the
 * time-stamp itself is not sufficient, since the holder of a stolen or revoked authority key can
 * state any time.
 *
 * @spec ETSI EN 319 102-1 §5.6.2.2, §5.6.2.4
 */
export function proofOfExistence(
  verdict: TimestampVerdict,
  store: StoredValidationData,
  provedMs: number,
  context: StatusContext,
): ProofOfExistence {
  const { certificate, info, valid, trusted, problem, message } = verdict;
  if (valid && trusted && problem !== undefined) {
    const isLater = problem === 'tsa.time.skewed';
    return { subIndication: isLater ? 'NO_POE' : 'SIG_CONSTRAINTS_FAILURE', message };
  }
  if (!valid || !trusted || certificate === undefined || info === undefined) {
    return { subIndication: 'NO_CERTIFICATE_CHAIN_FOUND', message };
  }
  const { pool, anchors } = context;
  const path = findPath({ certificate, pool, anchors, atMs: provedMs });
  if (!path.valid) return { subIndication: EXPIRED, message: path.message };
  const weakness = findWeakTimestamp(verdict, path.path, {
    atMs: provedMs,
    table: context.algorithms,
  });
  if (weakness !== undefined) return { subIndication: WEAK, message: weakness };
  const times = { atMs: info.genTimeMs, untilMs: provedMs };
  const found = checkPathStatus(path.path, store, times, context);
  const { status, subIndication, isLeafKnown = true } = found;
  const why = `its authority: ${found.message}`;
  if (status === 'revoked') return { ...defined({ subIndication }), message: why };
  if (isLeafKnown) return { timeMs: info.genTimeMs, message: '' };
  if (subIndication === WEAK) return { subIndication, message: why };
  // After the certificate expires, its time counts only by past validation, which needs a status.
  const isOver = context.nowMs >= certificate.notAfterMs + 1000;
  if (isOver) return { subIndication: EXPIRED, message: why };
  if (context.revocation?.mode === 'ignore') return { timeMs: info.genTimeMs, message: '' };
  return { ...defined({ subIndication }), message: why };
}

const EXPIRED = 'OUT_OF_BOUNDS_NO_POE';
const WEAK = 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';

/**
 * Verifies DER-encoded time-stamp tokens that must all cover the same data: its bytes, its digest,
 * or a function that returns the digest for the algorithm of a token. The certificates of the
 * tokens are added to the pool. {@link proofsOfExistence} and {@link bestSignatureTimeMs} determine
 * whether their times count.
 */
export function verifyTokens(
  tokens: readonly Uint8Array[],
  imprint: ExpectedImprint,
  { pool, anchors, nowMs }: StatusContext,
): readonly TimestampVerdict[] {
  return tokens.map((token) => verifyTimestampToken({ token, imprint, pool, anchors, nowMs }));
}

/**
 * Proofs by time-stamps that each cover the previous ones, oldest first: document time-stamps of a
 * PDF, archive time-stamps of a signature. Each is proven by the next one whose time counts, the
 * last one by `provedMs`: the present, or the time of an outer time-stamp. The same applies to the
 * validation data that they cover.
 */
export function proofsOfExistence(
  verdicts: readonly TimestampVerdict[],
  data: StoredValidationData,
  provedMs: number,
  context: StatusContext,
  covered: CoveredEvidence,
): readonly ProofOfExistence[] {
  let untilMs = provedMs;
  let known = context;
  const proofs: ProofOfExistence[] = [];
  for (const [index, verdict] of [...verdicts.entries()].reverse()) {
    const proof = proofOfExistence(verdict, data, untilMs, known);
    if (proof.timeMs !== undefined) untilMs = Math.min(untilMs, proof.timeMs);
    known = withEvidenceUnder(known, [{ proof, covered: () => covered(index) }]);
    proofs.unshift(proof);
  }
  return proofs;
}

/** Returns the validation data covered by the time-stamp at an index. */
export type CoveredEvidence = (index: number) => StoredValidationData;

/**
 * Adds to the context what time-stamps prove about the OCSP responses and CRLs they cover, which
 * are evaluated with the algorithms and signers of that time.
 *
 * @spec ETSI EN 319 102-1 §5.6.2.3
 */
export function withEvidenceUnder<Context extends StatusContext>(
  context: Context,
  stamps: readonly { readonly proof: ProofOfExistence; covered(): StoredValidationData }[],
): Context {
  const proved = stamps.flatMap(({ proof: { timeMs }, covered }) =>
    timeMs === undefined ? [] : [{ timeMs, covered }],
  );
  if (proved.length === 0) return context;
  return { ...context, existence: evidenceExistence(proved, context.existence) };
}

/**
 * Proofs by time-stamps that do not all cover all earlier ones. Each is proven by those later ones
 * that cover it and whose time counts.
 *
 * @param covers whether the time-stamp at the first index covers the one at the second
 */
export function proofsByCoverage(
  verdicts: readonly TimestampVerdict[],
  covers: (later: number, earlier: number) => boolean,
  data: StoredValidationData,
  provedMs: number,
  context: StatusContext,
  covered: CoveredEvidence,
): readonly ProofOfExistence[] {
  const proofs: ProofOfExistence[] = new Array(verdicts.length);
  const done: number[] = [];
  let known = context;
  for (const index of latestFirst(verdicts, covers)) {
    let untilMs = provedMs;
    for (const later of done) {
      const { timeMs } = proofs[later] as ProofOfExistence;
      if (timeMs !== undefined && covers(later, index)) untilMs = Math.min(untilMs, timeMs);
    }
    const proof = proofOfExistence(verdicts[index] as TimestampVerdict, data, untilMs, known);
    known = withEvidenceUnder(known, [{ proof, covered: () => covered(index) }]);
    proofs[index] = proof;
    done.push(index);
  }
  return proofs;
}

function latestFirst(
  verdicts: readonly TimestampVerdict[],
  covers: (later: number, earlier: number) => boolean,
): readonly number[] {
  const times = verdicts.map(({ info }) => info?.genTimeMs ?? 0);
  const order = (a: number, b: number) =>
    (times[b] as number) - (times[a] as number) || Number(covers(b, a)) - Number(covers(a, b));
  return [...verdicts.keys()].sort(order);
}

/** Times proven by the time-stamps in and over a signature. */
export interface SignatureTime {
  /** The earliest time at which the signature provably existed. Undefined if none is proven. */
  readonly bestSignatureTimeMs: number | undefined;
  /** Proofs by the signature's own time-stamps, in their order. */
  readonly proofs: readonly ProofOfExistence[];
}

/**
 * Determines the earliest time at which a signature provably existed.
 *
 * @param own verdicts on the time-stamps over the signature value, none of which covers another
 * @param covering proofs of later time-stamps that cover the signature and its own time-stamps
 * @param data revocation data for the authorities
 */
export function bestSignatureTime(
  own: readonly TimestampVerdict[],
  covering: readonly ProofOfExistence[],
  data: StoredValidationData,
  context: StatusContext,
): SignatureTime {
  const later = covering.flatMap(({ timeMs }) => timeMs ?? []);
  const provedMs = Math.min(context.nowMs, ...later);
  const proofs = own.map((verdict) => proofOfExistence(verdict, data, provedMs, context));
  const times = [...later, ...proofs.flatMap(({ timeMs }) => timeMs ?? [])];
  return { bestSignatureTimeMs: times.length === 0 ? undefined : Math.min(...times), proofs };
}
