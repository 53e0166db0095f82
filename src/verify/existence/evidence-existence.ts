import { once } from '../../base/memo.ts';
import { valueKey } from '../value-key.ts';
import type { StoredValidationData } from './document-security-store.ts';

/** OCSP responses and CRLs under a time-stamp whose time counts. */
export interface ProvedEvidence {
  readonly timeMs: number;
  /** The validation data that it covers; read at most once. */
  covered(): Pick<StoredValidationData, 'ocsp' | 'crls'>;
}

/** Earliest proved times of existence of OCSP responses and CRLs. */
export interface EvidenceExistence {
  /** The earliest proved time of this value, DER; undefined when none is proved. */
  existedAtMs(der: Uint8Array): number | undefined;
}

/**
 * The proofs of existence that time-stamps give for the OCSP responses and CRLs under them,
 * together with the known ones. The data under time-stamps is read on the first question about a
 * value: most verifications have none.
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
