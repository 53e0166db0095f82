import { isoTime } from '../../base/time/iso-time.ts';
import type { Outcome } from '../check-signer.ts';
import type { CmsSignatureReport, Finding, SignatureConclusion } from '../report/index.ts';
import { isWorse } from '../worst-of.ts';

/** A rule of the container is broken on which it depends what is signed. */
export const formatFailure: Outcome = {
  indication: 'INDETERMINATE',
  subIndication: 'FORMAT_FAILURE',
};

/** The report with more findings, and with the outcome where that is worse than its own. */
export function degrade<T extends SignatureConclusion>(
  report: T,
  findings: readonly Finding[],
  outcome?: Outcome,
): T {
  const noted = { ...report, findings: [...report.findings, ...findings] };
  if (outcome === undefined || !isWorse(outcome.indication, report.indication)) return noted;
  const { subIndication: _, ...rest } = noted;
  return { ...rest, ...outcome } as T;
}

/** The report when something that the signature covers by way of a manifest does not hold. */
export function refute<T extends SignatureConclusion>(
  report: T,
  findings: readonly Finding[],
  outcome: Outcome,
): T {
  const { level: _level, anchor: _anchor, ...rest } = degrade(report, findings, outcome);
  return { ...rest, intact: false, trusted: false } as T;
}

/** The report on a CMS signature or time-stamp file of which it is not clear what it is over. */
export function uncheckedCms(
  file: string,
  form: 'cms' | 'timestamp',
  finding: Finding,
  nowMs: number,
): CmsSignatureReport {
  return {
    kind: form === 'cms' ? 'signature' : 'document-timestamp',
    form,
    ...formatFailure,
    intact: false,
    trusted: false,
    timeProved: false,
    timestamps: [],
    file,
    bestTime: isoTime(nowMs),
    findings: [finding],
    references: [],
  };
}
