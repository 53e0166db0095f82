/** Logins of persons, what they open, and what is told of who logged in. */
export {
  type AccessScope,
  type AccessToken,
  accessSeconds,
  findPerson,
  openedPlaces,
  signeeOfScope,
} from './access-token.ts';
export {
  type Customer,
  defaultLookup,
  type FamilyFacts,
  familyMeta,
  type HomeAddress,
  type LookupType,
  lookupTypes,
} from './customer.ts';
export {
  expiredHint,
  type LoginPlace,
  type LoginScheme,
  type LoginSession,
  leastPollGapMs,
  loginDeadlineMs,
  loginKeptMs,
  loginSchemes,
} from './login-session.ts';
export {
  passcodeLength,
  triesOfAll,
  triesOfClient,
  withoutTry,
  withTry,
} from './passcode.ts';
