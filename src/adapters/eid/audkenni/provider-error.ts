import { EidError, type EidFailCode } from '../../../app/ports/index.ts';
import { isRecord } from '../../../base/input.ts';
import { findText, type ResponseObject } from '../provider-answer.ts';
import { errorCodes, oauthErrors, unknownCode } from './error-codes.table.ts';

/** Meanings of the provider's codes set by the operator; they take precedence over the table. */
export type ErrorCodeOptions = Readonly<Record<string, EidFailCode>>;

const codePattern = /^(?:(?:mssp|sapp|audkenni|akreg)_[A-Za-z0-9_]{1,40}|InvalidClientId)$/;

/** Code of the access manager for a call-back chain that took too long. */
const CHAIN_TIMED_OUT = '110';

/** Converts an error response of the call-back interface. */
export function callbackError(body: ResponseObject, own: ErrorCodeOptions): EidError {
  const detail = Object.hasOwn(body, 'detail') && isRecord(body['detail']) ? body['detail'] : {};
  const said = [findText(body, 'message'), findText(detail, 'failureUrl')];
  const code = said.find((text) => text !== undefined && codePattern.test(text));
  if (code !== undefined) return codeError(code, own);
  if (findText(detail, 'errorCode') === CHAIN_TIMED_OUT) {
    return new EidError('expiredTransaction', 'the session took too long', CHAIN_TIMED_OUT);
  }
  return new EidError(unknownCode, 'the provider refused without a known code', 'unauthorized');
}

/** Converts an OAuth error response. @spec RFC 6749 §5.2, CIBA Core §13 */
export function oauthError(body: ResponseObject, own: ErrorCodeOptions): EidError {
  const description = findText(body, 'error_description');
  if (description !== undefined && codePattern.test(description)) {
    return codeError(description, own);
  }
  const error = findText(body, 'error', 64) ?? '';
  const known = Object.hasOwn(oauthErrors, error) ? oauthErrors[error] : undefined;
  const providerCode = known === undefined ? 'unknown_error' : error;
  return new EidError(known ?? unknownCode, 'the provider refused', providerCode);
}

function codeError(code: string, own: ErrorCodeOptions): EidError {
  const table = [own, errorCodes].find((each) => Object.hasOwn(each, code));
  return new EidError(table?.[code] ?? meaningOf(code), 'the provider refused', code);
}

/** The documented list is complete for SIM cards, so an unlisted code is a fault of the service. */
function meaningOf(code: string): EidFailCode {
  return code.startsWith('mssp_') ? 'providerUnavailable' : unknownCode;
}
