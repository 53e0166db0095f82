import type { Outcome } from '../judge-signer.ts';
import type { Finding, Indication, SignatureJudgement } from '../report.ts';

const severity: Record<Indication, number> = {
  'TOTAL-PASSED': 0,
  INDETERMINATE: 1,
  'TOTAL-FAILED': 2,
};

/** A rule of the container is broken on which it depends what is signed. */
export const formatFailure: Outcome = {
  indication: 'INDETERMINATE',
  subIndication: 'FORMAT_FAILURE',
};

/** The worst indication of all signatures; INDETERMINATE when there is none. */
export function worstOf(signatures: readonly SignatureJudgement[]): Indication {
  let worst: Indication = signatures.length === 0 ? 'INDETERMINATE' : 'TOTAL-PASSED';
  for (const { indication } of signatures) {
    if (severity[indication] > severity[worst]) worst = indication;
  }
  return worst;
}

/** The report with more findings, and with the outcome where that is worse than its own. */
export function degrade<T extends SignatureJudgement>(
  report: T,
  findings: readonly Finding[],
  outcome?: Outcome,
): T {
  const noted = { ...report, findings: [...report.findings, ...findings] };
  if (outcome === undefined || severity[outcome.indication] <= severity[report.indication]) {
    return noted;
  }
  const { subIndication: _, ...rest } = noted;
  return { ...rest, ...outcome } as T;
}

/** The report when something that the signature covers by way of a manifest does not hold. */
export function refute<T extends SignatureJudgement>(
  report: T,
  findings: readonly Finding[],
  outcome: Outcome,
): T {
  const { level: _level, anchor: _anchor, ...rest } = degrade(report, findings, outcome);
  return { ...rest, intact: false, trusted: false } as T;
}
