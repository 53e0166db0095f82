import { buildFinding } from '../findings/index.ts';
import type { QualificationReport } from '../qualification/index.ts';
import { mapSignatures } from './building-blocks.ts';
import type { SignatureConclusion, VerificationReport } from './report.ts';

/** Item of `notJudged` in a report without trusted lists. */
const unqualified = 'qualified status and trusted lists';

/**
 * Settles the qualifications that follow from the conclusions of the report: an invalid signature
 * is not an advanced signature, and an undecided one has no qualification, even with a qualified
 * certificate.
 *
 * @spec ETSI TS 119 615, Regulation (EU) 910/2014 Article 32
 */
export function settleReport(report: VerificationReport): VerificationReport {
  const notJudged = report.notJudged.filter((each) => each !== unqualified);
  return mapSignatures({ ...report, notJudged }, settle);
}

function settle<Report extends SignatureConclusion>(signature: Report): Report {
  const report = withTimeNamed(signature);
  const { qualification, indication, subIndication } = report;
  if (qualification === undefined) return report;
  if (indication === 'TOTAL-PASSED') return withEnded(report, qualification);
  const isFailed = indication === 'TOTAL-FAILED';
  const reason = `the signature is ${indication}${subIndication ? ` (${subIndication})` : ''}`;
  const settled: QualificationReport = {
    ...qualification,
    result: isFailed || qualification.result === 'not-AdES' ? 'not-AdES' : 'INDETERMINATE',
    reasons: [...new Set([reason, ...qualification.reasons])],
  };
  return { ...report, qualification: settled };
}

/** Rewords the reasons to state the time of the check if no signing time is proven. */
function withTimeNamed<Report extends SignatureConclusion>(report: Report): Report {
  const { qualification, timeProved } = report;
  if (qualification === undefined || timeProved) return report;
  const reasons = qualification.reasons.map((each) =>
    each.replace(/^at signing:/, 'at the time of the check:'),
  );
  return { ...report, qualification: { ...qualification, reasons } };
}

/** Statuses of services that a scheme no longer approves. @spec TS 119 612 §5.5.4, Annex D.5 */
const ended = /^(?:withdrawn|deprecated.*|.*(?:ceased|revoked))$/;

/** Warns that the list still contains the anchor although it is no longer supervised. */
function withEnded<Report extends SignatureConclusion>(
  report: Report,
  { service }: QualificationReport,
): Report {
  if (service === undefined || !ended.test(service.status)) return report;
  const { name, territory, status, since } = service;
  const message = `the service "${name}" of ${territory} is ${status} since ${since}`;
  const finding = buildFinding('trust.service.ended', message);
  return { ...report, findings: [...report.findings, finding] };
}
