import { asBuffer } from '../base/bytes.ts';
import type { PdfFile } from '../formats/pdf/index.ts';
import { describeName } from '../formats/x509/index.ts';
import type { TimestampVerdict } from '../trust/timestamp.ts';
import type { DocumentTimestamp } from './document-timestamps.ts';
import { type Outcome, withChanges } from './later-changes.ts';
import type { StatusContext } from './long-term.ts';
import type { Finding, SignatureReport, TimestampSummary } from './report.ts';
import { describeSigner } from './signer-summary.ts';

/** The report on one document time-stamp. */
export function judgeTimestamp(
  file: PdfFile,
  stamp: DocumentTimestamp,
  context: StatusContext,
): SignatureReport {
  const { evidence, verdict } = stamp;
  const findings: Finding[] = [...evidence.findings];
  const judged = outcomeOf(stamp);
  if (judged.indication !== 'TOTAL-PASSED') {
    findings.push({
      code: verdict.problem ?? 'timestamp.time.unproved',
      severity: verdict.valid ? 'warning' : 'error',
      message: verdict.message === '' ? stamp.proof.message : verdict.message,
    });
  }
  const outcome = withChanges(file, evidence, judged, findings);
  const time = verdict.info === undefined ? undefined : toIso(verdict.info.genTimeMs);
  return {
    kind: 'document-timestamp',
    field: evidence.field,
    subFilter: evidence.subFilter,
    ...outcome,
    intact: verdict.valid,
    trusted: verdict.trusted,
    coverage: evidence.coverage,
    byteRange: evidence.byteRange,
    ...(verdict.certificate === undefined ? {} : { signer: describeSigner(verdict.certificate) }),
    ...anchorOf(verdict),
    bestTime: time ?? toIso(context.nowMs),
    timeProved: stamp.proof.timeMs !== undefined,
    timestamps: [],
    findings,
  };
}

function outcomeOf({ verdict, proof }: DocumentTimestamp): Outcome {
  if (proof.timeMs !== undefined) return { indication: 'TOTAL-PASSED' };
  const { subIndication: unproved = 'NO_POE' } = proof;
  if (verdict.valid) return { indication: 'INDETERMINATE', subIndication: unproved };
  const hash = verdict.problem === 'tsa.imprint.mismatch';
  const format = verdict.problem === undefined || verdict.problem === 'tsa.response.invalid';
  const subIndication = hash ? 'HASH_FAILURE' : format ? 'FORMAT_FAILURE' : 'SIG_CRYPTO_FAILURE';
  return { indication: 'TOTAL-FAILED', subIndication };
}

function anchorOf({ trusted, path }: TimestampVerdict): { readonly anchor?: string } {
  const anchor = path[path.length - 1];
  return trusted && anchor !== undefined ? { anchor: describeName(anchor.subjectDer) } : {};
}

/** The summary of a time-stamp over a signature. */
export function summarizeTimestamp(verdict: TimestampVerdict): TimestampSummary {
  const { certificate, info, valid, trusted } = verdict;
  return {
    time: info === undefined ? '' : toIso(info.genTimeMs),
    authority: certificate === undefined ? '' : describeName(certificate.subjectDer),
    serialNumber: info === undefined ? '' : asBuffer(info.serialNumber).toString('hex'),
    valid,
    trusted,
    ...anchorOf(verdict),
    ...(valid && trusted ? {} : { message: verdict.message }),
  };
}

/** ISO 8601 in UTC. */
export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
