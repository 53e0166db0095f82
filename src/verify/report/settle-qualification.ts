import { buildFinding } from '../findings/index.ts';
import type { QualificationReport } from '../qualification/index.ts';
import { mapSignatures } from './building-blocks.ts';
import type { SignatureConclusion, VerificationReport } from './report.ts';

/** Item of `notJudged` in a report without trusted lists. */
const unqualified = 'qualified status and trusted lists';

/**
 * The report with qualifications that follow from its conclusions: an invalid signature is no
 * advanced signature, and an undecided one has no qualification, even with a qualified certificate.
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

/** The report with the time of the check named, if no signing time is proved. */
function withTimeNamed<Report extends SignatureConclusion>(report: Report): Report {
  const { qualification, timeProved } = report;
  if (qualification === undefined || timeProved) return report;
  const reasons = qualification.reasons.map((each) =>
    each.replace(/^at signing:/, 'at the time of the check:'),
  );
  return { ...report, qualification: { ...qualification, reasons } };
}

/** Statuses by which a scheme vouches for a service no more. @spec TS 119 612 §5.5.4, Annex D.5 */
const ended = /^(?:withdrawn|deprecated.*|.*(?:ceased|revoked))$/;

/** The list names the anchor still, and nobody watches over it any more: people must know. */
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
