/** Electronic identities: providers that follow a driver, and checks of their certificates. */
export { type DrivenIdentityOptions, drivenIdentity } from './driven-identity.ts';
export { eidTrust } from './eid-trust.ts';
