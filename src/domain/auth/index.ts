/** Logins of persons, their scopes, and data about the persons. */
export {
  type AccessScope,
  type AccessToken,
  accessSeconds,
  findPerson,
  openedPlaces,
  signeeOfScope,
} from './access-token.ts';
export { EidError, type EidFailCode, eidFailCodes, plainProviderCode } from './eid-failure.ts';
export * from './login-result.ts';
export * from './login-return.ts';
export {
  type Customer,
  defaultLookup,
  type EidMethod,
  eidMethods,
  expiredHint,
  type FamilyFacts,
  familyMeta,
  type HomeAddress,
  type LoginPlace,
  type LoginScheme,
  type LoginSession,
  type LookupType,
  leastPollGapMs,
  loginDeadlineMs,
  loginKeptMs,
  lookupTypes,
} from './login-session.ts';
export { passcodeLength, triesOfAll, triesOfClient, withoutTry, withTry } from './passcode.ts';
