import {
  type EidAssurance,
  EidError,
  type EidFailCode,
  type EidState,
} from '../../../../app/ports/index.ts';
import { isSameSecret } from '../../../../base/bytes.ts';
import { responseFault } from '../../provider-answer.ts';

/** Result of the redirect back from the provider. */
export type OidcAnswer =
  | { readonly code: string }
  | { readonly failure: EidFailCode; readonly providerCode?: string };

/** Verified tokens, stored until userinfo has been read. */
export interface OidcTokens {
  /** The signed token, decrypted if it was encrypted. */
  readonly idToken: string;
  readonly accessToken: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** JWK Set in JSON with the key that verified the token. */
  readonly keys: string;
}

/** State of a session. */
export interface OidcSession {
  readonly driver: string;
  /** Issuer identifier as spelled by the provider. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** Whether the provider has announced that it adds `iss` to redirects. */
  readonly tellsIssuer: boolean;
  readonly isSigning: boolean;
  readonly minAssurance?: Exclude<EidAssurance, 'unknown'>;
  /** National number supplied by the caller. */
  readonly hint?: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly answer?: OidcAnswer;
  readonly tokens?: OidcTokens;
}

/**
 * Reads the session from a state.
 *
 * @throws EidError `internalError` if the state belongs to a different driver or client
 */
export function sessionOf(
  state: EidState,
  owner: { readonly driver: string; readonly clientId: string },
): OidcSession {
  const session = state as unknown as OidcSession;
  const texts = ['issuer', 'redirectUri', 'state', 'nonce', 'verifier'] as const;
  const isWhole =
    texts.every((name) => typeof session[name] === 'string' && session[name] !== '') &&
    [session.startedAtMs, session.expiresAtMs].every(Number.isFinite);
  if (!isWhole || session.driver !== owner.driver || session.clientId !== owner.clientId) {
    throw new EidError('internalError', 'the state of the session belongs to a different driver');
  }
  return session;
}

/** The session as plain JSON, without undefined members. */
export function stateOf(session: object): EidState {
  return JSON.parse(JSON.stringify(session)) as EidState;
}

/**
 * Reads the result from a redirect URL after the checks that bind it to the session.
 *
 * @param failureOf returns the failure for `error` and `error_description`
 * @throws EidError `invalidResponse` if the URL belongs to a different session or provider
 * @spec RFC 6749 §4.1.2, RFC 9207 §2.4
 */
export function answerOf(
  session: OidcSession,
  url: URL,
  failureOf: (error: string, description: string | undefined) => EidFailCode,
): OidcAnswer {
  const redirect = new URL(session.redirectUri);
  if (url.origin !== redirect.origin || url.pathname !== redirect.pathname) {
    throw responseFault('the redirect URI is not the registered one');
  }
  const found = url.searchParams;
  for (const name of new Set(found.keys())) {
    if (found.getAll(name).length > 1)
      throw responseFault('a parameter of the redirect occurs twice');
  }
  if (!isSameSecret(found.get('state') ?? '', session.state)) {
    throw responseFault('the state of the redirect does not match the session');
  }
  const issuer = found.get('iss');
  if (issuer === null ? session.tellsIssuer : issuer !== session.issuer) {
    throw responseFault('the redirect is from a different issuer, or does not name its issuer');
  }
  if (['response', 'id_token', 'access_token', 'token'].some((name) => found.has(name))) {
    throw responseFault('the redirect has a response type other than code');
  }
  const error = found.get('error');
  if (error !== null) {
    const description = found.get('error_description') ?? undefined;
    const failure = failureOf(error, description);
    return { failure, providerCode: providerCode(error, description) };
  }
  const code = found.get('code') ?? '';
  if (code === '' || code.length > 4_096) throw responseFault('the redirect has no valid code');
  return { code };
}

/** Whether two results are equal, as when the redirect URL is loaded twice. */
export function isSameAnswer(one: OidcAnswer, other: OidcAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The description if it is one word: brokers put more precise codes there. Else the error. */
function providerCode(error: string, description: string | undefined): string {
  const isWord = description !== undefined && /^[\w.-]{1,64}$/.test(description);
  return isWord ? description : /^[\w.-]{1,64}$/.test(error) ? error : 'unreadable';
}
