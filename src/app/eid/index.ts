/** Electronic identities: providers based on a driver, and verification of their certificates. */
export { type DrivenIdentityOptions, drivenIdentity } from './driven-identity.ts';
export { eidTrust } from './eid-trust.ts';
