import { asBuffer } from '../base/bytes.ts';
import { describeName } from '../formats/x509/index.ts';
import type { TimestampVerdict } from '../trust/timestamp.ts';
import type { DocumentTimestamp } from './document-timestamps.ts';
import { checkPathStatus, type StatusContext } from './long-term.ts';
import type { Finding, Indication, SignatureReport, TimestampSummary } from './report.ts';
import type { StoredValidationData } from './security-store.ts';
import { describeSigner } from './signer-summary.ts';

/** The report on one document time-stamp. */
export function judgeTimestamp(
  stamp: DocumentTimestamp,
  all: readonly DocumentTimestamp[],
  store: StoredValidationData,
  context: StatusContext,
): SignatureReport {
  const { evidence, verdict } = stamp;
  const findings: Finding[] = [...evidence.findings];
  let { indication, subIndication } = outcomeOf(verdict);
  if (!verdict.valid || !verdict.trusted) {
    findings.push({
      code: verdict.problem ?? 'tsa.response.invalid',
      severity: verdict.valid ? 'warning' : 'error',
      message: verdict.message,
    });
  } else if (verdict.certificate !== undefined) {
    const at = nextStampMs(stamp, all) ?? context.nowMs;
    const status = checkPathStatus(verdict.certificate, store, at, context);
    if (
      status.status === 'revoked' &&
      (status.revokedAtMs ?? 0) <= (verdict.info?.genTimeMs ?? 0)
    ) {
      indication = 'INDETERMINATE';
      subIndication = 'REVOKED_NO_POE';
      findings.push({ code: 'certificate.revoked', severity: 'error', message: status.message });
    }
  }
  const time = verdict.info === undefined ? undefined : toIso(verdict.info.genTimeMs);
  return {
    kind: 'document-timestamp',
    field: evidence.field,
    subFilter: evidence.subFilter,
    indication,
    ...(subIndication === undefined ? {} : { subIndication }),
    intact: verdict.valid,
    trusted: verdict.trusted,
    coverage: evidence.coverage,
    byteRange: evidence.byteRange,
    ...(verdict.certificate === undefined ? {} : { signer: describeSigner(verdict.certificate) }),
    ...anchorOf(verdict),
    bestTime: time ?? toIso(context.nowMs),
    timestamps: [],
    findings,
  };
}

function outcomeOf(verdict: TimestampVerdict): {
  indication: Indication;
  subIndication: string | undefined;
} {
  if (verdict.valid && verdict.trusted) {
    return { indication: 'TOTAL-PASSED', subIndication: undefined };
  }
  if (verdict.valid) {
    return { indication: 'INDETERMINATE', subIndication: 'NO_CERTIFICATE_CHAIN_FOUND' };
  }
  const hash = verdict.problem === 'tsa.imprint.mismatch';
  const format = verdict.problem === 'tsa.response.invalid';
  const subIndication = hash ? 'HASH_FAILURE' : format ? 'FORMAT_FAILURE' : 'SIG_CRYPTO_FAILURE';
  return { indication: 'TOTAL-FAILED', subIndication };
}

function anchorOf({ trusted, path }: TimestampVerdict): { readonly anchor?: string } {
  const anchor = path?.[path.length - 1];
  return trusted && anchor !== undefined ? { anchor: describeName(anchor.subjectDer) } : {};
}

/** The time of the next valid document time-stamp: proof that this one existed then. */
function nextStampMs(
  stamp: DocumentTimestamp,
  all: readonly DocumentTimestamp[],
): number | undefined {
  return all[all.indexOf(stamp) + 1]?.verdict.info?.genTimeMs;
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
    ...(valid && trusted ? {} : { message: verdict.message }),
  };
}

/** ISO 8601 in UTC. */
export function toIso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
