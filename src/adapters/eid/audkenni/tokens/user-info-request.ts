import { createHash } from 'node:crypto';
import type { EidHttpAnswer } from '../../../../app/ports/index.ts';
import {
  findNumber,
  findText,
  formRequest,
  type ResponseObject,
  readObject,
  requireService,
  requireText,
  responseFault,
} from '../../provider-answer.ts';
import { type AudkenniClient, endpointsOf, usualTimeoutMs } from '../options.ts';
import { readUserInfo, type UserInfo } from '../person/user-info.ts';
import { verifyToken } from './json-web-token.ts';

/** Tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string;
}

/** Values that bind tokens to a session. */
interface TokenSession {
  readonly startedAtMs: number;
  /** Absent if the protocol sends none. */
  readonly nonce?: string;
}

const MOST_TOKEN = 128 * 1024;

/** Reads the tokens from a response of the token endpoint. @throws EidError `invalidResponse` */
export function readTokens(body: ResponseObject): Tokens {
  const what = 'the token response';
  return {
    accessToken: requireText(body, 'access_token', what, MOST_TOKEN),
    idToken: requireText(body, 'id_token', what, MOST_TOKEN),
  };
}

/**
 * Verifies the ID token and requests the user information of its person.
 *
 * @throws EidError `invalidResponse`; `providerUnavailable` if the request may be retried
 */
export async function requestUserInfo(
  { accessToken, idToken }: Tokens,
  session: TokenSession,
  client: AudkenniClient,
): Promise<UserInfo> {
  const { options, environment } = client;
  const keys = await requestKeys(client);
  const claims = verifyToken(idToken, keys, options.idTokenAlgorithms ?? ['RS256']);
  checkClaims(claims, accessToken, session, client);
  const { userInfo } = endpointsOf(options);
  const { timeoutMs = usualTimeoutMs } = options;
  const headers = { authorization: `Bearer ${accessToken}` };
  const answer = await environment.http(formRequest(userInfo, {}, timeoutMs, headers));
  return readUserInfo(readOk(answer, 'the user information'), claims);
}

/**
 * Requests the published keys with which the provider signs tokens.
 *
 * @throws EidError `invalidResponse`, `providerUnavailable`
 */
export async function requestKeys(client: AudkenniClient): Promise<ResponseObject> {
  const { options, environment } = client;
  const answer = await environment.http({
    method: 'GET',
    url: endpointsOf(options).keys,
    headers: { accept: 'application/json' },
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
  });
  return readOk(answer, 'the keys of the provider');
}

function readOk(answer: EidHttpAnswer, what: string): ResponseObject {
  requireService(answer);
  if (answer.status !== 200) throw responseFault(`${what}: expected 200, found ${answer.status}`);
  return readObject(answer, what);
}

/** Tolerated clock difference. */
const SKEW_MS = 120_000;

const what = 'the ID token';

/**
 * Checks the claims of an ID token whose signature was verified.
 *
 * @throws EidError `invalidResponse`
 * @spec OpenID Connect Core §3.1.3.7, §3.1.3.8
 */
function checkClaims(
  claims: ResponseObject,
  accessToken: string,
  { startedAtMs, nonce }: TokenSession,
  { options, environment }: AudkenniClient,
): void {
  const { issuer } = endpointsOf(options);
  const nowMs = environment.now();
  if (findText(claims, 'iss') !== issuer)
    throw responseFault(`${what}: it is from a different issuer`);
  if (!isFor(claims, options.clientId))
    throw responseFault(`${what}: expected this client as audience`);
  if (nonce !== undefined && findText(claims, 'nonce') !== nonce) {
    throw responseFault(`${what}: expected the nonce of the session`);
  }
  const expiresAtMs = 1_000 * (findNumber(claims, 'exp') ?? 0);
  if (expiresAtMs <= nowMs - SKEW_MS) throw responseFault(`${what} has expired`);
  const issuedAtMs = 1_000 * (findNumber(claims, 'iat') ?? Number.NaN);
  const isOfSession = issuedAtMs >= startedAtMs - SKEW_MS && issuedAtMs <= nowMs + SKEW_MS;
  if (!isOfSession) throw responseFault(`${what}: expected a time within the session`);
  const hash = findText(claims, 'at_hash');
  if (hash !== undefined && hash !== accessTokenHash(accessToken)) {
    throw responseFault(`${what}: expected the hash of the access token`);
  }
}

function isFor(claims: ResponseObject, clientId: string): boolean {
  const audience = Object.hasOwn(claims, 'aud') ? claims['aud'] : undefined;
  const all: readonly unknown[] = Array.isArray(audience) ? audience : [audience];
  const party = Object.hasOwn(claims, 'azp') ? claims['azp'] : undefined;
  if (!all.includes(clientId)) return false;
  return party === clientId || (party === undefined && all.length === 1);
}

/** Left half of the SHA-256 of the access token. @spec OpenID Connect Core §3.1.3.6 */
function accessTokenHash(accessToken: string): string {
  const digest = createHash('sha256').update(accessToken).digest();
  return digest.subarray(0, 16).toString('base64url');
}
