/** Logins of persons, access tokens for signees, and signatures started with a token. */
export type { IssuedToken, TokenPlace, TokenVerdict } from './access-tokens.ts';
export * from './company-auth.ts';
export type { CompanyLogin, CompanyLoginPoll, CompanyLoginRequest } from './company-login.ts';
export type { CompanySigningRequest, SigneeSession } from './company-signing.ts';
export type { EidMethodFacts, EidMethodFinding } from './eid-methods.ts';
export type { LoginEvidence } from './evidence/login-evidence.ts';
export type { FlowLoginPoll, FlowLoginRequest, LoginAnswer, WaitingLogin } from './flow-login.ts';
export { type IdentityService, identityOperations, identityService } from './identity-service.ts';
export { failedLogin, type LoginFailure, type StartedLogin } from './login-session.ts';
export type {
  LoginPage,
  LoginResultRequest,
  PageLogin,
  PageLoginRequest,
  PageLoginResult,
} from './page-login.ts';
export type { AuthPorts } from './ports.ts';
export type { ReturnReceiver, ReturnWords } from './receive-returns.ts';
export type {
  PasscodeAnswer,
  SequenceLoginAnswer,
  SequenceLoginPoll,
  SequenceLoginRequest,
} from './sequence/index.ts';
export type { ShownCode } from './shown-code.ts';
export type { ObservedPlace, ReturnPlace, SigningScheme } from './sign-with-token.ts';
export type { SigneeLoginAnswer, SigneeLoginPoll, SigneeLoginRequest } from './signee-login.ts';
