import type { EidEnvironment, EidHttpAnswer } from '../../../../app/ports/index.ts';
import {
  type AnswerObject,
  answerFault,
  readObject,
  requireService,
  requireText,
} from '../../provider-answer.ts';
import { type CommonOptions, endpointsOf, usualTimeoutMs } from '../options.ts';
import { readUserInfo, type UserInfo } from '../person/user-info.ts';
import { checkClaims } from './id-token.ts';
import { verifyToken } from './json-web-token.ts';

/** Tokens of a session. */
export interface Tokens {
  readonly accessToken: string;
  readonly idToken: string;
}

/** What tells that tokens belong to a session. */
export interface TokenSession {
  readonly startedAtMs: number;
  readonly nonce?: string;
}

const MOST_TOKEN = 128 * 1024;

/** The tokens of an answer of the token endpoint. @throws EidError `invalidResponse` */
export function readTokens(body: AnswerObject): Tokens {
  const what = 'the answer with tokens';
  return {
    accessToken: requireText(body, 'access_token', what, MOST_TOKEN),
    idToken: requireText(body, 'id_token', what, MOST_TOKEN),
  };
}

/**
 * What the provider says of the person to whom the tokens belong, the ID token verified.
 *
 * @throws EidError `invalidResponse`; `providerUnavailable` when it may be asked for again
 */
export async function requestUserInfo(
  { accessToken, idToken }: Tokens,
  { startedAtMs, nonce }: TokenSession,
  options: CommonOptions,
  environment: EidEnvironment,
): Promise<UserInfo> {
  const { issuer, userInfo } = endpointsOf(options);
  const keys = await requestKeys(options, environment);
  const claims = verifyToken(idToken, keys, options.idTokenAlgorithms ?? ['RS256']);
  checkClaims(claims, {
    issuer,
    clientId: options.clientId,
    nonce,
    accessToken,
    startedAtMs,
    nowMs: environment.now(),
  });
  const answer = await environment.http({
    method: 'POST',
    url: userInfo,
    headers: {
      authorization: `Bearer ${accessToken}`,
      'content-type': 'application/x-www-form-urlencoded',
      accept: 'application/json',
    },
    body: '',
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
  });
  return readUserInfo(readOk(answer, 'the user information'), claims);
}

/**
 * The keys with which the provider signs tokens, as it publishes them.
 *
 * @throws EidError `invalidResponse`, `providerUnavailable`
 */
export async function requestKeys(
  options: CommonOptions,
  { http }: EidEnvironment,
): Promise<AnswerObject> {
  const answer = await http({
    method: 'GET',
    url: endpointsOf(options).keys,
    headers: { accept: 'application/json' },
    timeoutMs: options.timeoutMs ?? usualTimeoutMs,
  });
  return readOk(answer, 'the keys of the provider');
}

function readOk(answer: EidHttpAnswer, what: string): AnswerObject {
  requireService(answer);
  if (answer.status !== 200) throw answerFault(`${what}: expected 200, found ${answer.status}`);
  return readObject(answer, what);
}
