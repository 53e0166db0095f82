import {
  type EidChallenge,
  type EidDriver,
  type EidEnvironment,
  EidError,
  type EidPoll,
  type EidRequest,
  type EidState,
} from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { failedBy } from '../../session.ts';
import { checkProvider } from '../check-provider.ts';
import { eidErrorOf } from '../client/failures.ts';
import { type OidcCache, type OidcProvider, openProvider } from '../client/provider.ts';
import { fetchOver, requireProtected, withoutSlash } from '../client/transport.ts';
import { identifyOrWait } from '../login/complete.ts';
import { tokensOf } from '../login/redeem.ts';
import { type OidcSession, type OidcTokens, stateOf } from '../login/session.ts';
import { verifyOidcEvidence } from '../login/shown-login.ts';
import type { OidcContext, OidcOptions } from '../oidc-options.ts';
import { profileParameters } from '../profile/authorize-parameters.ts';
import type { OidcProfile } from '../profile/profile.ts';
import { profileOf } from '../profile/profile-of.ts';

/** Vendor-specific paths below the issuer. */
const paths = { begin: '/api/ciba/broker-oidc/init-auth', cancel: '/api/v1/ciba/' } as const;
const GRANT = 'urn:openid:params:grant-type:ciba';
/** Increase of the polling interval after `slow_down`. @spec CIBA Core 1.0 §11 */
const SLOWER_MS = 5_000;

interface CibaSession
  extends Pick<OidcSession, 'driver' | 'issuer' | 'clientId' | 'startedAtMs' | 'expiresAtMs'>,
    Pick<OidcSession, 'hint' | 'minAssurance'> {
  readonly requestId: string;
  readonly pollingMs: number;
  readonly tokens?: OidcTokens;
}

/**
 * Driver for MitID with Nets eID Broker that needs no redirect URI: the person opens a page, on any
 * device, and the driver polls for the tokens (CIBA in poll mode). It supports identification only,
 * because no nonce binds the ID token to a document.
 *
 * Not confirmed by public documentation: that `init-auth` and the cancellation of a session require
 * no client authentication, and that `idp_params` is an object in the hint.
 */
export function nebCibaDriver(options: OidcOptions): EidDriver {
  const profile = profileOf('neb', { name: 'neb-ciba', ...options.overrides });
  const cache: OidcCache = {};
  const contextOf = (environment: EidEnvironment) => ({ options, profile, environment });
  const open = (environment: EidEnvironment) => openProvider(contextOf(environment), cache);
  return {
    name: profile.name,
    channels: ['Redirect', 'DeviceLink'],
    tellsPhone: false,
    answersOnce: true,

    async start(request, environment) {
      const isPossible = ['Redirect', 'DeviceLink'].includes(request.channel);
      if (request.purpose !== 'auth' || !isPossible) {
        throw new EidError('internalError', `${profile.name} offers no such session`);
      }
      const provider = await open(environment);
      // Tokens are issued only once, so the keys that verify them are fetched beforehand.
      await provider.prepareKeys();
      try {
        const begun = await begin(provider, profile, request);
        const { issuer } = provider.metadata;
        const page = await pageOf(issuer, begun.auth_req_id, environment);
        const owner = { driver: profile.name, issuer, clientId: options.clientId };
        const session = newSession(owner, begun, request, environment.now());
        const challenge = challengeOf(page, request);
        const { pollingMs, expiresAtMs } = session;
        return { state: stateOf(session), challenge, pollingMs, expiresAtMs };
      } catch (fault) {
        throw eidErrorOf(fault, 'the start', profile);
      }
    },

    async poll(state, environment) {
      const session = sessionOf(state, profile, options);
      try {
        const provider = await open(environment);
        return await ask(session, provider, contextOf(environment));
      } catch (fault) {
        return failedBy(eidErrorOf(fault, 'the response of the provider', profile));
      }
    },

    async cancel(state, environment) {
      const { issuer, requestId } = sessionOf(state, profile, options);
      const url = `${withoutSlash(issuer)}${paths.cancel}${encodeURIComponent(requestId)}`;
      requireProtected(url, issuer);
      await environment.http({ method: 'DELETE', url, timeoutMs: 5_000 });
    },

    verifyEvidence: (evidence, login) => verifyOidcEvidence(evidence, login, options, profile),

    async check(environment) {
      const findings = await checkProvider(contextOf(environment));
      if (!findings.every(({ isOk }) => isOk)) return findings;
      const { metadata } = await open(environment);
      const isOk = metadata.backchannel_authentication_endpoint !== undefined;
      return [...findings, { name: 'backchannel', isOk, message: 'a CIBA endpoint' }];
    },
  };
}

