import type { ProviderClient } from '../session.ts';
import type { OidcProfile } from './profile/profile.ts';
import type { OidcProfileName } from './profile/profiles.table.ts';

/** A private key of the client. */
export interface OidcKey {
  /** PKCS #8, PEM, unencrypted. */
  readonly pem: string;
  /** `kid` under which the key is registered with the provider. */
  readonly keyId?: string;
  /** JOSE algorithm name. Default: RS256, ES256, ES384, ES512 or Ed25519, depending on the key. */
  readonly algorithm?: string;
}

/** Client authentication at the provider. @spec OpenID Connect Core 1.0 §9, RFC 8705 §2 */
export type OidcClientAuthentication =
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secret: string }
  | ({ readonly method: 'private_key_jwt' } & OidcKey)
  /** The transport presents the client certificate. */
  | { readonly method: 'tls_client_auth' };

/** Options of an OpenID Connect driver. */
export interface OidcOptions {
  /** Profile of the broker. Default: `generic`. */
  readonly profile?: OidcProfileName;
  /** Members that override those of the profile. */
  readonly overrides?: Partial<OidcProfile>;
  /** Issuer identifier: `https`, or `http` on a loopback address. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuthentication: OidcClientAuthentication;
  /** Registered redirect URI, without query. Default: that of the request. */
  readonly redirectUri?: string;
  /** Signs the authorization request (RFC 9101). Default: none. */
  readonly requestObjectKey?: OidcKey;
  /**
   * Decrypts ID tokens and userinfo. `keyId` is the one that the provider names in the token, if
   * any. `algorithm`: RSA-OAEP-256 (default for RSA), RSA-OAEP, or ECDH-ES with or without +A128KW,
   * +A192KW, +A256KW (P-256).
   */
  readonly decryptionKey?: OidcKey;
  /** Signature algorithms accepted for ID tokens if the provider announces them as well. */
  readonly idTokenAlgorithms?: readonly string[];
  /** Maximum duration of a session in seconds. Default: 600. */
  readonly sessionSeconds?: number;
}

/** Options, profile and environment shared by the parts of a driver. */
export interface OidcContext extends ProviderClient<OidcOptions> {
  readonly profile: OidcProfile;
}

/** Signature algorithms accepted for ID tokens by default, all of them asymmetric. */
export const usualIdTokenAlgorithms: readonly string[] = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
