/** Logins and passcodes of the persons of a sequence. */
export {
  type SequenceLoginAnswer,
  type SequenceLoginPoll,
  type SequenceLoginRequest,
  sequenceOperations,
} from './sequence-login.ts';
export {
  asksPasscode,
  checkPasscode,
  type PasscodeAnswer,
  passcodeMissing,
} from './sequence-passcode.ts';