async function begin({ configuration }: OidcProvider, profile: OidcProfile, request: EidRequest) {
  const client = await import('openid-client');
  const parameters: Record<string, unknown> = profileParameters(profile, request);
  for (const name of profile.jsonParameters) {
    const text = parameters[name];
    if (typeof text === 'string') parameters[name] = JSON.parse(text);
  }
  return client.initiateBackchannelAuthentication(configuration, {
    scope: profile.scopes.join(' '),
    login_hint_token: JSON.stringify({ flow_type: 'broker_oidc', ...parameters }),
  });
}

function newSession(
  owner: Pick<CibaSession, 'driver' | 'issuer' | 'clientId'>,
  begun: Awaited<ReturnType<typeof begin>>,
  { loginHint, minAssurance }: EidRequest,
  nowMs: number,
): CibaSession {
  const { expires_in: seconds, interval = 5, auth_req_id: requestId } = begun;
  const hint = loginHint.replace(/[\s-]/g, '');
  return {
    ...owner,
    requestId,
    pollingMs: Math.min(Math.max(interval, 1), 60) * 1000,
    startedAtMs: nowMs,
    expiresAtMs: nowMs + Math.min(Math.max(seconds, 1), 3_600) * 1000,
    ...defined({ minAssurance }),
    ...(hint === '' ? {} : { hint }),
  };
}

/** URL of the page that the person opens. */
async function pageOf(
  issuer: string,
  requestId: string,
  environment: EidEnvironment,
): Promise<string> {
  const answer = await fetchOver(environment, issuer)(`${withoutSlash(issuer)}${paths.begin}`, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify({ requestId }),
  });
  const found: unknown = await answer.json().catch(() => undefined);
  const page = (found as { authentication_uri?: unknown } | null | undefined)?.authentication_uri;
  if (answer.status !== 200 || typeof page !== 'string' || page.length > 4_096) {
    throw new EidError('invalidResponse', 'the broker names no page for the person');
  }
  requireProtected(page, issuer);
  return page;
}

function challengeOf(page: string, { channel }: EidRequest): EidChallenge {
  return channel === 'Redirect' ? { redirectUrl: page } : { qrData: page, sameDeviceLink: page };
}

async function ask(
  session: CibaSession,
  provider: OidcProvider,
  context: OidcContext,
): Promise<EidPoll> {
  const tokens = session.tokens ?? (await redeem(session, provider, context));
  if ('status' in tokens) return tokens;
  return identifyOrWait({ ...session, isSigning: false }, tokens, provider, context);
}

/** Requests the tokens; returns a poll result while they are not available. */
async function redeem(
  session: CibaSession,
  provider: OidcProvider,
  context: OidcContext,
): Promise<OidcTokens | EidPoll> {
  const client = await import('openid-client');
  provider.offerKeys();
  try {
    const parameters = { auth_req_id: session.requestId };
    const found = await client.genericGrantRequest(provider.configuration, GRANT, parameters);
    if (found.id_token === undefined) throw new EidError('invalidResponse', 'there is no ID token');
    return await tokensOf(found, session, provider, context);
  } catch (fault) {
    const word = (fault as { readonly error?: unknown } | null)?.error;
    if (word === 'authorization_pending') return pending(session);
    if (word === 'slow_down') {
      return pending({ ...session, pollingMs: session.pollingMs + SLOWER_MS });
    }
    const error = eidErrorOf(fault, 'the token response', context.profile);
    if (error.code === 'invalidResponse') provider.forgetKeys();
    throw error;
  }
}

function pending(session: CibaSession): EidPoll {
  const { pollingMs } = session;
  return { status: 'pending', hint: 'outstandingTransaction', state: stateOf(session), pollingMs };
}

/** @throws EidError `internalError` if the state belongs to a different driver or client */
function sessionOf(state: EidState, { name }: OidcProfile, { clientId }: OidcOptions): CibaSession {
  const session = state as unknown as CibaSession;
  const isWhole =
    [session.issuer, session.requestId].every((text) => typeof text === 'string' && text !== '') &&
    [session.startedAtMs, session.expiresAtMs, session.pollingMs].every(Number.isFinite);
  if (!isWhole || session.driver !== name || session.clientId !== clientId) {
    throw new EidError('internalError', 'the state of the session belongs to a different driver');
  }
  return session;
}
