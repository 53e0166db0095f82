import type { SealLevel } from '../../../base/level.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import type { TimestampVerdict } from '../../../trust/timestamp.ts';
import {
  type ProofOfExistence,
  proofsByCoverage,
  type StatusContext,
  type withEvidenceUnder,
} from '../../existence/index.ts';
import { type CoveringStamp, levelOf } from '../../level.ts';
import type { CheckedStamp } from './check-timestamps.ts';
import { dataWithin, type EmbeddedData } from './validation-data.ts';

/** Times proven by the time-stamps of a signature. */
export interface ProvedTimes {
  /** The earliest time at which the signature provably existed. Undefined if none is proven. */
  readonly provedMs: number | undefined;
  /** Verdicts on the time-stamps over the signature value alone. */
  readonly signature: readonly TimestampVerdict[];
  /** The archive time-stamps that count for a level, oldest first. */
  readonly archive: readonly CoveringStamp[];
  /** The validation data covered by each time-stamp that could prove a time. */
  readonly evidence: Parameters<typeof withEvidenceUnder>[1];
  /** Proofs by the time-stamps that could prove a time. */
  readonly proofs: ReadonlyMap<CheckedStamp, ProofOfExistence>;
}

/**
 * Determines the proven times. A time-stamp over references or content alone proves nothing about
 * the signature.
 *
 * @spec ETSI EN 319 102-1 §5.6.3
 */
export function proveSignatureTimes(
  stamps: readonly CheckedStamp[],
  data: EmbeddedData,
  context: StatusContext,
): ProvedTimes {
  const proving = stamps.filter(({ kind, covers }) => {
    return covers === 'signature' || covers === 'archive' || kind.startsWith('sigAndRefs');
  });
  const covers = (later: number, earlier: number) => {
    const stamp = proving[earlier];
    return stamp !== undefined && proving[later]?.covered.has(stamp.index) === true;
  };
  const verdicts = proving.map(({ verdict }) => verdict);
  const under = (index: number) => {
    const covered = proving[index]?.covered;
    return dataWithin(data, ({ element }) => covered?.has(element.index) === true);
  };
  const proofs = proofsByCoverage(verdicts, covers, data.all, context.nowMs, context, under);
  const times = proofs.flatMap(({ timeMs }) => (timeMs === undefined ? [] : [timeMs]));
  const archive = proving.flatMap((stamp, place): CoveringStamp[] => {
    if (stamp.kind !== 'archive141') return [];
    const { verdict, covered } = stamp;
    return [
      {
        verdict,
        proof: proofs[place] as ProofOfExistence,
        covered: () => dataWithin(data, ({ element }) => covered.has(element.index)),
      },
    ];
  });
  return {
    provedMs: times.length === 0 ? undefined : Math.min(...times),
    signature: proving.filter((stamp) => stamp.covers === 'signature').map(verdictOf),
    archive,
    evidence: proofs.map((proof, index) => ({ proof, covered: () => under(index) })),
    proofs: new Map(proving.map((stamp, place) => [stamp, proofs[place] as ProofOfExistence])),
  };
}

function verdictOf({ verdict }: CheckedStamp): TimestampVerdict {
  return verdict;
}

/** Input for determining the level of an intact baseline B signature. */
export interface XmlLevelEvidence {
  readonly certificate: Certificate | undefined;
  readonly times: ProvedTimes;
  readonly data: EmbeddedData;
  /** True if no property of an older form prevents a long-term level. */
  readonly isLongTermForm: boolean;
}

/**
 * The level that the signature proves. All levels above B-B need a time-stamp over its value, those
 * above B-T the form for long-term data.
 *
 * @spec ETSI EN 319 132-1 §6.3
 */
export function findLevel(evidence: XmlLevelEvidence, context: StatusContext): SealLevel {
  const { certificate, times, data, isLongTermForm } = evidence;
  const { signature: timestamps, archive: covering } = times;
  const endMs = certificate === undefined ? 0 : certificate.notAfterMs + 1000;
  // The time-stamp must have been issued before the signing certificate expired.
  if (!timestamps.some(({ valid, info }) => valid && (info?.genTimeMs ?? endMs) < endMs)) {
    return 'B-B';
  }
  if (!isLongTermForm) return 'B-T';
  return levelOf({ certificate, timestamps, covering, store: data.all, context });
}
