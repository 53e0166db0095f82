/** What signees do: look, log in and sign; and what makes a document ready for that. */
export { type CodeAnswer, confirmCode } from './confirm-code.ts';
export { readSignee, type SigneeRequest } from './find-signee.ts';
export { flattenForm } from './flatten-form.ts';
export {
  type EidChoice,
  foreignHintError,
  loginOf,
  mismatchCode,
  mismatchError,
  type SessionPoll,
  type StartedSession,
  whoIs,
} from './login/eid-session.ts';
export { type LoginPrompt, type Starter, strangersStanding } from './login/login-counts.ts';
export { type HeldPrompt, withPrompt } from './login/login-prompt.ts';
export { type AuthAnswer, pollAuth } from './login/poll-auth.ts';
export { pollQualified, type QualifiedAnswer } from './login/poll-qualified.ts';
export { startAuth } from './login/start-auth.ts';
export { startQualified } from './login/start-qualified.ts';
export type { SealingPorts, SigningPorts } from './ports.ts';
export {
  type DocumentWish,
  openedDocument,
  prepareDocument,
  requireSealable,
} from './require-sealable.ts';
export { signByClick } from './sign-by-click.ts';
export { challengePace } from './signee-prompt.ts';
export { type SigneeRef, type SigningService, signingService } from './signing-service.ts';
export { type StartedCode, startCode } from './start-code.ts';
export { openLink, requireDocument, type ViewedDocument, viewDocument } from './view-document.ts';
