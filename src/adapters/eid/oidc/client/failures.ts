import { EidError, type EidFailCode } from '../../../../app/ports/index.ts';
import type { OidcProfile } from '../profile/profile.ts';

/**
 * Failures by the error codes of the standards, as they stand in an address of return and in
 * answers of the endpoints.
 *
 * @spec RFC 6749 §4.1.2.1 and §5.2, OpenID Connect Core 1.0 §3.1.2.6, RFC 9101 §7,
 * OpenID Connect Core Error Code unmet_authentication_requirements 1.0
 */
const oauthFailures: Readonly<Record<string, EidFailCode>> = {
  access_denied: 'userCancel',
  login_required: 'startFailed',
  interaction_required: 'startFailed',
  account_selection_required: 'startFailed',
  consent_required: 'startFailed',
  unmet_authentication_requirements: 'assuranceTooLow',
  // The code has expired, was redeemed before, or belongs to another session.
  invalid_grant: 'expiredTransaction',
  // CIBA Core 1.0 §11 and §13.
  expired_token: 'expiredTransaction',
  transaction_failed: 'startFailed',
  expired_login_hint_token: 'startFailed',
  unknown_user_id: 'notAUser',
  temporarily_unavailable: 'providerUnavailable',
  server_error: 'providerUnavailable',
};

/** The failure for `error` and `error_description` of a provider; unknown ones are ours. */
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

/** Members by which the errors of openid-client are told apart. */
interface ClientFault {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly error?: unknown;
  readonly error_description?: unknown;
}

/**
 * An error of openid-client as one of ours. Its message names the check that failed and holds no
 * part of the answer.
 *
 * @param what was refused: `the token response`
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
  // The sentences of the library are fixed; those of the JSON parser would quote the answer.
  const reason = chain.findLast(({ name }) =>
    ['OperationProcessingError', 'UnsupportedOperationError', 'ClientError'].includes(`${name}`),
  );
  const text = typeof reason?.message === 'string' ? `: ${reason.message}` : '';
  return new EidError('invalidResponse', `${what} is refused${text}`);
}
