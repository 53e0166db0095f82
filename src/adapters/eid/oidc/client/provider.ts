import type { Configuration, ServerMetadata } from 'openid-client';
import { EidError } from '../../../../app/ports/index.ts';
import { isUrl } from '../../../../base/network/is-url.ts';
import { type OidcContext, usualIdTokenAlgorithms } from '../oidc-options.ts';
import { eidErrorOf } from './failures.ts';
import { type ImportedKey, importDecryptionKey, importSigningKey } from './keys.ts';
import { fetchOver, isLoopbackIssuer, requireProtected, withoutSlash } from './transport.ts';

/** A JWK Set. */
export interface OidcKeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** A provider, opened for one call. */
export interface OidcProvider {
  readonly metadata: ServerMetadata;
  readonly configuration: Configuration;
  /** Fetches the keys. Called before anything is redeemed that can be redeemed only once. */
  prepareKeys(): Promise<void>;
  /** Uses the cached keys, without a request. */
  offerKeys(): void;
  /** The most recently used keys. */
  keys(): OidcKeySet | undefined;
  /** Drops the cached keys, because a key that failed to verify may have been replaced. */
  forgetKeys(): void;
}

/** Metadata and keys, cached by each driver instance. */
export interface OidcCache {
  metadata?: { readonly value: ServerMetadata; readonly untilMs: number };
  keys?: { readonly value: OidcKeySet; readonly untilMs: number };
}

const METADATA_MS = 600_000;
const KEYS_MS = 300_000;
/** Tolerated clock difference in seconds. */
export const TOLERANCE_S = 120;

const endpoints = [
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'pushed_authorization_request_endpoint',
  'backchannel_authentication_endpoint',
] as const;

/**
 * Opens the provider described by the issuer's metadata.
 *
 * @throws EidError `providerUnavailable`, `invalidResponse` if the metadata is invalid,
 * `internalError` if a configured key is unusable
 * @spec OpenID Connect Discovery 1.0 §4
 */
export async function openProvider(context: OidcContext, cache: OidcCache): Promise<OidcProvider> {
  const nowMs = context.environment.now();
  const known = cache.metadata;
  const isKnown =
    known !== undefined && known.untilMs > nowMs && known.untilMs <= nowMs + METADATA_MS;
  const metadata = isKnown ? known.value : await discover(context);
  cache.metadata = isKnown ? known : { value: metadata, untilMs: nowMs + METADATA_MS };
  const configuration = await configure(metadata, context);
  const client = await import('openid-client');
  // At this age, openid-client uses the given keys, and refetches them only if a key is missing.
  const givenAt = Math.floor(Date.now() / 1000) - 60;
  const isFresh = (held: OidcCache['keys']) =>
    held !== undefined && held.untilMs > nowMs && held.untilMs <= nowMs + KEYS_MS;
  const offerKeys = () => {
    if (cache.keys === undefined || !isFresh(cache.keys)) return;
    const jwks = { keys: [...cache.keys.value.keys] };
    client.setJwksCache(configuration, { jwks, uat: givenAt } as never);
  };
  return {
    metadata,
    configuration,
    offerKeys,
    prepareKeys: async () => {
      if (!isFresh(cache.keys)) {
        const value = await readKeys(metadata, context);
        cache.keys = { value, untilMs: nowMs + KEYS_MS };
      }
      offerKeys();
    },
    keys: () => {
      const used = client.getJwksCache(configuration);
      const value = used?.jwks as OidcKeySet | undefined;
      const isRead = value !== undefined && used?.uat !== givenAt;
      if (isRead) cache.keys = { value, untilMs: nowMs + KEYS_MS };
      return value;
    },
    forgetKeys: () => {
      delete cache.keys;
    },
  };
}

