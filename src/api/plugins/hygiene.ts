import type { RandomOctets } from '../../domain/keys.ts';
import type { ApiApp } from '../route.ts';

/** Headers of every answer: browsers shall not guess, frame or keep it. */
export const hygieneHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Adds headers that keep browsers from guessing, framing and keeping, and the request id. */
export function addHygiene(app: ApiApp, isEncrypted: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(hygieneHeaders).header('x-request-id', request.id);
    if (isEncrypted) reply.header('strict-transport-security', 'max-age=31536000');
  });
}

/** The id of a request: that of the client when it is harmless, else a new one. */
export function requestId(random: RandomOctets, given: string | string[] | undefined): string {
  if (typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)) return given;
  return Buffer.from(random(12)).toString('hex');
}
