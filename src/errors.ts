/** Entry «innsigli/errors»: the error class and the registry of codes. */
export {
  type ErrorCode,
  type ErrorContext,
  type ErrorFinding,
  type ErrorKind,
  errorKinds,
  InnsigliError,
  isInnsigliError,
} from './base/errors.ts';
