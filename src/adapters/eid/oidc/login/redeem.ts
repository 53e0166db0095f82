import { createHash } from 'node:crypto';
import { EidError } from '../../../../app/ports/index.ts';
import { eidErrorOf } from '../client/failures.ts';
import { importDecryptionKey } from '../client/keys.ts';
import { type OidcKeySet, type OidcProvider, TOLERANCE_S } from '../client/provider.ts';
import type { OidcKey } from '../oidc-options.ts';
import type { OidcProfile } from '../profile/profile.ts';
import type { OidcSession, OidcTokens } from './session.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * Exchanges the code of a session for its ID token, and verifies that. The code can be used once.
 *
 * @throws EidError with the reason; `providerUnavailable` when it may be tried again
 * @spec OpenID Connect Core 1.0 §3.1.3.7, RFC 7636 §4.5
 */
export async function redeem(
  session: OidcSession,
  code: string,
  provider: OidcProvider,
  context: {
    readonly profile: OidcProfile;
    readonly nowMs: number;
    readonly decryptionKey: OidcKey | undefined;
  },
): Promise<OidcTokens> {
  const { profile, nowMs, decryptionKey } = context;
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
    const idToken = await signedToken(found.id_token ?? '', decryptionKey);
    const claims = { ...found.claims() } as Claims;
    requireOwn(claims, session, nowMs);
    if (profile.parameters['prompt'] === 'login') requireNewLogin(claims, session);
    requireAccessToken(claims, headerOf(idToken), found.access_token);
    const keys = keyOf(headerOf(idToken), provider.keys());
    return { idToken, accessToken: found.access_token, claims, keys };
  } catch (fault) {
    provider.forgetKeys();
    throw eidErrorOf(fault, 'the token response', profile);
  }
}

/** The signed token inside of an encrypted one: only this one can be shown to others. */
async function signedToken(token: string, key: OidcKey | undefined): Promise<string> {
  if (token.split('.').length !== 5 || key === undefined) return token;
  const { compactDecrypt } = await import('jose');
  const { plaintext } = await compactDecrypt(token, (await importDecryptionKey(key)).key as never);
  return Buffer.from(plaintext).toString();
}

/** Checks that openid-client leaves out: the authorised party, and times that cannot be. */
function requireOwn(claims: Claims, session: OidcSession, nowMs: number): void {
  const party = claims['azp'];
  if (party !== undefined && party !== session.clientId) {
    throw refused('the ID token is for another authorised party');
  }
  const issuedAt = claims['iat'] as number;
  if (issuedAt > nowMs / 1000 + TOLERANCE_S) throw refused('the ID token is from the future');
  if (issuedAt < session.startedAtMs / 1000 - TOLERANCE_S) {
    throw refused('the ID token is older than the session');
  }
}

/** A login of before, which a broker may hold in a cookie, is no answer to this session. */
function requireNewLogin(claims: Claims, { startedAtMs }: OidcSession): void {
  const authTime = claims['auth_time'];
  if (typeof authTime === 'number' && authTime < startedAtMs / 1000 - TOLERANCE_S) {
    throw refused('the person has logged in before the session began');
  }
}

/** @spec OpenID Connect Core 1.0 §3.1.3.6 */
function requireAccessToken(claims: Claims, header: Claims, accessToken: string): void {
  const told = claims['at_hash'];
  if (told === undefined) return;
  const bits = /^(RS|PS|ES)(256|384|512)$/.exec(`${header['alg']}`)?.[2] ?? '512';
  const hash = createHash(`sha${bits}`).update(accessToken).digest();
  if (told !== hash.subarray(0, hash.length / 2).toString('base64url')) {
    throw refused('the access token does not belong to the ID token');
  }
}

function headerOf(token: string): Claims {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as Claims;
}

/** The keys that can have verified the token, without those of others. */
function keyOf({ kid }: Claims, keys: OidcKeySet | undefined): string {
  const used = (keys?.keys ?? []).filter((key) => kid === undefined || key['kid'] === kid);
  return JSON.stringify({ keys: used });
}

function refused(message: string): EidError {
  return new EidError('invalidResponse', message);
}
