/** Rules of signatures by code, click and electronic identity. */
export type { Challenge } from './challenge.ts';
export {
  afterWrongCode,
  type CodeBounds,
  type CodeFailure,
  codeLifeMs,
  codeRefusal,
  codesADay,
  codesAtOnce,
  codesShareOfAdded,
  codesShareOfClient,
  codesShareOfLink,
  codeTries,
  newCode,
  testPersonOutcome,
  typedCode,
  usualCodeBounds,
} from './one-time-code.ts';
export { plainText, type StampFacts, stampTemplate, writtenNumber } from './stamp-text.ts';
