import { createHash } from 'node:crypto';
import type { TokenEndpointResponse, TokenEndpointResponseHelpers } from 'openid-client';
import { responseFault } from '../../provider-answer.ts';
import { eidErrorOf } from '../client/failures.ts';
import { importDecryptionKey } from '../client/keys.ts';
import { type OidcKeySet, type OidcProvider, TOLERANCE_S } from '../client/provider.ts';
import type { OidcContext, OidcKey } from '../oidc-options.ts';
import type { OidcSession, OidcTokens } from './session.ts';

type Claims = Readonly<Record<string, unknown>>;

/** The part of a session that the ID token must match. */
type TokenOwner = Pick<OidcSession, 'clientId' | 'startedAtMs'>;

/**
 * Exchanges the code of a session for its tokens and verifies them. A code can be used only once.
 *
 * @throws EidError with the reason; `providerUnavailable` if it may be retried
 * @spec OpenID Connect Core 1.0 §3.1.3.7, RFC 7636 §4.5
 */
export async function redeem(
  session: OidcSession,
  code: string,
  provider: OidcProvider,
  context: OidcContext,
): Promise<OidcTokens> {
  const client = await import('openid-client');
  await provider.prepareKeys();
  const url = new URL(session.redirectUri);
  url.search = `${new URLSearchParams({ code, state: session.state, iss: session.issuer })}`;
  try {
    const found = await client.authorizationCodeGrant(provider.configuration, url, {
      expectedState: session.state,
      expectedNonce: session.nonce,
      pkceCodeVerifier: session.verifier,
      idTokenExpected: true,
    });
    return await tokensOf(found, session, provider, context);
  } catch (fault) {
    provider.forgetKeys();
    throw eidErrorOf(fault, 'the token response', context.profile);
  }
}

/**
 * Returns tokens verified by openid-client, after the checks that it omits.
 *
 * @throws EidError `invalidResponse`
 */
export async function tokensOf(
  found: TokenEndpointResponse & TokenEndpointResponseHelpers,
  session: TokenOwner,
  provider: OidcProvider,
  { options, profile, environment }: OidcContext,
): Promise<OidcTokens> {
  const idToken = await signedToken(found.id_token ?? '', options.decryptionKey);
  const claims = { ...found.claims() } as Claims;
  requireOwn(claims, session, environment.now());
  if (profile.parameters['prompt'] === 'login') requireNewLogin(claims, session);
  const header = headerOf(idToken);
  requireAccessToken(claims, header, found.access_token);
  return {
    idToken,
    accessToken: found.access_token,
    claims,
    keys: keyOf(header, provider.keys()),
  };
}

/** The signed token within an encrypted one: only the signed token can be verified by others. */
async function signedToken(token: string, key: OidcKey | undefined): Promise<string> {
  if (token.split('.').length !== 5 || key === undefined) return token;
  const { compactDecrypt } = await import('jose');
  const { plaintext } = await compactDecrypt(token, (await importDecryptionKey(key)).key as never);
  return Buffer.from(plaintext).toString();
}

/** Checks omitted by openid-client: the authorised party, and implausible times. */
function requireOwn(claims: Claims, session: TokenOwner, nowMs: number): void {
  const party = claims['azp'];
  if (party !== undefined && party !== session.clientId) {
    throw responseFault('the ID token is for a different authorised party');
  }
  const issuedAt = claims['iat'] as number;
  if (issuedAt > nowMs / 1000 + TOLERANCE_S) throw responseFault('the ID token is from the future');
  if (issuedAt < session.startedAtMs / 1000 - TOLERANCE_S) {
    throw responseFault('the ID token is older than the session');
  }
}

/** Rejects an earlier login, which a broker may remember with a cookie. */
function requireNewLogin(claims: Claims, { startedAtMs }: TokenOwner): void {
  const authTime = claims['auth_time'];
  if (typeof authTime === 'number' && authTime < startedAtMs / 1000 - TOLERANCE_S) {
    throw responseFault('the person logged in before the session started');
  }
}

/** @spec OpenID Connect Core 1.0 §3.1.3.6 */
function requireAccessToken(claims: Claims, header: Claims, accessToken: string): void {
  const told = claims['at_hash'];
  if (told === undefined) return;
  const bits = /^(RS|PS|ES)(256|384|512)$/.exec(`${header['alg']}`)?.[2] ?? '512';
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (told !== hash.subarray(0, hash.length / 2).toString('base64url')) {
    throw responseFault('the access token does not belong to the ID token');
  }
}

function headerOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Claims;
}

/** The keys that may have verified the token, as a JWK Set in JSON. */
function keyOf({ kid }: Claims, keys: OidcKeySet | undefined): string {
  const used = (keys?.keys ?? []).filter((key) => kid === undefined || key['kid'] === kid);
  return JSON.stringify({ keys: used });
}
