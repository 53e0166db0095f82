import { once } from '../../base/memo.ts';
import { valueKey } from '../value-key.ts';
import type { StoredValidationData } from './document-security-store.ts';

/** OCSP responses and CRLs covered by a time-stamp whose time is proven. */
export interface ProvedEvidence {
  readonly timeMs: number;
  /** The covered validation data, read at most once. */
  covered(): Pick<StoredValidationData, 'ocsp' | 'crls'>;
}

/** Earliest proven times of existence of OCSP responses and CRLs. */
export interface EvidenceExistence {
  /** The earliest proven time of this value, DER. Undefined if none is proven. */
  existedAtMs(der: Uint8Array): number | undefined;
}

/**
 * The proofs of existence that time-stamps provide for the OCSP responses and CRLs they cover, in
 * addition to the known ones. The covered data is read when the first value is looked up, which
 * most verifications never do.
 *
 * @spec ETSI EN 319 102-1 §5.6.2.3
 */
export function evidenceExistence(
  proved: readonly ProvedEvidence[],
  known?: EvidenceExistence,
): EvidenceExistence {
  const times = once(() => indexTimes(proved));
  return {
    existedAtMs(der) {
      const found = [times().get(valueKey(der)), known?.existedAtMs(der)];
      const all = found.filter((timeMs) => timeMs !== undefined);
      return all.length === 0 ? undefined : Math.min(...all);
    },
  };
}

function indexTimes(proved: readonly ProvedEvidence[]): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { timeMs, covered } of proved) {
    const { ocsp, crls } = covered();
    for (const der of [...ocsp, ...crls]) {
      const key = valueKey(der);
      times.set(key, Math.min(timeMs, times.get(key) ?? timeMs));
    }
  }
  return times;
}
