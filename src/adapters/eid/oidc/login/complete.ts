import { type EidEnvironment, EidError, type EidPoll } from '../../../../app/ports/index.ts';
import { reaches } from '../../session.ts';
import { eidErrorOf } from '../client/failures.ts';
import type { OidcProvider } from '../client/provider.ts';
import { fetchOver } from '../client/transport.ts';
import type { OidcContext } from '../oidc-options.ts';
import { findNationalNumber, identityOf } from '../profile/identity.ts';
import type { OidcNumberMatch } from '../profile/profile.ts';
import { redeem } from './redeem.ts';
import { type OidcSession, type OidcTokens, stateOf } from './session.ts';

/**
 * Who has answered, once there is a code: at most the keys, the token, userinfo and a comparison of
 * the national number are asked for. When one of the last two fails to come, the session stays
 * pending with the token that the code gave.
 *
 * @throws EidError with the reason; `providerUnavailable` when it may be tried again
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

/** As {@link identify}; once more with the same tokens where userinfo could not be reached. */
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
 * The person of verified tokens, by the claims of the profile.
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
  // What is signed counts before what is not.
  const claims = { ...more, ...told };
  const { numberMatch } = profile;
  let number = findNationalNumber(claims, profile);
  if (number === undefined && numberMatch !== undefined && session.hint !== undefined) {
    const match = { issuer: session.issuer, accessToken, number: session.hint };
    await requireMatch(numberMatch, match, environment);
    number = session.hint;
  }
  const identity = identityOf(claims, number, profile);
  if (!reaches(identity.assurance, session.minAssurance)) {
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
 * Has the broker compare a national number with the person of the access token. Brokers permit few
 * tries in a session: there is one.
 *
 * @throws EidError `identityMismatch` when it is another person's number,
 * `invalidResponse` when the broker does not say
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
  // Whether it is a boolean or its text is not confirmed by public documentation.
  if (answer.status === 200 && (said === true || said === 'true')) return;
  if (answer.status === 200 && (said === false || said === 'false')) {
    throw new EidError('identityMismatch', 'the person has a different national number');
  }
  throw new EidError('invalidResponse', 'the broker does not compare the national number');
}
