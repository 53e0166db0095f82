import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { attemptAny } from '../../../base/errors.ts';
import type { RandomBytes } from '../../../domain/keys.ts';

/** A session at an e-ID provider, as shown to the person. */
export interface EidPrompt {
  /** Token of the session. */
  readonly token: string;
  readonly verificationCode?: string;
  readonly qrData?: string;
  readonly redirectUrl?: string;
  readonly sameDeviceLink?: string;
  readonly intervalSeconds?: number;
}

/** An act that is pending elsewhere: a code was sent, or an e-ID prompt was started. */
export interface Pending extends EidPrompt {
  /** `signed` and `failed` are final and reported once; `token` of `failed` names the text. */
  readonly kind: 'code' | 'sign' | 'login' | 'signed' | 'failed';
  readonly processKey: string;
  readonly signeeKey: string;
  /** Provider of a login. Undefined: SIM or app. */
  readonly scheme?: 'device-link' | 'eid-se';
  /** Name of a text shown once, and the process it concerns: why the last attempt was rejected. */
  readonly said?: readonly [word: string, processKey: string];
}

/** A login at the page of a flow. */
export interface FlowLogin extends EidPrompt {
  /** `done` and `failed` are final; `token` of `failed` names the text with the reason. */
  readonly kind: 'login' | 'done' | 'failed';
  readonly flowKey: string;
}

const names = {
  form: 'innsigli-form',
  access: 'innsigli-access',
  pending: 'innsigli-act',
  login: 'innsigli-login',
  draft: 'innsigli-draft',
} as const;

/** Cookies of the pages, inaccessible to scripts. */
export interface PageCookies {
  /** Repeated in every form; a form on a different site does not have it. */
  readonly formToken: string;
  /** Gives access to the documents after a login or passcode. */
  readonly accessToken?: string;
  readonly pending?: Pending;
  readonly login?: FlowLogin;
  /** Name under which this browser's answers are saved. */
  readonly draft?: string;
}

/** Scope of the cookies. */
export interface CookieScope {
  /** The pages are served over HTTPS. */
  readonly isSecure: boolean;
  /** The page is in a frame of a different site. */
  readonly isFramed: boolean;
}

const FORM_BYTES = 16;
const COOKIE_MAX = 3000;

/** Returns the cookies of a request. If there is no form token, one is generated and set. */
export function readCookies(
  request: FastifyRequest,
  reply: FastifyReply,
  scope: CookieScope,
  random: RandomBytes,
): PageCookies {
  const all = parseCookies(request.headers.cookie);
  const of = (name: keyof typeof names) => all.get(cookieName(names[name], scope));
  const known = of('form');
  const isToken = known !== undefined && /^[0-9a-f]{32}$/.test(known);
  const formToken = isToken ? known : Buffer.from(random(FORM_BYTES)).toString('hex');
  // HEAD changes no state: it is answered as for a browser without cookies.
  if (request.method === 'HEAD') return { formToken };
  if (!isToken) setCookie(reply, scope, 'form', formToken);
  const accessToken = of('access');
  const pending = parseKept<Pending>(of('pending'), ['processKey', 'signeeKey']);
  const login = parseKept<FlowLogin>(of('login'), ['flowKey']);
  const draft = /^[0-9a-f]{32}$/.exec(of('draft') ?? '')?.[0];
  return { formToken, ...defined({ accessToken, pending, login, draft }) };
}

/** Sets the cookie with the name of saved answers, for as long as the answers are retained. */
export function setDraftName(
  reply: FastifyReply,
  scope: CookieScope,
  name: string,
  keptMs: number,
): void {
  setCookie(reply, scope, 'draft', name, Math.floor(keptMs / 1000));
}

/** Sets a cookie for this browser session, or for `keptSeconds`. An undefined value removes it. */
export function setCookie(
  reply: FastifyReply,
  scope: CookieScope,
  name: keyof typeof names,
  value: string | undefined,
  keptSeconds?: number,
): void {
  const { isSecure, isFramed } = scope;
  // Browsers send a framed page only cookies that are marked for frames, over HTTPS.
  const site = isSecure && isFramed ? 'SameSite=None; Partitioned' : 'SameSite=Lax';
  const parts = [
    `${cookieName(names[name], scope)}=${value ?? ''}`,
    ...['Path=/', 'HttpOnly', site],
    ...(isSecure ? ['Secure'] : []),
    ...(value === undefined ? ['Max-Age=0'] : []),
    ...(keptSeconds === undefined ? [] : [`Max-Age=${keptSeconds}`]),
  ];
  const before = reply.getHeader('set-cookie');
  const others = Array.isArray(before) ? before : before === undefined ? [] : [String(before)];
  reply.header('set-cookie', [...others, parts.join('; ')]);
}

/** Stores a pending act, or a login at the page of a flow; undefined removes it. */
export function keep<Name extends 'pending' | 'login'>(
  { reply, scope }: { readonly reply: FastifyReply; readonly scope: CookieScope },
  name: Name,
  kept: PageCookies[Name],
): void {
  const text = kept && Buffer.from(JSON.stringify(kept)).toString('base64url');
  setCookie(reply, scope, name, text !== undefined && text.length > COOKIE_MAX ? undefined : text);
}

/** True if a form comes from this site and has the token of this browser. */
export function isOwnForm(
  { request, cookies }: { readonly request: FastifyRequest; readonly cookies: PageCookies },
  sent: URLSearchParams,
): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return false;
  return isSameSecret(cookies.formToken, sent.get('form') ?? '');
}

// A cookie name that only this host can set, and only over HTTPS. @spec RFC 6265bis §4.1.3.2
function cookieName(name: string, { isSecure }: CookieScope): string {
  return isSecure ? `__Host-${name}` : name;
}

function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.flatMap(([name, value]) => (name && value ? [[name, value]] : [])));
}

function parseKept<Kept extends EidPrompt & { readonly kind: string }>(
  text: string | undefined,
  keys: readonly (keyof Kept)[],
): Kept | undefined {
  if (text === undefined) return undefined;
  return attemptAny(() => {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Kept;
    const texts = [value.kind, value.token, ...keys.map((key) => value[key])];
    return texts.every((each) => typeof each === 'string') ? value : undefined;
  });
}
