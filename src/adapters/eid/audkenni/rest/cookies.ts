import type { EidHttpAnswer } from '../../../../app/ports/index.ts';

/** Cookies of the provider by name, used by its load balancer to select the node. */
export type Cookies = { readonly [name: string]: string };

const MOST_COOKIES = 8;
const pair = /^([\w!#$%&'*+.^`|~-]{1,64})=([\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]{0,2048})$/;

/** Merges the cookies set by a response. @spec RFC 6265 §4.1.1 */
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

/** The `Cookie` header of a request; none if there are no cookies. */
export function cookieHeader(cookies: Cookies): Record<string, string> {
  const pairs = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
  return pairs.length === 0 ? {} : { cookie: pairs.join('; ') };
}
