import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSameSecret } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';
import { attemptAny } from '../../../base/errors.ts';
import type { RandomBytes } from '../../../domain/keys.ts';

/** A session at an e-ID provider, as the person is shown it. */
export interface EidPrompt {
  /** Of the provider. */
  readonly token: string;
  readonly verificationCode?: string;
  readonly qrData?: string;
  readonly redirectUrl?: string;
  readonly sameDeviceLink?: string;
  readonly intervalSeconds?: number;
}

/** An act that waits for the person elsewhere: a code that was sent, or an e-ID that is asked. */
export interface Pending extends EidPrompt {
  /** `signed` and `failed` are over: they are told once; `token` of `failed` names the sentence. */
  readonly kind: 'code' | 'sign' | 'login' | 'signed' | 'failed';
  readonly processKey: string;
  readonly signeeKey: string;
  /** Of a login: the provider that was asked; absent: SIM or app. */
  readonly scheme?: 'device-link' | 'eid-se';
  /** Name of a sentence that is told once, and where: why the last try was refused. */
  readonly said?: readonly [word: string, processKey: string];
}

/** A login at the page of a flow. */
export interface FlowLogin extends EidPrompt {
  /** `done` and `failed` are over; `token` of `failed` names the sentence that says why. */
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

/** What the browser keeps for the pages; scripts cannot read it. */
export interface PageCookies {
  /** Repeated in every form: a form of another site does not have it. */
  readonly formToken: string;
  /** Opens the place after a login or passcode. */
  readonly accessToken?: string;
  readonly pending?: Pending;
  readonly login?: FlowLogin;
  /** Name under which answers of this browser are saved. */
  readonly draft?: string;
}

/** Where cookies go. */
export interface CookieScope {
  /** The pages are reached by https. */
  readonly isSecure: boolean;
  /** The page stands in a frame of another site. */
  readonly isFramed: boolean;
}

const FORM_BYTES = 16;
const COOKIE_MAX = 3000;

/** The cookies of a request; a form token is made and set where there is none. */
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
  // HEAD begins and ends nothing: it is answered as to a browser that has been nowhere.
  if (request.method === 'HEAD') return { formToken };
  if (!isToken) setCookie(reply, scope, 'form', formToken);
  const accessToken = of('access');
  const pending = parseKept<Pending>(of('pending'), ['processKey', 'signeeKey']);
  const login = parseKept<FlowLogin>(of('login'), ['flowKey']);
  const draft = /^[0-9a-f]{32}$/.exec(of('draft') ?? '')?.[0];
  return { formToken, ...defined({ accessToken, pending, login, draft }) };
}

/** Keeps the name of saved answers, for as long as they are kept. */
export function setDraftName(
  reply: FastifyReply,
  scope: CookieScope,
  name: string,
  keptMs: number,
): void {
  setCookie(reply, scope, 'draft', name, Math.floor(keptMs / 1000));
}

/**
 * Sets a cookie for this browser session, or for `keptSeconds`; undefined as value removes it.
 */
export function setCookie(
  reply: FastifyReply,
  scope: CookieScope,
  name: keyof typeof names,
  value: string | undefined,
  keptSeconds?: number,
): void {
  const { isSecure, isFramed } = scope;
  // Browsers give no cookie to a framed page but one that says it is for frames, over https.
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

/** Keeps an act that waits, or a login at the page of a flow; undefined: none any more. */
export function keep<Name extends 'pending' | 'login'>(
  { reply, scope }: { readonly reply: FastifyReply; readonly scope: CookieScope },
  name: Name,
  kept: PageCookies[Name],
): void {
  const text = kept && Buffer.from(JSON.stringify(kept)).toString('base64url');
  setCookie(reply, scope, name, text !== undefined && text.length > COOKIE_MAX ? undefined : text);
}

/** True when a form is of this site, and has the token of this browser. */
export function isOwnForm(
  { request, cookies }: { readonly request: FastifyRequest; readonly cookies: PageCookies },
  sent: URLSearchParams,
): boolean {
  if (request.headers['sec-fetch-site'] === 'cross-site') return false;
  return isSameSecret(cookies.formToken, sent.get('form') ?? '');
}

// A name that only this host can set, and only over https. @spec RFC 6265bis §4.1.3.2
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
