import type { EidHttpAnswer } from '../../../../app/ports/index.ts';

/** Cookies of the provider by name: a load balancer finds its node by them. */
export type Cookies = { readonly [name: string]: string };

const MOST_COOKIES = 8;
const pair = /^([\w!#$%&'*+.^`|~-]{1,64})=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,2048})$/;

/** The cookies with those that an answer sets. @spec RFC 6265 §4.1.1 */
export function withCookies(known: Cookies, { headers }: EidHttpAnswer): Cookies {
  const said = headers['set-cookie'];
  const lines: readonly string[] = typeof said === 'string' ? [said] : (said ?? []);
  const found = new Map(Object.entries(known));
  for (const line of lines) {
    const [, name, value] = pair.exec((line.split(';', 1)[0] ?? '').trim()) ?? [];
    if (name === undefined || value === undefined || name === '__proto__') continue;
    if (found.has(name) || found.size < MOST_COOKIES) found.set(name, value);
  }
  return Object.fromEntries(found);
}

/** The header for a request; without cookies there is none. */
export function cookieHeader(cookies: Cookies): Record<string, string> {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
}
