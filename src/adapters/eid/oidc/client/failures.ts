import { EidError, type EidFailCode } from '../../../../app/ports/index.ts';
import type { OidcProfile } from '../profile/profile.ts';

/**
 * Meanings of the standard error codes, which occur in redirects and in responses of the endpoints.
 *
 * @spec RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core 1.0 §3.1.2.6, RFC 9101 §7, OpenID Connect
 * Core Error Code unmet_authentication_requirements 1.0
 */
const oauthFailures: Readonly<Record<string, EidFailCode>> = {
  access_denied: 'userCancel',
  login_required: 'startFailed',
  interaction_required: 'startFailed',
  account_selection_required: 'startFailed',
  consent_required: 'startFailed',
  unmet_authentication_requirements: 'assuranceTooLow',
  // The code has expired, was already redeemed, or belongs to a different session.
  invalid_grant: 'expiredTransaction',
  // CIBA Core 1.0 §11 and §13.
  expired_token: 'expiredTransaction',
  transaction_failed: 'startFailed',
  expired_login_hint_token: 'startFailed',
  unknown_user_id: 'notAUser',
  temporarily_unavailable: 'providerUnavailable',
  server_error: 'providerUnavailable',
};

/** The failure for a provider's `error` and `error_description`; `internalError` if unknown. */
export function failureOf(
  { failures }: OidcProfile,
  error: string,
  description: string | undefined,
): EidFailCode {
  for (const word of [description, error]) {
    if (word !== undefined && Object.hasOwn(failures, word)) return failures[word] as EidFailCode;
  }
  const known = Object.hasOwn(oauthFailures, error) ? oauthFailures[error] : undefined;
  return known ?? 'internalError';
}

/** Members that distinguish the errors of openid-client. */
interface ClientFault {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/**
 * Converts an error of openid-client to an EidError. Its message names the failed check and
 * contains no part of the response.
 *
 * @param what the rejected item: `the token response`
 */
export function eidErrorOf(fault: unknown, what: string, profile: OidcProfile): EidError {
  const chain: ClientFault[] = [];
  let each: unknown = fault;
  for (let depth = 0; depth < 6 && typeof each === 'object' && each !== null; depth++) {
    if (each instanceof EidError) return each;
    chain.push(each);
    each = (each as ClientFault).cause;
  }
  const body = chain.find(({ code }) => code === 'OAUTH_RESPONSE_BODY_ERROR');
  if (typeof body?.error === 'string') {
    const description = body.error_description;
    const stated = typeof description === 'string' ? description : undefined;
    const code = failureOf(profile, body.error, stated);
    const word = /^[\w.-]{1,64}$/.test(body.error) ? body.error : 'unreadable';
    return new EidError(code, `${what}: the provider refuses the request`, word);
  }
  if (chain.some(({ code }) => code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')) {
    const message = `${what}: the provider does not accept the credentials`;
    return new EidError('internalError', message, 'unauthorized');
  }
  // Messages of the library are constant; those of the JSON parser would quote the response.
  const reason = chain.findLast(({ name }) =>
    ['OperationProcessingError', 'UnsupportedOperationError', 'ClientError'].includes(`${name}`),
  );
  const text = typeof reason?.message === 'string' ? `: ${reason.message}` : '';
  return new EidError('invalidResponse', `${what} is refused${text}`);
}
