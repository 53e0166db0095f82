/** e-ID with OpenID Connect brokers, each with a profile. */
export { nebCibaDriver } from './ciba/neb-ciba-driver.ts';
export { oidcDriver } from './oidc-driver.ts';
export type { OidcClientAuthentication, OidcKey, OidcOptions } from './oidc-options.ts';
export type { OidcClaims, OidcNumberMatch, OidcParameter, OidcProfile } from './profile/profile.ts';
export { type OidcProfileName, oidcProfiles } from './profile/profiles.table.ts';
