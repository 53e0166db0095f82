import { createHash } from 'node:crypto';
import { type EidEnvironment, EidError, type EidRequest } from '../../../app/ports/index.ts';
import { isSameSecret } from '../../../base/bytes.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { type Fields, responseFault } from '../provider-answer.ts';
import type { CscClient, CscInfo } from './client.types.ts';
import { asMembers, listOf, type Members, requireText, secondsOf, textOf } from './members.ts';
import type { CscSettings } from './options.ts';
import { failCodes } from './protocol.table.ts';
import { postForm, sendForm } from './requests.ts';
import {
  type AuthorizationState,
  bytesOf,
  type CscState,
  type OrderState,
} from './session-state.ts';

/** An access token of the authorization server. */
export interface AccessToken {
  readonly token: string;
  /** Epoch milliseconds. */
  readonly tokenUntilMs: number;
}

/** Lifetime of a token without `expires_in`. @spec CSC API §8.4.3 */
const USUAL_SECONDS = 3_600;

/** Requests a token for the credentials of the contract. @throws EidError @spec RFC 6749 §4.4 */
export function clientToken(client: CscClient, server: string): Promise<AccessToken> {
  const fields = { grant_type: 'client_credentials', scope: 'service' };
  return requestToken(client, server, fields);
}

/** Creates an authorization request: its URL, and the values that verify the redirect back. */
export async function requestAuthorization(
  client: CscClient,
  info: CscInfo,
  { language, text, returnUrl }: Pick<EidRequest, 'language' | 'text' | 'returnUrl'>,
  order?: OrderState,
): Promise<{ readonly url: string; readonly authorization: AuthorizationState }> {
  const { settings, environment } = client;
  const nonce = stateOf(returnUrl, environment);
  const verifier = Buffer.from(environment.random(32)).toString('base64url');
  const fields: Record<string, string> = {
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: settings.redirectUri,
    state: nonce,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(language === '' ? {} : { lang: language }),
    ...(order === undefined ? { scope: 'service' } : subjectOf(settings, info, order, text)),
  };
  const server = info.authorizationServer;
  const isPushed = settings.isPushed ?? info.methods.has('oauth2/pushed_authorize');
  const shown = isPushed ? await pushed(client, server, fields) : fields;
  const url = new URL(`${server}/oauth2/authorize`);
  for (const [name, value] of Object.entries(shown)) url.searchParams.set(name, value);
  return { url: url.href, authorization: { nonce, verifier } };
}

/** A nonce, preceded by the `state` of the caller, which identifies the session. */
function stateOf(returnUrl: string | undefined, { random }: EidEnvironment): string {
  const nonce = Buffer.from(random(24)).toString('base64url');
  const isAddress = returnUrl !== undefined && isUrl(returnUrl);
  const own = isAddress ? (new URL(returnUrl).searchParams.get('state') ?? '') : '';
  return /^[\w-]{8,128}$/.test(own) ? `${own}.${nonce}` : nonce;
}

/** @spec RFC 9126 §2 */
async function pushed(client: CscClient, server: string, fields: Fields): Promise<Fields> {
  const answer = await sendForm(client, `${server}/oauth2/pushed_authorize`, fields);
  return { client_id: client.settings.clientId, request_uri: requireText(answer, 'request_uri') };
}

/** Parameters that authorise one signature over one digest. @spec CSC API §8.4.2, RFC 9396 §2 */
function subjectOf(
  settings: CscSettings,
  info: CscInfo,
  order: OrderState,
  text: string,
): Record<string, string> {
  const { credentialId: credentialID, digest, choice, label } = order;
  const { hashAlgorithmOID } = choice;
  const wanted = settings.authorization ?? (info.hasDetails ? 'details' : 'scope');
  if (wanted === 'scope') {
    const hashes = Buffer.from(digest, 'base64').toString('base64url');
    const fields = { scope: 'credential', credentialID, numSignatures: '1', hashes };
    return { ...fields, hashAlgorithmOID, ...(text === '' ? {} : { description: text }) };
  }
  const { detailsType: type, hasDetailsCount, hashTypes } = settings.dialect;
  const hashType = hashTypes === undefined ? {} : { hashType: hashTypes[settings.delivery] };
  const documentDigests = [{ hash: digest, label, ...hashType }];
  const count = hasDetailsCount ? { numSignatures: 1 } : {};
  const details = { type, credentialID, ...count, documentDigests, hashAlgorithmOID };
  return { authorization_details: JSON.stringify([details]) };
}

