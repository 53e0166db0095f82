/** Logins and one-time codes of the persons of a sequence. */
export {
  pollSequenceLogin,
  type SequenceLoginAnswer,
  type SequenceLoginPoll,
  type SequenceLoginRequest,
  startSequenceLogin,
} from './sequence-login.ts';
export {
  asksPasscode,
  checkPasscode,
  type PasscodeAnswer,
  passcodeMissing,
} from './sequence-passcode.ts';
