import { isoTime } from '../../base/time/iso-time.ts';
import type { Outcome } from '../check-signer.ts';
import type { CmsSignatureReport, Finding, XmlSignatureReport } from '../report/index.ts';

const nothing = { intact: false, trusted: false, timeProved: false, timestamps: [] } as const;

/** The report on a file that should hold XAdES signatures and cannot be checked. */
export function uncheckedXades(
  file: string,
  finding: Finding,
  outcome: Outcome,
  nowMs: number,
): XmlSignatureReport {
  return {
    kind: 'signature',
    form: 'xades',
    ...outcome,
    ...nothing,
    offsetBytes: 0,
    file,
    coverage: 'none',
    bestTime: isoTime(nowMs),
    findings: [finding],
    references: [],
  };
}

/** The report on a CMS signature or time-stamp file of which it is not clear what it is over. */
export function uncheckedCms(
  file: string,
  form: 'cms' | 'timestamp',
  finding: Finding,
  outcome: Outcome,
  nowMs: number,
): CmsSignatureReport {
  return {
    kind: form === 'cms' ? 'signature' : 'document-timestamp',
    form,
    ...outcome,
    ...nothing,
    file,
    bestTime: isoTime(nowMs),
    findings: [finding],
    references: [],
  };
}
