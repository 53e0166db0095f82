import {
  type EidAssurance,
  EidError,
  type EidFailCode,
  type EidState,
} from '../../../../app/ports/index.ts';
import { isSameSecret } from '../../../../base/bytes.ts';
import { answerFault } from '../../provider-answer.ts';

/** What came back with the person. */
export type OidcAnswer =
  | { readonly code: string }
  | { readonly failure: EidFailCode; readonly providerCode?: string };

/** A verified ID token, kept until userinfo has been read. */
export interface OidcTokens {
  /** The signed token, decrypted where it came encrypted. */
  readonly idToken: string;
  readonly accessToken: string;
  readonly claims: Readonly<Record<string, unknown>>;
  /** JWK Set with the key that has verified the token, JSON. */
  readonly keys: string;
}

/** State of a session. */
export interface OidcSession {
  readonly driver: string;
  /** Issuer identifier as the provider spells it. */
  readonly issuer: string;
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** True when the provider has said that it puts `iss` into the address of return. */
  readonly tellsIssuer: boolean;
  readonly isSigning: boolean;
  readonly minAssurance?: Exclude<EidAssurance, 'unknown'>;
  /** National number that the caller knows. */
  readonly hint?: string;
  readonly startedAtMs: number;
  readonly expiresAtMs: number;
  readonly answer?: OidcAnswer;
  readonly tokens?: OidcTokens;
}

/**
 * The session in a state.
 *
 * @throws EidError `internalError` when the state is of another driver, issuer or client
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

/** The session as plain JSON, without members that have no value. */
export function stateOf(session: object): EidState {
  return JSON.parse(JSON.stringify(session)) as EidState;
}

/**
 * What came back in an address of return, after the checks that bind it to the session.
 *
 * @param failureOf the failure for `error` and `error_description`
 * @throws EidError `invalidResponse` when the address belongs to another session or provider
 * @spec RFC 6749 §4.1.2, RFC 9207 §2.4
 */
export function answerOf(
  session: OidcSession,
  url: URL,
  failureOf: (error: string, description: string | undefined) => EidFailCode,
): OidcAnswer {
  const redirect = new URL(session.redirectUri);
  if (url.origin !== redirect.origin || url.pathname !== redirect.pathname) {
    throw answerFault('the redirect URI is not the registered one');
  }
  const found = url.searchParams;
  for (const name of new Set(found.keys())) {
    if (found.getAll(name).length > 1)
      throw answerFault('a parameter of the redirect occurs ' + 'twice');
  }
  if (!isSameSecret(found.get('state') ?? '', session.state)) {
    throw answerFault('the state of the redirect does not match the session');
  }
  const issuer = found.get('iss');
  if (issuer === null ? session.tellsIssuer : issuer !== session.issuer) {
    throw answerFault('the redirect is from a different issuer, or does not name its issuer');
  }
  if (['response', 'id_token', 'access_token', 'token'].some((name) => found.has(name))) {
    throw answerFault('the redirect has a response type other than code');
  }
  const error = found.get('error');
  if (error !== null) {
    const description = found.get('error_description') ?? undefined;
    const failure = failureOf(error, description);
    return { failure, providerCode: providerCode(error, description) };
  }
  const code = found.get('code') ?? '';
  if (code === '' || code.length > 4_096) throw answerFault('the redirect has no valid code');
  return { code };
}

/** True when two answers say the same: a page of return that was loaded twice. */
export function isSameAnswer(one: OidcAnswer, other: OidcAnswer): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The more precise of both, when it is a word: brokers put their own codes there. */
function providerCode(error: string, description: string | undefined): string {
  const isWord = description !== undefined && /^[\w.-]{1,64}$/.test(description);
  return isWord ? description : /^[\w.-]{1,64}$/.test(error) ? error : 'unreadable';
}
