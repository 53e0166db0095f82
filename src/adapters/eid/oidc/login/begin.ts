import { EidError, type EidRequest, type EidStarted } from '../../../../app/ports/index.ts';
import { defined } from '../../../../base/defined.ts';
import { isUrl } from '../../../../base/network/is-url.ts';
import { eidErrorOf } from '../client/failures.ts';
import { importSigningKey } from '../client/keys.ts';
import type { OidcProvider } from '../client/provider.ts';
import type { OidcContext, OidcOptions } from '../oidc-options.ts';
import { profileParameters } from '../profile/authorize-parameters.ts';
import { type OidcSession, stateOf } from './session.ts';

const SESSION_SECONDS = 600;
const POLLING_MS = 2_000;
const DIGEST_BYTES = 32;

/**
 * Builds the authorization request of a session, and pushes it if the provider supports that.
 *
 * @throws EidError if the request cannot be built or the provider rejects it
 * @spec OpenID Connect Core 1.0 §3.1.2.1, RFC 7636, RFC 9101, RFC 9126
 */
export async function begin(
  context: OidcContext,
  provider: OidcProvider,
  request: EidRequest,
): Promise<EidStarted> {
  const { profile } = context;
  const client = await import('openid-client');
  const session = newSession(context, provider, request);
  const parameters = {
    ...profileParameters(profile, request),
    response_type: 'code',
    scope: profile.scopes.join(' '),
    redirect_uri: session.redirectUri,
    state: session.state,
    nonce: session.nonce,
    code_challenge: await client.calculatePKCECodeChallenge(session.verifier),
    code_challenge_method: 'S256',
  };
  try {
    const url = await authorizationUrl(context, provider, parameters);
    return {
      state: stateOf(session),
      challenge: { redirectUrl: url.href },
      pollingMs: POLLING_MS,
      expiresAtMs: session.expiresAtMs,
    };
  } catch (fault) {
    throw eidErrorOf(fault, 'the authorization request', profile);
  }
}

async function authorizationUrl(
  { options: { requestObjectKey }, profile, environment }: OidcContext,
  { metadata, configuration }: OidcProvider,
  parameters: Record<string, string>,
): Promise<URL> {
  const client = await import('openid-client');
  const signs = requestObjectKey !== undefined;
  const key = signs ? await importSigningKey(requestObjectKey) : undefined;
  const plain =
    key === undefined
      ? client.buildAuthorizationUrl(configuration, parameters)
      : await client.buildAuthorizationUrlWithJAR(configuration, parameters, key as never, {
          [client.modifyAssertion]: (_header, payload) => {
            payload['jti'] = Buffer.from(environment.random(16)).toString('base64url');
            for (const name of profile.jsonParameters) {
              const text = parameters[name];
              if (text !== undefined) payload[name] = JSON.parse(text);
            }
          },
        });
  const isOffered = metadata.pushed_authorization_request_endpoint !== undefined;
  const isDemanded = metadata.require_pushed_authorization_requests === true;
  const pushes =
    isDemanded ||
    profile.pushedRequests === 'required' ||
    (isOffered && profile.pushedRequests === 'offered');
  if (!pushes) return plain;
  return client.buildAuthorizationUrlWithPAR(
    configuration,
    key === undefined ? parameters : { request: plain.searchParams.get('request') ?? '' },
  );
}

function newSession(
  { options, profile, environment: { now, random } }: OidcContext,
  { metadata }: OidcProvider,
  request: EidRequest,
): OidcSession {
  const { redirectUri, caller } = returnOf(options, request);
  const secret = () => Buffer.from(random(32)).toString('base64url');
  const hint = request.loginHint.replace(/[\s-]/g, '');
  const nowMs = now();
  return {
    driver: profile.name,
    issuer: metadata.issuer,
    clientId: options.clientId,
    redirectUri,
    state: caller === undefined ? secret() : `${caller}.${secret()}`,
    nonce: request.purpose === 'sign' ? `${secret()}.${digestOf(request)}` : secret(),
    verifier: secret(),
    tellsIssuer: metadata.authorization_response_iss_parameter_supported === true,
    isSigning: request.purpose === 'sign',
    startedAtMs: nowMs,
    expiresAtMs: nowMs + (options.sessionSeconds ?? SESSION_SECONDS) * 1000,
    ...defined({ minAssurance: request.minAssurance, hint: hint === '' ? undefined : hint }),
  };
}

/** The digest as part of the nonce, which the provider signs with the ID token. */
function digestOf({ order }: EidRequest): string {
  if (order?.digest.length !== DIGEST_BYTES) {
    throw new EidError('internalError', `order: expected a digest of ${DIGEST_BYTES} bytes`);
  }
  return Buffer.from(order.digest).toString('base64url');
}

/**
 * The redirect URI. Providers compare it as a whole, so what the caller needs to find its session
 * is carried in `state` instead: the parameter `state` of the return URL becomes its prefix.
 */
function returnOf(options: OidcOptions, { returnUrl }: EidRequest) {
  const given = options.redirectUri ?? returnUrl ?? '';
  if (!isUrl(given)) {
    throw new EidError('internalError', 'redirectUri: expected a redirect URI');
  }
  const url = new URL(given);
  const isQueryOfCaller = options.redirectUri === undefined;
  if ((url.search !== '' && !isQueryOfCaller) || url.hash !== '') {
    throw new EidError('internalError', 'redirectUri: expected a URL without a query');
  }
  url.search = '';
  const carried = returnUrl !== undefined && isUrl(returnUrl) ? new URL(returnUrl) : url;
  const caller = carried.searchParams.get('state') ?? undefined;
  if (caller !== undefined && !/^[\w-]{8,128}$/.test(caller)) {
    const message = 'returnUrl: expected a state of 8 to 128 URL-safe characters';
    throw new EidError('internalError', message);
  }
  return { redirectUri: url.href, caller };
}
