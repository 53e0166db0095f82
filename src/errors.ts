/** Entry point `innsigli/errors`: the error class and the registry of codes. */
export {
  type ErrorCode,
  type ErrorCodeOf,
  type ErrorContext,
  type ErrorDetails,
  type ErrorDetailsByFamily,
  type ErrorFamily,
  type ErrorFinding,
  type ErrorKind,
  errorKinds,
  InnsigliError,
  isInnsigliError,
} from './base/errors.ts';
