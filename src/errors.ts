/** Entry «innsigli/errors»: the error class and the registry of codes. */
export {
  CoreError,
  type ErrorCode,
  type ErrorContext,
  type ErrorFinding,
  type ErrorKind,
  errorKinds,
  isCoreError,
} from './base/errors.ts';
