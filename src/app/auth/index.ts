/** Logins of persons, tokens that open places of signees, and signatures asked for by token. */
export type { IssuedToken, TokenPlace, TokenVerdict } from './access-tokens.ts';
export type { StartedLogin } from './begin-login.ts';
export type { LoginAnswer } from './flow-login.ts';
export { type IdentityService, identityService, type ObservedPlace } from './identity-service.ts';
export type { AuthPorts } from './ports.ts';
export type { SequenceLoginAnswer } from './sequence-login.ts';
export { failedLogin } from './settle-login.ts';
export type { SigningAnswer, SigningScheme } from './sign-with-token.ts';
export type { SigneeLoginAnswer } from './signee-login.ts';
