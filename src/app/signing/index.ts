/** Use cases of signees: view, log in, sign; and the preparation of documents for them. */

export {
  readSignee,
  type SealingPorts,
  type SigneeRef,
  type SigneeRequest,
  type SigningPorts,
} from './find-signee.ts';
export { flattenForm } from './flatten-form.ts';
export { type KeptSession, pollProvider } from './login/ask-provider.ts';
export { type AuthAnswer, pollAuth, startAuth } from './login/auth.ts';
export { cancelSession, refreshSession } from './login/cancel-session.ts';
export {
  type EidChoice,
  foreignHintError,
  type LoginChoice,
  loginOf,
  mismatchCode,
  mismatchError,
  type SessionPoll,
  type StartedSession,
  whoIs,
} from './login/eid-session.ts';
export { type LoginPrompt, type Starter, strangersStanding } from './login/login-counts.ts';
export { challengePace, type HeldPrompt, withPrompt } from './login/login-prompt.ts';
export { canceledHint } from './login/open-logins.ts';
export { providerNamed } from './login/own-provider.ts';
export { pollQualified, type QualifiedAnswer, startQualified } from './login/qualified.ts';
export { returnAddress, returnPath, sessionOfReturn } from './login/return-address.ts';
export { confirmCode, type StartedCode, startCode } from './one-time-code.ts';
export { openedDocument, type PreparationOptions, prepareDocument } from './require-sealable.ts';
export { type DrawnRequest, signByClick } from './sign-by-click.ts';
export { type SigningService, signingErrors, signingOperations } from './signing-service.ts';
export type { ShownDocument, ViewedDocument } from './view-document.ts';
export { requireDocument, viewDocument } from './view-document.ts';
