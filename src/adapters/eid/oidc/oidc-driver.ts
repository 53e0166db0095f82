import {
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidPoll,
} from '../../../app/ports/index.ts';
import { begin } from './begin.ts';
import { checkProvider } from './check-provider.ts';
import { eidErrorOf, failureOf } from './failures.ts';
import { findNationalNumber, identityOf, reaches } from './identity.ts';
import { requireMatch } from './number-match.ts';
import type { OidcOptions } from './oidc-options.ts';
import type { OidcProfile } from './profile.ts';
import { oidcProfiles } from './profiles.table.ts';
import { type OidcCache, type OidcProvider, openProvider } from './provider.ts';
import { redeem } from './redeem.ts';
import {
  answerOf,
  isSameAnswer,
  type OidcSession,
  type OidcTokens,
  sessionOf,
  stateOf,
} from './session.ts';

/**
 * A driver for brokers that speak OpenID Connect: authorization code with PKCE. The address with
 * which the person comes back is checked by `callback`, without a request; `poll` redeems the code.
 *
 * For signatures the nonce ends with the digest of the order, so that the provider signs it with
 * the ID token. The person sees the text of the request, and no digest.
 */
export function oidcDriver(options: OidcOptions): EidDriver {
  const profile = profileOf(options);
  const owner = { driver: profile.name, clientId: options.clientId };
  const cache: OidcCache = {};
  const open = (environment: EidEnvironment) => openProvider(options, profile, cache, environment);
  return {
    name: profile.name,
    channels: ['Redirect'],
    tellsPhone: false,
    answersOnce: true,
    ...(profile.textLength === 0
      ? {}
      : {
          signing: {
            delivery: 'evidence',
            level: 'advanced',
            digest: 'sha256',
            certificate: 'none',
          } as const,
        }),

    async start(request, environment) {
      const canSign = profile.textLength > 0;
      const isPossible = request.purpose === 'auth' || (request.purpose === 'sign' && canSign);
      if (request.channel !== 'Redirect' || !isPossible) {
        throw new EidError('internalError', `${profile.name} offers no such session`);
      }
      return begin(options, profile, await open(environment), request, environment);
    },

    async callback(state, url) {
      const session = sessionOf(state, owner);
      const answer = answerOf(session, url, (...error) => failureOf(profile, ...error));
      if (session.answer === undefined) return stateOf({ ...session, answer });
      if (isSameAnswer(session.answer, answer)) return state;
      throw new EidError('invalidResponse', 'the session has another answer already');
    },

    async poll(state, environment) {
      const session = sessionOf(state, owner);
      const { answer } = session;
      if (answer === undefined) {
        const isOver = environment.now() > session.expiresAtMs;
        if (isOver) return { status: 'failed', code: 'expiredTransaction' };
        return { status: 'pending', hint: 'outstandingTransaction' };
      }
      if ('failure' in answer) {
        return { status: 'failed', code: answer.failure, providerCode: answer.providerCode };
      }
      try {
        return await complete(session, answer.code, environment);
      } catch (fault) {
        const error = eidErrorOf(fault, 'the answer of the provider', profile);
        if (error.code === 'providerUnavailable') throw error;
        return failed(error);
      }
    },

    async cancel() {
      // The protocol has no request that ends an authorization which the person has not answered.
    },

    check: (environment) => checkProvider(options, profile, environment),
  };

  async function complete(
    session: OidcSession,
    code: string,
    environment: EidEnvironment,
  ): Promise<EidPoll> {
    const provider = await open(environment);
    const context = { profile, nowMs: environment.now(), decryptionKey: options.decryptionKey };
    const tokens = session.tokens ?? (await redeem(session, code, provider, context));
    try {
      return await identify(session, tokens, provider, environment);
    } catch (fault) {
      const error = eidErrorOf(fault, 'the userinfo response', profile);
      if (error.code !== 'providerUnavailable' || session.tokens !== undefined) throw error;
      // The code is used up: what it gave is kept for the next poll.
      return { status: 'pending', hint: 'userSign', state: stateOf({ ...session, tokens }) };
    }
  }

  async function identify(
    session: OidcSession,
    { accessToken, claims: told, idToken, keys }: OidcTokens,
    { configuration }: OidcProvider,
    environment: EidEnvironment,
  ): Promise<EidPoll> {
    const client = await import('openid-client');
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
      evidence: { scheme: profile.name, format: 'jwt', data: idToken, keys },
      ...(session.isSigning ? { signature: { delivery: 'evidence' } as const } : {}),
    };
  }
}

function failed({ code, providerCode }: EidError): EidPoll {
  return providerCode === undefined
    ? { status: 'failed', code }
    : { status: 'failed', code, providerCode };
}

/** The profile of the options, with what they override. */
function profileOf({ profile: name = 'generic', overrides = {} }: OidcOptions): OidcProfile {
  const known = oidcProfiles[name];
  return { ...known, ...overrides, claims: { ...known.claims, ...overrides.claims } };
}
