import type { RandomBytes } from '../../../domain/keys.ts';
import type { ApiApp } from '../../route.ts';

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
export function addSecurityHeaders(app: ApiApp, isEncrypted: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(hygieneHeaders).header('x-request-id', request.id);
    if (isEncrypted) reply.header('strict-transport-security', 'max-age=31536000');
  });
}

/** Bytes of an id, and ids whose bytes are fetched at once: each call costs more than bytes. */
const ID_BYTES = 12;
const IDS_AT_ONCE = 128;

/** Gives the id of a request: that of the client when it is harmless, else a new one. */
export function requestIds(random: RandomBytes): (given: string | string[] | undefined) => string {
  let bytes = Buffer.alloc(0);
  let used = 0;
  return (given) => {
    if (typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)) return given;
    if (used === bytes.length) {
      bytes = Buffer.from(random(ID_BYTES * IDS_AT_ONCE));
      used = 0;
    }
    used += ID_BYTES;
    return bytes.toString('hex', used - ID_BYTES, used);
  };
}
