import { isoTime } from '../../base/time/iso-time.ts';
import type { Outcome } from '../check-signer.ts';
import type { CmsSignatureReport, Finding, SignatureConclusion } from '../report/index.ts';
import { isWorse } from '../worst-of.ts';

/** Outcome if a violated container rule makes the signed content ambiguous. */
export const formatFailure: Outcome = {
  indication: 'INDETERMINATE',
  subIndication: 'FORMAT_FAILURE',
};

/** Adds findings to the report, and the outcome if it is worse than that of the report. */
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

/** Changes the report if something that the signature covers by way of a manifest is invalid. */
export function refute<T extends SignatureConclusion>(
  report: T,
  findings: readonly Finding[],
  outcome: Outcome,
): T {
  const { level: _level, anchor: _anchor, ...rest } = degrade(report, findings, outcome);
  return { ...rest, intact: false, trusted: false } as T;
}

/** The report on a CMS signature or time-stamp file whose content is ambiguous. */
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
