import { timingSafeEqual } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RandomBytes } from '../../../domain/keys.ts';

/** An act that waits for the person elsewhere: a code that was sent, or an e-ID that is asked. */
export interface Pending {
  /** `signed` and `failed` are over: they are told once. */
  readonly kind: 'code' | 'sign' | 'login' | 'signed' | 'failed';
  /** Of the provider; of what failed the name of the sentence that says why. */
  readonly token: string;
  readonly processKey: string;
  readonly signeeKey: string;
  readonly verificationCode?: string;
  readonly qrData?: string;
  readonly redirectUrl?: string;
  readonly sameDeviceLink?: string;
  /** Of a login: the provider that was asked; absent: SIM or app. */
  readonly scheme?: 'device-link' | 'eid-se';
  readonly intervalSeconds?: number;
}

const names = {
  form: 'innsigli-form',
  access: 'innsigli-access',
  pending: 'innsigli-act',
} as const;

/** What the browser keeps for the pages; scripts cannot read it. */
export interface PageCookies {
  /** Repeated in every form: a form of another site does not have it. */
  readonly formToken: string;
  /** Opens the place after a login or passcode. */
  readonly accessToken?: string;
  readonly pending?: Pending;
}

/** Where cookies go. */
export interface CookieScope {
  /** The pages are reached by https. */
  readonly isSecure: boolean;
  /** The page stands in a frame of another site. */
  readonly isFramed: boolean;
}

/** Bytes of a form token. */
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
  if (!isToken) setCookie(reply, scope, 'form', formToken);
  const accessToken = of('access');
  const pending = parsePending(of('pending'));
  return {
    formToken,
    ...(accessToken === undefined ? {} : { accessToken }),
    ...(pending === undefined ? {} : { pending }),
  };
}

/** Sets a cookie for this browser session; undefined removes it. */
export function setCookie(
  reply: FastifyReply,
  scope: CookieScope,
  name: keyof typeof names,
  value: string | undefined,
): void {
  const { isSecure, isFramed } = scope;
  // Browsers give no cookie to a framed page but one that says it is for frames, over https.
  const site = isSecure && isFramed ? 'SameSite=None; Partitioned' : 'SameSite=Lax';
  const parts = [
    `${cookieName(names[name], scope)}=${value ?? ''}`,
    ...['Path=/', 'HttpOnly', site],
    ...(isSecure ? ['Secure'] : []),
    ...(value === undefined ? ['Max-Age=0'] : []),
  ];
  const before = reply.getHeader('set-cookie');
  const others = Array.isArray(before) ? before : before === undefined ? [] : [String(before)];
  reply.header('set-cookie', [...others, parts.join('; ')]);
}

/** Keeps an act that waits. */
export function setPending(
  reply: FastifyReply,
  scope: CookieScope,
  pending: Pending | undefined,
): void {
  const text = pending && Buffer.from(JSON.stringify(pending)).toString('base64url');
  setCookie(
    reply,
    scope,
    'pending',
    text !== undefined && text.length > COOKIE_MAX ? undefined : text,
  );
}

/** True when a form has the token of this browser. */
export function isOwnForm(cookies: PageCookies, given: string | null): boolean {
  const [own, other] = [Buffer.from(cookies.formToken), Buffer.from(given ?? '')];
  return own.length === other.length && timingSafeEqual(own, other);
}

// A name that only this host can set, and only over https. @spec RFC 6265bis §4.1.3.2
function cookieName(name: string, { isSecure }: CookieScope): string {
  return isSecure ? `__Host-${name}` : name;
}

function parseCookies(header: string | undefined): ReadonlyMap<string, string> {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim().split('=', 2));
  return new Map(pairs.flatMap(([name, value]) => (name && value ? [[name, value]] : [])));
}

function parsePending(text: string | undefined): Pending | undefined {
  if (text === undefined) return undefined;
  try {
    const value = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as Pending;
    const texts = [value.kind, value.token, value.processKey, value.signeeKey];
    return texts.every((each) => typeof each === 'string') ? value : undefined;
  } catch {
    return undefined;
  }
}