/**
 * Returns the code from the URL that the person was redirected to, or the error that it states.
 *
 * @throws EidError `invalidResponse` if the URL does not belong to the session
 */
export function requireCode(
  { redirectUri, issuer }: CscSettings,
  { nonce }: AuthorizationState,
  url: URL,
): string | EidError {
  const wanted = new URL(redirectUri);
  const parameters = url.searchParams;
  if (url.origin !== wanted.origin || url.pathname !== wanted.pathname) {
    throw responseFault('the redirect URI is not the registered one');
  }
  if (!isSameSecret(only(parameters, 'state') ?? '', nonce)) {
    throw responseFault('the redirect belongs to a different session');
  }
  if (issuer !== undefined && only(parameters, 'iss') !== issuer) {
    throw responseFault('the redirect comes from a different authorization server');
  }
  const name = only(parameters, 'error');
  if (name !== undefined) {
    const code = failCodes.get(name) ?? 'internalError';
    return new EidError(code, 'the authorization server refused', name);
  }
  const code = only(parameters, 'code');
  if (code === undefined || code === '') throw responseFault('the redirect has no code');
  return code;
}

function only(parameters: URLSearchParams, name: string): string | undefined {
  const values = parameters.getAll(name);
  if (values.length > 1) throw responseFault(`the redirect has parameter ${name} more than once`);
  return values[0];
}

/** Exchanges a code for a token: signature activation data if the scope is `credential`. */
export async function exchangeCode(
  client: CscClient,
  { server, order }: CscState,
  { verifier }: AuthorizationState,
  code: string,
): Promise<AccessToken> {
  const fields = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: client.settings.redirectUri,
    code_verifier: verifier,
  };
  return requestToken(client, server, fields, order);
}

/** @spec RFC 6749 §5.1 */
async function requestToken(
  client: CscClient,
  server: string,
  fields: Fields,
  order?: OrderState,
): Promise<AccessToken> {
  const { environment } = client;
  const answer = await sendForm(client, `${server}/oauth2/token`, fields);
  const token = requireText(answer, 'access_token');
  if (!/^[\x21-\x7e]{1,16384}$/.test(token))
    throw responseFault('member access_token is not a token');
  if (requireText(answer, 'token_type').toLowerCase() !== 'bearer') {
    throw responseFault('member token_type: expected Bearer');
  }
  if (order !== undefined) requireSubject(answer, order);
  const seconds = secondsOf(answer, 'expires_in') ?? USUAL_SECONDS;
  return { token, tokenUntilMs: environment.now() + seconds * 1_000 };
}

/** If the response states what was authorised, it must match the order. */
function requireSubject(answer: Members, order: OrderState): void {
  const stated = listOf(answer, 'authorization_details')?.map((value) =>
    asMembers(value, 'authorization details'),
  );
  const credentials = [textOf(answer, 'credentialID')];
  for (const details of stated ?? []) {
    credentials.push(textOf(details, 'credentialID'));
    for (const value of listOf(details, 'documentDigests') ?? []) {
      const hash = requireText(asMembers(value, 'a digest'), 'hash');
      if (!Buffer.from(hash, 'base64').equals(bytesOf(order.digest))) {
        throw responseFault('a different digest was authorised');
      }
    }
  }
  if (credentials.some((id) => id !== undefined && id !== order.credentialId)) {
    throw responseFault('a different credential was authorised');
  }
}

/** Revokes a token, ignoring errors. @spec RFC 7009 */
export async function revokeToken(
  client: CscClient,
  { server, token, canRevoke }: CscState,
): Promise<void> {
  if (token === undefined || !canRevoke) return;
  const fields = { token, token_type_hint: 'access_token' };
  try {
    await postForm(client, `${server}/oauth2/revoke`, fields);
  } catch (error) {
    if (!(error instanceof EidError)) throw error;
  }
}
