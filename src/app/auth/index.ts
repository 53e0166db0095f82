/** Logins of persons, tokens that open places of signees, and signatures asked for by token. */
export type { IssuedToken, TokenPlace, TokenVerdict } from './access-tokens.ts';
export type { LoginAnswer } from './flow-login.ts';
export * from './identity-service.ts';
export { failedLogin, type StartedLogin } from './login-session.ts';
export type * from './ports.ts';
export type { SequenceLoginAnswer } from './sequence-login.ts';
export type { SigningAnswer, SigningScheme } from './sign-with-token.ts';
export type { SigneeLoginAnswer } from './signee-login.ts';
