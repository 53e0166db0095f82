import { defined } from '../../base/defined.ts';
import { isUrl } from '../../base/network/is-url.ts';

/** Where the page of a flow redirects a person after login, and with which parameters. */
export interface LoginReturn {
  /** Its origin is registered by the company. */
  readonly returnUrl: string;
  /** Returned unchanged. */
  readonly state?: string;
  /** SHA-256 of a secret of the client that fetches the result, base64url. @spec RFC 7636 §4.2 */
  readonly codeChallenge?: string;
}

/** Why a person returns without a login, as an OAuth error code. @spec RFC 6749 §4.1.2.1 */
export type ReturnFailure = 'access_denied' | 'server_error' | 'temporarily_unavailable';

/** A link to the login page, as received: anyone may have written it. */
export type LoginLink = { readonly [Name in keyof LoginReturn]?: string | undefined };

const URL_MAX = 2000;
/** Printable ASCII, as in OAuth. @spec RFC 6749 §A.5 */
const stateForm = /^[\x20-\x7e]{0,512}$/;
const challengeForm = /^[\w-]{43}$/;
/** Parameters that the page adds to the URL. A URL that has one already would contain it twice. */
const reservedParameters = ['result', 'state', 'error'];

/**
 * Parses a link to the login page. Undefined if it has no parameters. `wrong` if a parameter is
 * invalid or the origin of its URL is not registered: the person is then not redirected at all.
 */
export function readLoginLink(
  { returnUrl, state, codeChallenge }: LoginLink,
  origins: readonly string[],
): LoginReturn | 'wrong' | undefined {
  if (returnUrl === undefined) {
    return state === undefined && codeChallenge === undefined ? undefined : 'wrong';
  }
  if (!isReturnUrl(returnUrl, origins)) return 'wrong';
  if (state !== undefined && !stateForm.test(state)) return 'wrong';
  if (codeChallenge !== undefined && !challengeForm.test(codeChallenge)) return 'wrong';
  return { returnUrl, ...defined({ state, codeChallenge }) };
}

/** Whether `text` is a URL of exactly one of `origins` that no browser might parse otherwise. */
function isReturnUrl(text: string, origins: readonly string[]): boolean {
  if (text.length > URL_MAX || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text)) return false;
  if (!isUrl(text)) return false;
  const { origin, username, password, searchParams } = new URL(text);
  const isRegistered = origins.includes(origin) && text.startsWith(origin);
  const [next = '/'] = text.slice(origin.length);
  const isOwn = isRegistered && (next === '/' || next === '?') && username + password === '';
  return isOwn && !reservedParameters.some((name) => searchParams.has(name));
}

/** The URL for a person who returns with the code of a result, or with an error. */
export function returnAddressOf(
  { returnUrl, state }: LoginReturn,
  outcome: { readonly result: string } | { readonly error: ReturnFailure },
): string {
  const { origin, pathname, search } = new URL(returnUrl);
  const more = new URLSearchParams({ ...outcome, ...defined({ state }) });
  return `${origin}${pathname}${search === '' ? '?' : `${search}&`}${more}`;
}

/** Host and port of the return URL, for display. */
export function returnHostOf({ returnUrl }: LoginReturn): string {
  return new URL(returnUrl).host;
}

/** Whether both are returns of the same link. */
export function isSameReturn(one: LoginReturn | undefined, two: LoginReturn | undefined): boolean {
  return (
    one?.returnUrl === two?.returnUrl &&
    one?.state === two?.state &&
    one?.codeChallenge === two?.codeChallenge
  );
}
