/** Logins of persons, what they open, and what is told of who logged in. */
export * from './access-token.ts';
export * from './eid-failure.ts';
export * from './login-session.ts';
export * from './passcode.ts';
