/** Requirements on a time-stamp token besides the rules of CMS. */
export {
  checkTokenSignature,
  type TimestampDoubt,
  type TimestampFault,
  type TimestampProblem,
  unsupportedAlgorithm,
} from './check-token-signature.ts';
