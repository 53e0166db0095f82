import { EidError, type EidFailCode } from '../../../../app/ports/index.ts';
import type { OidcProfile } from '../profile/profile.ts';
import { oauthFailures } from './failures.table.ts';

/** The failure for `error` and `error_description` of a provider; unknown ones are ours. */
export function failureOf(
  { failures }: OidcProfile,
  error: string,
  description: string | undefined,
): EidFailCode {
  for (const word of [description, error]) {
    if (word !== undefined && Object.hasOwn(failures, word)) return failures[word] as EidFailCode;
  }
  return Object.hasOwn(oauthFailures, error)
    ? (oauthFailures[error] as EidFailCode)
    : 'internalError';
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
    const code = failureOf(
      profile,
      body.error,
      typeof description === 'string' ? description : undefined,
    );
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
