/** Time-stamp authorities: in this process, over HTTP, several in order, and their HTTP face. */
export { answerTimestampRequest, type TimestampIssuer } from './answer-request.ts';
export {
  type LocalTimestampOptions,
  localTimestampAuthority,
  timestampIssuer,
} from './local.ts';
