import { defined } from '../../base/defined.ts';
import { isUrl } from '../../base/network/is-url.ts';

/** Where the page of a flow sends a person who has logged in, and with what. */
export interface LoginReturn {
  /** On an origin that the company has registered. */
  readonly returnUrl: string;
  /** Given back as it came. */
  readonly state?: string;
  /** SHA-256 of a secret of the one who fetches the result, base64url. @spec RFC 7636 §4.2 */
  readonly codeChallenge?: string;
}

/** Why a person comes back without a login, in the words of OAuth. @spec RFC 6749 §4.1.2.1 */
export type ReturnFailure = 'access_denied' | 'server_error' | 'temporarily_unavailable';

/** A link to the login page, as anybody may have written it. */
export type LoginLink = { readonly [Name in keyof LoginReturn]?: string | undefined };

const URL_MAX = 2000;
/** Printable ASCII, as OAuth has it. @spec RFC 6749 §A.5 */
const stateForm = /^[\x20-\x7e]{0,512}$/;
const challengeForm = /^[\w-]{43}$/;
/** What the page adds to the address: an address that has them already would have them twice. */
const ours = ['result', 'state', 'error'];

/**
 * What a link to the login page asks for; undefined where it asks for nothing, or for an address
 * that no registered origin has. It is `wrong` then: nobody is sent anywhere.
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

/**
 * True for an address that begins with one of `origins`, letter by letter: what a browser would
 * read in another way than this does is no such address.
 */
function isReturnUrl(text: string, origins: readonly string[]): boolean {
  if (text.length > URL_MAX || !/^[\x21-\x7e]+$/.test(text) || /[\\#]/.test(text)) return false;
  if (!isUrl(text)) return false;
  const { origin, username, password, searchParams } = new URL(text);
  const isRegistered = origins.includes(origin) && text.startsWith(origin);
  const [next = '/'] = text.slice(origin.length);
  const isOwn = isRegistered && (next === '/' || next === '?') && username + password === '';
  return isOwn && !ours.some((name) => searchParams.has(name));
}

/** The address for a person who comes back with the code of a result, or without. */
export function returnAddressOf(
  { returnUrl, state }: LoginReturn,
  outcome: { readonly result: string } | { readonly error: ReturnFailure },
): string {
  const { origin, pathname, search } = new URL(returnUrl);
  const more = new URLSearchParams({ ...outcome, ...defined({ state }) });
  return `${origin}${pathname}${search === '' ? '?' : `${search}&`}${more}`;
}

/** Name of the place that a person comes back to, for people: host and port. */
export function siteOf({ returnUrl }: LoginReturn): string {
  return new URL(returnUrl).host;
}

/** True for the return of the same link. */
export function isSameReturn(one: LoginReturn | undefined, two: LoginReturn | undefined): boolean {
  return (
    one?.returnUrl === two?.returnUrl &&
    one?.state === two?.state &&
    one?.codeChallenge === two?.codeChallenge
  );
}
