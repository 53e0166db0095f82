import type { SealLevel } from '../base/level.ts';
import type { Certificate } from '../formats/x509/index.ts';
import type { TimestampVerdict } from '../trust/timestamp.ts';
import type { CmsVerdict } from './cms-signature.ts';
import type { DocumentTimestamp } from './document-timestamps.ts';
import { checkPathStatus, type StatusContext } from './long-term.ts';
import type { StoredValidationData } from './security-store.ts';

/** What the level of an intact baseline B signature is read from. */
export interface LevelEvidence {
  readonly cms: CmsVerdict;
  readonly timestamps: readonly TimestampVerdict[];
  /** Document time-stamps made after the signature. */
  readonly covering: readonly DocumentTimestamp[];
  readonly store: StoredValidationData;
  readonly context: StatusContext;
}

/**
 * The level that the file proves, not the one its structure suggests: T needs a time-stamp that
 * verifies, LT good answers for every certificate, LTA a document time-stamp that verifies over
 * a revision which holds those answers already.
 *
 * @spec ETSI EN 319 142-1 §6.3
 */
export function levelOf(evidence: LevelEvidence): SealLevel {
  const { timestamps, covering, store } = evidence;
  const stamps = covering.filter(({ verdict }) => verdict.valid);
  const stamped = timestamps.some(({ valid }) => valid) || stamps.length > 0;
  if (!stamped) return 'B-B';
  if (stamps.some((stamp) => isLongTerm(evidence, stamp.covered(), stamp))) return 'B-LTA';
  return isLongTerm(evidence, store, undefined) ? 'B-LT' : 'B-T';
}

/**
 * True when the data proves the status of signer and authorities. The authority of the last
 * document time-stamp needs no proof yet: that comes with the next one.
 */
function isLongTerm(
  { cms, timestamps, covering, context }: LevelEvidence,
  data: StoredValidationData,
  last: DocumentTimestamp | undefined,
): boolean {
  const signer = cms.certificate;
  if (signer === undefined || data.ocsp.length + data.crls.length === 0) return false;
  // The time that the tokens state: the level is about what the file holds, not about whom its
  // reader trusts or how old it has grown.
  const stated = [...timestamps, ...covering.map(({ verdict }) => verdict)]
    .filter(({ valid }) => valid)
    .map(({ info }) => info?.genTimeMs ?? context.nowMs);
  const bestMs = Math.min(context.nowMs, ...stated);
  const subjects: [Certificate, number][] = [[signer, bestMs]];
  const earlier = covering.filter((stamp) => stamp !== last && before(stamp, last));
  for (const { valid, certificate, info } of [
    ...timestamps,
    ...earlier.map(({ verdict }) => verdict),
  ]) {
    if (valid && certificate !== undefined) subjects.push([certificate, info?.genTimeMs ?? bestMs]);
  }
  return subjects.every(
    ([certificate, atMs]) => checkPathStatus(certificate, data, atMs, context).status === 'good',
  );
}

function before(stamp: DocumentTimestamp, last: DocumentTimestamp | undefined): boolean {
  return last !== undefined && stamp.evidence.coveredEnd < last.evidence.coveredEnd;
}