/** Fetches the metadata of the issuer. */
async function discover({ options, profile, environment }: OidcContext): Promise<ServerMetadata> {
  const { issuer, clientId, idTokenAlgorithms = usualIdTokenAlgorithms } = options;
  const what = 'the metadata of the provider';
  if (!isUrl(issuer) || !isProtected(issuer)) {
    throw new EidError('internalError', 'issuer: expected an https address');
  }
  const client = await import('openid-client');
  let metadata: ServerMetadata;
  try {
    const found = await client.discovery(new URL(issuer), clientId, undefined, client.None(), {
      [client.customFetch]: fetchOver(environment, issuer) as never,
      ...(isLoopbackIssuer(issuer) ? { execute: [client.allowInsecureRequests] } : {}),
    });
    metadata = { ...found.serverMetadata() };
  } catch (fault) {
    throw eidErrorOf(fault, what, profile);
  }
  // Checked here because openid-client makes exceptions for some vendors.
  if (withoutSlash(metadata.issuer) !== withoutSlash(issuer)) {
    throw new EidError('invalidResponse', `${what} belongs to a different issuer`);
  }
  for (const name of endpoints) {
    const address = metadata[name];
    if (address !== undefined) requireProtected(address, issuer);
  }
  const counts = (given: unknown): string[] =>
    Array.isArray(given) ? given.filter((each) => idTokenAlgorithms.includes(each)) : ['RS256'];
  return {
    ...metadata,
    id_token_signing_alg_values_supported: counts(metadata.id_token_signing_alg_values_supported),
    userinfo_signing_alg_values_supported: counts(metadata.userinfo_signing_alg_values_supported),
  };
}

/** Configures openid-client to use the transport and clock of the environment. */
async function configure(metadata: ServerMetadata, context: OidcContext): Promise<Configuration> {
  const { options, environment } = context;
  const client = await import('openid-client');
  const { clientId, decryptionKey, issuer } = options;
  const skew = Math.floor(environment.now() / 1000) - Math.floor(Date.now() / 1000);
  const registration = {
    [client.clockSkew]: skew,
    [client.clockTolerance]: TOLERANCE_S,
    use_mtls_endpoint_aliases: options.clientAuthentication.method === 'tls_client_auth',
  };
  const authentication = await clientAuthentication(context);
  const made = new client.Configuration(metadata, clientId, registration, authentication);
  made[client.customFetch] = fetchOver(environment, issuer) as never;
  // The transport has its own timeout.
  made.timeout = 0;
  if (isLoopbackIssuer(issuer)) client.allowInsecureRequests(made);
  // Signatures of ID tokens are verified even though they were received over TLS.
  client.enableNonRepudiationChecks(made);
  if (decryptionKey !== undefined) {
    client.enableDecryptingResponses(
      made,
      ['A128GCM', 'A192GCM', 'A256GCM', 'A128CBC-HS256', 'A192CBC-HS384', 'A256CBC-HS512'],
      await importDecryptionKey(decryptionKey),
    );
  }
  return made;
}

async function clientAuthentication({ options, environment }: OidcContext) {
  const given = options.clientAuthentication;
  const client = await import('openid-client');
  if (given.method === 'tls_client_auth') return client.TlsClientAuth();
  if (given.method !== 'private_key_jwt') {
    const isBasic = given.method === 'client_secret_basic';
    return isBasic ? client.ClientSecretBasic(given.secret) : client.ClientSecretPost(given.secret);
  }
  const key: ImportedKey = await importSigningKey(given);
  return client.PrivateKeyJwt(key as never, {
    [client.modifyAssertion]: (_header, payload) => {
      payload['jti'] = Buffer.from(environment.random(16)).toString('base64url');
    },
  });
}

async function readKeys(
  { jwks_uri: address }: ServerMetadata,
  { options: { issuer }, environment }: OidcContext,
): Promise<OidcKeySet> {
  if (address === undefined)
    throw new EidError('invalidResponse', 'the provider publishes no keys');
  const headers = { accept: 'application/json, application/jwk-set+json' };
  const answer = await fetchOver(environment, issuer)(address, { method: 'GET', headers });
  const found: unknown = await answer.json().catch(() => undefined);
  const keys = (found as { keys?: unknown } | null | undefined)?.keys;
  const isObject = (each: unknown): each is Record<string, unknown> =>
    typeof each === 'object' && each !== null;
  if (answer.status !== 200 || !Array.isArray(keys) || !keys.every(isObject)) {
    throw new EidError('invalidResponse', 'the keys of the provider are not a JWK Set');
  }
  return { keys };
}

function isProtected(issuer: string): boolean {
  return new URL(issuer).protocol === 'https:' || isLoopbackIssuer(issuer);
}
