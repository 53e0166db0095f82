/** Logins of persons, tokens that open places of signees, and signatures asked for by token. */
export type { IssuedToken, TokenPlace, TokenVerdict } from './access-tokens.ts';
export type { StartedLogin } from './begin-login.ts';
export type { FlowLoginPoll, FlowLoginRequest, LoginAnswer } from './flow-login.ts';
export { type IdentityService, identityService, type ObservedPlace } from './identity-service.ts';
export type { AuthPorts } from './ports.ts';
export type {
  SequenceLoginAnswer,
  SequenceLoginPoll,
  SequenceLoginRequest,
} from './sequence-login.ts';
export type { PasscodeAnswer } from './sequence-passcode.ts';
export { failedLogin } from './settle-login.ts';
export type { ReturnPlace, SigningAnswer, SigningScheme } from './sign-with-token.ts';
export type {
  SigneeLoginAnswer,
  SigneeLoginPoll,
  SigneeLoginRequest,
} from './signee-login.ts';
export type { WaitingLogin } from './wait-login.ts';
