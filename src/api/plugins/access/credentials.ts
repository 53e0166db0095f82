import type { FastifyRequest } from 'fastify';
import { InnsigliError } from '../../../base/errors.ts';

/** Credentials of a request. */
export type Credentials =
  | { readonly kind: 'basic'; readonly user: string; readonly password: string }
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'none' };

/** The credentials of a request: Basic, a bearer token, or `x-access-token`. */
export function readCredentials(request: Pick<FastifyRequest, 'headers'>): Credentials {
  const { authorization, 'x-access-token': accessToken } = request.headers;
  const [, scheme = '', rest = ''] = /^\s*(\S+)\s+(\S+)\s*$/.exec(authorization ?? '') ?? [];
  if (scheme.toLowerCase() === 'bearer') return { kind: 'token', token: rest };
  if (scheme.toLowerCase() === 'basic') {
    const pair = Buffer.from(rest, 'base64').toString('utf8');
    const colon = pair.indexOf(':');
    if (colon < 1) return { kind: 'none' };
    return { kind: 'basic', user: pair.slice(0, colon), password: pair.slice(colon + 1) };
  }
  if (typeof accessToken === 'string' && accessToken !== '') {
    return { kind: 'token', token: accessToken };
  }
  return { kind: 'none' };
}

/** Creates the error for missing or invalid credentials. */
export function refused(why: string): InnsigliError {
  return new InnsigliError('authentication.credentials.invalid', why);
}
