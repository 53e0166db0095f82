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
 * A time-stamp over a signature and its validation data: a document time-stamp of a PDF, an archive
 * time-stamp, or one over the files of a container.
 */
export interface CoveringStamp {
  readonly verdict: TimestampVerdict;
  /** Whether its time counts as a proof of existence. */
  readonly proof: ProofOfExistence;
  /** The covered validation data, read on first use. */
  covered(): StoredValidationData;
}

/** Input for determining the level of an intact baseline B signature of any format. */
export interface LevelInput {
  /** Certificate of the signer. */
  readonly certificate: Certificate | undefined;
  /** Verdicts on the time-stamps over the signature value. */
  readonly timestamps: readonly TimestampVerdict[];
  /** Time-stamps over the whole signature, oldest first, obtained after signing. */
  readonly covering: readonly CoveringStamp[];
  /** All available validation data. */
  readonly store: StoredValidationData;
  readonly context: StatusContext;
}

/**
 * The level that the file proves, not the one that its structure suggests: T needs a valid
 * time-stamp, LT good revocation data for every certificate, LTA a valid covering time-stamp over
 * that data.
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
 * Whether the data proves the status of signer and authorities. The authority of the last covering
 * time-stamp needs no proof yet, since the next one will cover it.
 */
function isLongTerm(
  { certificate: signer, timestamps, covering, context }: LevelInput,
  data: StoredValidationData,
  last: CoveringStamp | undefined,
): boolean {
  if (signer === undefined || data.ocsp.length + data.crls.length === 0) return false;
  // The time stated by the tokens: the level depends on the contents of the file, not on the
  // verifier's trust anchors or the file's age.
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

/** The status context with the stated time of a covering time-stamp, trusted or not. */
function withStatedTime(context: StatusContext, stamp: CoveringStamp): StatusContext {
  const timeMs = stamp.verdict.info?.genTimeMs;
  if (timeMs === undefined) return context;
  return withEvidenceUnder(context, [{ ...stamp, proof: { timeMs, message: '' } }]);
}
