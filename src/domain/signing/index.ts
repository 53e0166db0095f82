/** Rules for signatures by one-time code, click and electronic identity. */

export { type Drawing, drawingArea, parseDrawing, requireDrawing } from './drawing.ts';
export {
  afterWrongCode,
  type Challenge,
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
  type PreparedSignature,
  type ShownPrompt,
  type SignatureRequest,
  testPersonOutcome,
  typedCode,
  usualCodeBounds,
} from './one-time-code.ts';
export { plainText, stampTemplate, writtenNumber } from './stamp-text.ts';
