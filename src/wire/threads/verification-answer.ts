import { errorKinds } from '../../base/errors.ts';
import { noSignatureCode, type VerificationReport } from '../../verify/report/index.ts';

/** The answer of `POST /verify` to a document with this report, JSON in UTF-8. */
export function serializeVerification(report: VerificationReport): Uint8Array<ArrayBuffer> {
  const code = noSignatureCode(report);
  const none = code === undefined ? {} : { code, message: errorKinds[code].summary };
  const answer = { valid: report.indication === 'TOTAL-PASSED', ...none, ...report };
  return new TextEncoder().encode(JSON.stringify(answer));
}
