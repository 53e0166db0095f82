import { type EidEnvironment, EidError, type EidPoll } from '../../../../app/ports/index.ts';
import { meetsAssurance } from '../../session.ts';
import { eidErrorOf } from '../client/failures.ts';
import type { OidcProvider } from '../client/provider.ts';
import { fetchOver } from '../client/transport.ts';
import type { OidcContext } from '../oidc-options.ts';
import { findNationalNumber, identityOf } from '../profile/identity.ts';
import type { OidcNumberMatch } from '../profile/profile.ts';
import { redeem } from './redeem.ts';
import { type OidcSession, type OidcTokens, stateOf } from './session.ts';

/**
 * Identifies the person for an authorization code. This requests at most the keys, the tokens,
 * userinfo and a comparison of the national number. If userinfo or the comparison is unavailable,
 * the session stays pending with the tokens already obtained.
 *
 * @throws EidError with the reason; `providerUnavailable` if it may be retried
 */
export async function complete(
  session: OidcSession,
  code: string,
  provider: OidcProvider,
  context: OidcContext,
): Promise<EidPoll> {
  const tokens = session.tokens ?? (await redeem(session, code, provider, context));
  return identifyOrWait(session, tokens, provider, context);
}

/** The part of a session that an identification needs. */
type IdentifiedSession = Pick<OidcSession, 'issuer' | 'hint' | 'minAssurance' | 'isSigning'> &
  Partial<Pick<OidcSession, 'nonce' | 'tokens'>>;

/** Like {@link identify}; pending with the tokens if userinfo is unavailable the first time. */
export async function identifyOrWait(
  session: IdentifiedSession,
  tokens: OidcTokens,
  provider: OidcProvider,
  context: OidcContext,
): Promise<EidPoll> {
  try {
    return await identify(session, tokens, provider, context);
  } catch (fault) {
    const error = eidErrorOf(fault, 'the userinfo response', context.profile);
    if (error.code !== 'providerUnavailable' || session.tokens !== undefined) throw error;
    return { status: 'pending', hint: 'userSign', state: stateOf({ ...session, tokens }) };
  }
}

/**
 * Identifies the person from verified tokens, using the claims of the profile.
 *
 * @throws EidError with the reason
 */
async function identify(
  session: IdentifiedSession,
  { accessToken, claims: told, idToken, keys }: OidcTokens,
  { configuration }: OidcProvider,
  { profile, environment }: OidcContext,
): Promise<EidPoll> {
  const client = await import('openid-client');
  const { nonce, isSigning } = session;
  const more = profile.usesUserinfo
    ? await client.fetchUserInfo(configuration, accessToken, `${told['sub']}`)
    : {};
  // Signed claims take precedence over unsigned ones.
  const claims = { ...more, ...told };
  const { numberMatch } = profile;
  let number = findNationalNumber(claims, profile);
  if (number === undefined && numberMatch !== undefined && session.hint !== undefined) {
    const match = { issuer: session.issuer, accessToken, number: session.hint };
    await requireMatch(numberMatch, match, environment);
    number = session.hint;
  }
  const identity = identityOf(claims, number, profile);
  if (!meetsAssurance(identity.assurance, session.minAssurance)) {
    return { status: 'failed', code: 'assuranceTooLow' };
  }
  return {
    status: 'complete',
    identity,
    evidence: {
      ...{ scheme: profile.name, format: 'jwt', data: idToken, keys },
      ...(nonce === undefined || isSigning ? {} : { asked: { nonce } }),
    },
    ...(isSigning ? { signature: { delivery: 'evidence' } as const } : {}),
  };
}

/**
 * Has the broker compare a national number with that of the person of the access token. Brokers
 * limit the number of attempts per session; only one is made.
 *
 * @throws EidError `identityMismatch` if the number is a different person's, `invalidResponse` if
 * the broker returns no result
 */
async function requireMatch(
  { path, member, result }: OidcNumberMatch,
  session: { readonly issuer: string; readonly accessToken: string; readonly number: string },
  environment: EidEnvironment,
): Promise<void> {
  const address = `${session.issuer.replace(/\/$/, '')}${path}`;
  const answer = await fetchOver(environment, session.issuer)(address, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${session.accessToken}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ [member]: session.number }),
  });
  const found: unknown = await answer.json().catch(() => undefined);
  const isObject = typeof found === 'object' && found !== null && Object.hasOwn(found, result);
  const said = isObject ? (found as Record<string, unknown>)[result] : undefined;
  // Whether it is a boolean or a string is not confirmed by public documentation.
  if (answer.status === 200 && (said === true || said === 'true')) return;
  if (answer.status === 200 && (said === false || said === 'false')) {
    throw new EidError('identityMismatch', 'the person has a different national number');
  }
  throw new EidError('invalidResponse', 'the broker does not compare the national number');
}
