import type { Indication, SignatureConclusion } from './report/index.ts';

const severity: Record<Indication, number> = {
  'TOTAL-PASSED': 0,
  INDETERMINATE: 1,
  'TOTAL-FAILED': 2,
};

/** Whether the first indication is worse than the second. */
export function isWorse(one: Indication, other: Indication): boolean {
  return severity[one] > severity[other];
}

/** The worst indication of all signatures; INDETERMINATE if there are none. */
export function worstOf(signatures: readonly SignatureConclusion[]): Indication {
  let worst: Indication = signatures.length === 0 ? 'INDETERMINATE' : 'TOTAL-PASSED';
  for (const { indication } of signatures) {
    if (isWorse(indication, worst)) worst = indication;
  }
  return worst;
}
