/** What a time-stamp token has to fulfil besides the rules of CMS. */
export {
  checkTokenSignature,
  type TimestampFault,
  type TimestampProblem,
  unsupportedAlgorithm,
} from './check-token-signature.ts';
