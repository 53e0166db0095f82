import { headlineOf, headlineSentence } from '../../app/reports/index.ts';
import { errorKinds } from '../../base/errors.ts';
import { noSignatureCode, type VerificationReport } from '../../verify/report/index.ts';

/** The response body of `POST /verify` for a document with this report: JSON in UTF-8. */
export function serializeVerification(report: VerificationReport): Uint8Array<ArrayBuffer> {
  const answer = { valid: report.indication === 'TOTAL-PASSED', ...unsigned(report), ...report };
  return new TextEncoder().encode(JSON.stringify(answer));
}

/** Code and message for a document without signatures. The message states its content instead. */
function unsigned(report: VerificationReport) {
  const code = noSignatureCode(report);
  if (code === undefined) return {};
  const isBare = headlineOf(report) === 'none';
  const message = isBare ? errorKinds[code].summary : headlineSentence(report, 'en');
  return { code, message };
}
