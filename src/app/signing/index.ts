/** Use cases of signees: view, log in, sign; and the preparation of documents for that. */

export {
  readSignee,
  type SealingPorts,
  type SigneeRequest,
  type SigningPorts,
} from './find-signee.ts';
export * from './flatten-form.ts';
export { askProvider } from './login/ask-provider.ts';
export * from './login/auth.ts';
export { cancelSession, refreshSession } from './login/cancel-session.ts';
export {
  type EidChoice,
  foreignHintError,
  graceMs,
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
export * from './login/qualified.ts';
export * from './one-time-code.ts';
export * from './require-sealable.ts';
export * from './sign-by-click.ts';
export * from './signing-service.ts';
export * from './view-document.ts';
