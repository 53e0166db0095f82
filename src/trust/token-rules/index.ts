/** Requirements for a time-stamp token in addition to the CMS rules. */
export {
  checkTokenSignature,
  type TimestampDoubt,
  type TimestampFault,
  type TimestampProblem,
  unsupportedAlgorithm,
} from './check-token-signature.ts';
