import {
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidRequest,
} from '../../../app/ports/index.ts';
import { failed, failedBy } from '../session.ts';
import { checkProvider } from './check-provider.ts';
import { eidErrorOf, failureOf } from './client/failures.ts';
import { type OidcCache, openProvider } from './client/provider.ts';
import { begin } from './login/begin.ts';
import { complete } from './login/complete.ts';
import { answerOf, isSameAnswer, sessionOf, stateOf } from './login/session.ts';
import { verifyOidcEvidence } from './login/shown-login.ts';
import type { OidcOptions } from './oidc-options.ts';
import type { OidcProfile } from './profile/profile.ts';
import { profileOf } from './profile/profile-of.ts';

const signing = {
  delivery: 'evidence',
  level: 'advanced',
  digest: 'sha256',
  certificate: 'none',
} as const;

/**
 * Driver for OpenID Connect brokers: authorization code with PKCE. `callback` checks the redirect
 * URL without sending a request; `poll` redeems the code.
 *
 * For signatures, the nonce ends with the digest of the order, so that the provider signs it with
 * the ID token. The person sees the text of the request but no digest.
 */
export function oidcDriver(options: OidcOptions): EidDriver {
  const profile = profileOf(options.profile ?? 'generic', options.overrides);
  const owner = { driver: profile.name, clientId: options.clientId };
  const cache: OidcCache = {};
  const contextOf = (environment: EidEnvironment) => ({ options, profile, environment });
  return {
    name: profile.name,
    channels: ['Redirect'],
    tellsPhone: false,
    answersOnce: true,
    ...(profile.textLength === 0 ? {} : { signing }),

    async start(request, environment) {
      requirePossible(request, profile);
      const context = contextOf(environment);
      return begin(context, await openProvider(context, cache), request);
    },

    async callback(state, url, environment) {
      const session = sessionOf(state, owner);
      const answer = answerOf(session, url, (...error) => failureOf(profile, ...error));
      if (session.answer === undefined) {
        const isLate = environment.now() > session.expiresAtMs;
        const late = { failure: 'expiredTransaction' } as const;
        return stateOf({ ...session, answer: isLate ? late : answer });
      }
      if (isSameAnswer(session.answer, answer)) return state;
      throw new EidError('invalidResponse', 'the session already has a different result');
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
        return failed({ code: answer.failure, providerCode: answer.providerCode });
      }
      try {
        const context = contextOf(environment);
        const provider = await openProvider(context, cache);
        return await complete(session, answer.code, provider, context);
      } catch (fault) {
        return failedBy(eidErrorOf(fault, 'the response of the provider', profile));
      }
    },

    async cancel() {
      // The protocol has no request to cancel an unanswered authorization.
    },

    verifyEvidence: (evidence, login) => verifyOidcEvidence(evidence, login, options, profile),

    check: (environment) => checkProvider(contextOf(environment)),
  };
}

function requirePossible({ purpose, channel }: EidRequest, profile: OidcProfile): void {
  const canSign = profile.textLength > 0;
  const isPossible = purpose === 'auth' || (purpose === 'sign' && canSign);
  if (channel === 'Redirect' && isPossible) return;
  throw new EidError('internalError', `${profile.name} offers no such session`);
}
