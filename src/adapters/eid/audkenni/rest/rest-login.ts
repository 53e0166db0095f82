import { createHash } from 'node:crypto';
import { EidError, type EidHttpAnswer } from '../../../../app/ports/index.ts';
import { isUrl } from '../../../../base/network/is-url.ts';
import {
  findText,
  formRequest,
  type ResponseObject,
  readObject,
  requireService,
  requireText,
  responseFault,
} from '../../provider-answer.ts';
import type { ProviderClient } from '../../session.ts';
import { basicAuthorization, type CommonOptions, endpointsOf, usualTimeoutMs } from '../options.ts';
import { callbackError, oauthError } from '../provider-error.ts';
import { type Callback, findWait, type PromptName, readCallbacks } from './callbacks.ts';
import { type Cookies, cookieHeader, withCookies } from './cookies.ts';

/** A successful response of the call-back interface. */
interface ChainAnswer {
  readonly body: ResponseObject;
  readonly cookies: Cookies;
}

const MOST_AUTH_ID = 32 * 1024;
const what = 'the login response';

/**
 * Sends one message of the call-back chain.
 *
 * @param message empty for the first message; otherwise `authId` with the call-backs
 * @throws EidError with the meaning of the provider's code if the message is rejected
 */
export async function postChain(
  message: object,
  cookies: Cookies,
  { options, environment: { http } }: RestClient,
): Promise<ChainAnswer> {
  const { service = usualService } = options;
  const query = new URLSearchParams({ authIndexType: 'service', authIndexValue: service });
  const answer = await http({
    method: 'POST',
    url: `${endpointsOf(options).authenticate}?${query}`,
    headers: {
      'content-type': 'application/json',
      'accept-api-version': 'resource=2.0,protocol=1.0',
      ...cookieHeader(cookies),
    },
    body: JSON.stringify(message),
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
  });
  requireService(answer);
  const body = readObject(answer, what);
  if (answer.status !== 200) throw callbackError(body, options.errorCodes ?? {});
  return { body, cookies: withCookies(cookies, answer) };
}

/** Default version of the interface. */
const usualService = 'api_v200';

/** Reads a response's `authId`, the position in the chain. @throws EidError `invalidResponse` */
export function readAuthId(body: ResponseObject): string {
  return requireText(body, 'authId', what, MOST_AUTH_ID);
}

/** Reads a response that requests polling. @throws EidError `invalidResponse` for any other */
export function readWait(body: ResponseObject): {
  readonly authId: string;
  readonly callback: Callback;
  readonly waitMs: number;
} {
  const wait = findWait(readCallbacks(body));
  if (wait === undefined) throw responseFault(`${what}: expected PollingWaitCallback only`);
  return { authId: readAuthId(body), ...wait };
}

/** The session token of a successfully completed chain; undefined if the chain is not complete. */
export function findTokenId(body: ResponseObject): string | undefined {
  const token = findText(body, 'tokenId', 8_192);
  if (token === undefined) return undefined;
  // It is sent in a header.
  if (/^[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]+$/.test(token)) return token;
  throw responseFault(`${what}: expected a token that a cookie can hold`);
}

/** Values that bind a code to the session that requested it. */
export interface CodeSession {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  readonly cookies: Cookies;
}

/** Default name of the session cookie. */
const SESSION_COOKIE = 'audsso';

function sessionCookies(tokenId: string, cookies: Cookies, options: RestOptions): Cookies {
  return { ...cookies, [options.sessionCookie ?? SESSION_COOKIE]: tokenId };
}

/**
 * Requests the authorization code for a session token. The redirect is read but not followed.
 *
 * @throws EidError `invalidResponse`, or the meaning of an OAuth error
 * @spec RFC 6749 §4.1, RFC 7636 §4, RFC 9207 §2.4
 */
