/** Time-Stamp Protocol: requests, responses and tokens. */
export {
  buildMessageImprint,
  buildTimestampRequest,
  parseTimestampRequest,
  type TimestampRequest,
} from './request.ts';
export {
  buildTimestampResponse,
  parseTimestampResponse,
  requireToken,
  type TimestampFailure,
  type TimestampResponse,
  type TimestampStatus,
} from './response.ts';
export {
  buildTstInfo,
  parseTimestampToken,
  type TimestampToken,
  type TstInfo,
  type TstInfoInput,
} from './token.ts';
