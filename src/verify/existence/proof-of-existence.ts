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

/** Result for the time of a time-stamp as a proof of existence. */
export interface ProofOfExistence {
  /** The proved time; absent when it does not count. */
  readonly timeMs?: number;
  /** Sub-indication of a time that does not count. @spec ETSI EN 319 102-1 §5.4, §5.6.2.4 */
  readonly subIndication?: string;
  readonly message: string;
}

/**
 * The time of a time-stamp counts when its authority was in order at a time that is proved
 * otherwise: the present, or a later time-stamp. Its revocation status must be known, and none of
 * its issuers may be known to be revoked; that nothing is known of these is no obstacle, as in the
 * common policy of validators. Rules that ignore a missing status do so while the authority is
 * valid. The time that it states itself is worth nothing for that, since who holds a stolen or
 * revoked key of an authority states what he likes.
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
  // After its end only a past validation makes its time count, and that needs a status.
  const isOver = context.nowMs >= certificate.notAfterMs + 1000;
  if (isOver) return { subIndication: EXPIRED, message: why };
  if (context.revocation?.mode === 'ignore') return { timeMs: info.genTimeMs, message: '' };
  return { ...defined({ subIndication }), message: why };
}

const EXPIRED = 'OUT_OF_BOUNDS_NO_POE';
const WEAK = 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE';

/**
 * The verdicts on time-stamp tokens, DER, that all must cover the same data: its bytes, its digest,
 * or a function that gives the digest under the algorithm of a token. The certificates of the
 * tokens are added to the pool. {@link proofsOfExistence} and {@link bestSignatureTimeMs} decide
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
 * PDF, archive time-stamps of a signature. Each is proved by the next one whose time counts, the
 * last one by `provedMs`: the present, or the time of an outer time-stamp. The same holds for the
 * validation data under them.
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

/** The validation data under the time-stamp at an index. */
export type CoveredEvidence = (index: number) => StoredValidationData;

/**
 * The context with what time-stamps prove about the OCSP responses and CRLs under them: they count
 * by the algorithms and the signers of that time.
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
 * Proofs by time-stamps of which not each covers all earlier ones. Each is proved by those later
 * ones that cover it and whose time counts.
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

/** Times proved by the time-stamps in and over a signature. */
export interface SignatureTime {
  /** The earliest time at which the signature provably existed; undefined when none is proved. */
  readonly bestSignatureTimeMs: number | undefined;
  /** Proofs by its own time-stamps, in their order. */
  readonly proofs: readonly ProofOfExistence[];
}

/**
 * The earliest time at which a signature provably existed.
 *
 * @param own verdicts on the time-stamps over the signature value; none covers another
 * @param covering proofs of later time-stamps that cover the signature and those of its own
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