export async function requestCode(
  tokenId: string,
  session: CodeSession,
  { options, environment: { http } }: RestClient,
): Promise<string> {
  const { clientId, redirectUri, service = usualService } = options;
  const { authorize } = endpointsOf(options);
  const query = new URLSearchParams({
    service,
    client_id: clientId,
    response_type: 'code',
    scope: 'openid profile signature',
    redirect_uri: redirectUri,
    state: session.state,
    nonce: session.nonce,
    code_challenge: createHash('sha256').update(session.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const answer = await http({
    method: 'GET',
    url: `${authorize}?${query}`,
    headers: cookieHeader(sessionCookies(tokenId, session.cookies, options)),
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
  });
  requireService(answer);
  const place = locationOf(answer, redirectUri).searchParams;
  const said = (name: string) => (place.getAll(name).length === 1 ? place.get(name) : undefined);
  if (said('state') !== session.state) throw responseFault('the code: expected the state as sent');
  if (place.has('error')) throw oauthError(Object.fromEntries(place), options.errorCodes ?? {});
  if (place.has('iss') && said('iss') !== endpointsOf(options).issuer) {
    throw responseFault('the code: it is from a different issuer');
  }
  const code = said('code');
  if (code === undefined || code === null || code === '' || code.length > 4_096) {
    throw responseFault('the code: expected one');
  }
  return code;
}

function locationOf({ status, headers }: EidHttpAnswer, redirectUri: string): URL {
  const { location } = headers;
  if (status !== 302 && status !== 303) {
    throw responseFault(`the code: expected a redirection, found ${status}`);
  }
  const wanted = new URL(redirectUri);
  const found = typeof location === 'string' && isUrl(location) ? new URL(location) : wanted;
  const isThere = found.origin === wanted.origin && found.pathname === wanted.pathname;
  if (found !== wanted && isThere && found.username === '') return found;
  throw responseFault('the code: expected a redirection to this client');
}

/** Exchanges a code for tokens. @throws EidError @spec RFC 6749 §4.1.3, RFC 7636 §4.5 */
export async function requestTokens(
  code: string,
  { verifier, cookies }: CodeSession,
  { options, environment: { http } }: RestClient,
): Promise<ResponseObject> {
  const {
    clientId,
    clientSecret,
    redirectUri,
    errorCodes = {},
    timeoutMs = usualTimeoutMs,
  } = options;
  const isBasic = options.clientAuthentication === 'basic';
  const secret = isBasic ? {} : { client_id: clientId, client_secret: clientSecret };
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
  const fields = { ...form, code_verifier: verifier, ...secret };
  const login = isBasic ? basicAuthorization(clientId, clientSecret) : {};
  const headers = { ...login, ...cookieHeader(cookies) };
  const { token } = endpointsOf(options);
  const answer = await http(formRequest(token, fields, timeoutMs, headers));
  return readTokenAnswer(answer, errorCodes);
}

/** Reads the object of a successful OAuth response. @throws EidError */
function readTokenAnswer(
  answer: EidHttpAnswer,
  errorCodes: NonNullable<RestOptions['errorCodes']>,
): ResponseObject {
  requireService(answer);
  const body = readObject(answer, 'the token response');
  if (answer.status === 200) return body;
  if (findText(body, 'error') !== undefined) throw oauthError(body, errorCodes);
  throw new EidError('invalidResponse', `expected 200, found ${answer.status}`);
}

/** Options of the call-back interface. */
export interface RestOptions extends CommonOptions {
  /** Redirect URI registered in the contract; it is never requested. */
  readonly redirectUri: string;
  /** Version of the interface: `api_v200`, `api_v201` or `api_v202`. Default: `api_v200`. */
  readonly service?: string;
  /** Name of the session cookie. Default: `audsso`. */
  readonly sessionCookie?: string;
  /** How the client authenticates at the token endpoint. Default: `post`. */
  readonly clientAuthentication?: 'post' | 'basic';
  /** Title shown by the app, with `api_v202`. Default: none. */
  readonly appTitle?: string;
  /** Texts that identify prompts, if those of the provider have changed. */
  readonly prompts?: Partial<Readonly<Record<PromptName, string>>>;
}

/** A client of the call-back interface. */
export type RestClient = ProviderClient<RestOptions>;
