import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';

/** The error for an expression that cannot be evaluated; it does not invalidate the signature. */
export function notEvaluated(message: string): InnsigliError {
  return new InnsigliError('xml.signature.invalid', message, { details: { unsupported: true } });
}

/** The error for an evaluation that exceeds a limit; it may succeed elsewhere. */
export function beyondLimit(message: string): InnsigliError {
  return new InnsigliError('xml.limit', message);
}

/** The error for exceeding the limit of stored nodes. */
export function tooManyNodes(): InnsigliError {
  return beyondLimit(`an XPath expression selects more than ${limits.xmlXPathNodes} nodes`);
}
