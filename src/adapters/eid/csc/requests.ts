import { EidError, type EidHttpAnswer } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { type Fields, formRequest, responseFault } from '../provider-answer.ts';
import type { CscClient } from './client.types.ts';
import { type Members, parseMembers, textOf } from './members.ts';
import { failCodes } from './protocol.table.ts';

/** Outcome of a request: the response, or the error returned by the provider. */
export type Outcome =
  | { readonly isOk: true; readonly members: Members }
  | { readonly isOk: false; readonly error: EidError; readonly description: string };

/** Calls a method of the API and returns its response. @throws EidError as {@link requireAnswer} */
export async function callMethod(
  client: CscClient,
  method: string,
  body: Members,
  token?: string,
): Promise<Members> {
  return requireAnswer(await tryMethod(client, method, body, token));
}

/**
 * Calls a method of the API and returns the outcome.
 *
 * @throws EidError `providerUnavailable`, `invalidResponse`
 */
export async function tryMethod(
  { settings, environment }: CscClient,
  method: string,
  body: Members,
  token?: string,
): Promise<Outcome> {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const answer = await environment.http({
    method: 'POST',
    url: `${settings.url}/${method}`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...authorization,
    },
    body: JSON.stringify(body),
    timeoutMs: settings.timeoutMs,
  });
  return outcomeOf(answer, method);
}

/**
 * Posts a form to the authorization server, with client authentication, and returns the response.
 *
 * @throws EidError as {@link requireAnswer}
 * @spec RFC 6749 §2.3.1
 */
export async function sendForm(client: CscClient, url: string, fields: Fields): Promise<Members> {
  return requireAnswer(outcomeOf(await postForm(client, url, fields), 'oauth2'));
}

/** Posts a form; returns the response of any status. @throws EidError `providerUnavailable` */
export function postForm(
  { settings, environment }: CscClient,
  url: string,
  fields: Fields,
): Promise<EidHttpAnswer> {
  const { clientId, clientSecret, clientAuthentication, timeoutMs } = settings;
  const isBasic = clientSecret !== undefined && clientAuthentication === 'basic';
  const secret = isBasic ? {} : defined({ client_secret: clientSecret });
  const form = { ...fields, client_id: clientId, ...secret };
  const headers = isBasic ? { authorization: basic(clientId, clientSecret) } : {};
  return environment.http(formRequest(url, form, timeoutMs, headers));
}

function basic(id: string, secret: string): string {
  const pair = `${encodeURIComponent(id)}:${encodeURIComponent(secret)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** @throws EidError `providerUnavailable`, or the code of the error */
function requireAnswer(outcome: Outcome): Members {
  if (outcome.isOk) return outcome.members;
  throw outcome.error;
}

function outcomeOf({ status, body }: EidHttpAnswer, method: string): Outcome {
  if (status >= 200 && status < 300) return { isOk: true, members: parseMembers(body) };
  if (status >= 400 && status < 600) return refusal(status, body, method);
  throw responseFault(`${method}: status ${status} is not a response of the protocol`);
}

function refusal(status: number, body: Uint8Array, method: string): Outcome {
  let name: string | undefined;
  let description = '';
  try {
    const members = parseMembers(body);
    name = textOf(members, 'error');
    description = textOf(members, 'error_description') ?? '';
  } catch {
    // The status suffices: gateways return error bodies of their own.
  }
  const isDown = status >= 500 || status === 408 || status === 429;
  const known = name === undefined ? undefined : failCodes.get(name);
  const usual = isDown && name !== 'not_implemented' ? 'providerUnavailable' : 'internalError';
  const code = known ?? (status === 401 ? 'expiredTransaction' : usual);
  const error = new EidError(code, `${method}: the provider refused with status ${status}`, name);
  return { isOk: false, error, description };
}
