import type { SealLevel } from '../base/level.ts';
import type { Certificate } from '../formats/x509/index.ts';
import type { TimestampVerdict } from '../trust/timestamp.ts';
import {
  isProvedGood,
  type ProofOfExistence,
  type StatusContext,
  type StoredValidationData,
  withEvidenceUnder,
} from './existence/index.ts';

/**
 * A time-stamp over a signature and the validation data that stands beside it: a document
 * time-stamp of a PDF, an archive time-stamp, one over the files of a container.
 */
export interface CoveringStamp {
  readonly verdict: TimestampVerdict;
  /** Result for its time as a proof of existence. */
  readonly proof: ProofOfExistence;
  /** The validation data under the time-stamp; read when first asked for. */
  covered(): StoredValidationData;
}

/** Input for determining the level of an intact baseline B signature of any format. */
export interface LevelInput {
  /** Certificate of the signer. */
  readonly certificate: Certificate | undefined;
  /** Verdicts on the time-stamps over the signature value. */
  readonly timestamps: readonly TimestampVerdict[];
  /** Time-stamps over all of it, oldest first, made after the signature. */
  readonly covering: readonly CoveringStamp[];
  /** All validation data at hand. */
  readonly store: StoredValidationData;
  readonly context: StatusContext;
}

/**
 * The level that the file proves, not the one its structure suggests: T needs a time-stamp that
 * verifies, LT good answers for every certificate, LTA a covering time-stamp that verifies over
 * those answers.
 *
 * @spec ETSI EN 319 142-1 §6.3; EN 319 122-1 §6.3; EN 319 132-1 §6.3
 */
export function levelOf(evidence: LevelInput): SealLevel {
  const { timestamps, covering, store } = evidence;
  const stamps = covering.filter(({ verdict }) => verdict.valid);
  const stamped = timestamps.some(({ valid }) => valid) || stamps.length > 0;
  if (!stamped) return 'B-B';
  if (stamps.some((stamp) => isLongTerm(evidence, stamp.covered(), stamp))) return 'B-LTA';
  return isLongTerm(evidence, store, undefined) ? 'B-LT' : 'B-T';
}

/**
 * True when the data proves the status of signer and authorities. The authority of the last
 * covering time-stamp needs no proof yet: that comes with the next one.
 */
function isLongTerm(
  { certificate: signer, timestamps, covering, context }: LevelInput,
  data: StoredValidationData,
  last: CoveringStamp | undefined,
): boolean {
  if (signer === undefined || data.ocsp.length + data.crls.length === 0) return false;
  // The time that the tokens state: the level is about what the file holds, not about whom its
  // reader trusts or how old it has grown.
  const stated = [...timestamps, ...covering.map(({ verdict }) => verdict)]
    .filter(({ valid }) => valid)
    .map(({ info }) => info?.genTimeMs ?? context.nowMs);
  const bestMs = Math.min(context.nowMs, ...stated);
  const subjects: [Certificate, number][] = [[signer, bestMs]];
  const earlier = last === undefined ? [] : covering.slice(0, covering.indexOf(last));
  for (const { valid, certificate, info } of [
    ...timestamps,
    ...earlier.map(({ verdict }) => verdict),
  ]) {
    if (valid && certificate !== undefined) subjects.push([certificate, info?.genTimeMs ?? bestMs]);
  }
  const known = last === undefined ? context : withStatedTime(context, last);
  return subjects.every(([certificate, atMs]) => isProvedGood(certificate, data, atMs, known));
}

/**
 * The status context under the stated time of a covering time-stamp, whether its authority is
 * trusted or not.
 */
function withStatedTime(context: StatusContext, stamp: CoveringStamp): StatusContext {
  const timeMs = stamp.verdict.info?.genTimeMs;
  if (timeMs === undefined) return context;
  return withEvidenceUnder(context, [{ ...stamp, proof: { timeMs, message: '' } }]);
}
