import type { RandomBytes } from '../../../domain/keys.ts';
import type { ApiApp } from '../../route.ts';

/** Headers of every response: browsers must not sniff, frame or store it. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
} as const;

/** Adds headers that keep browsers from sniffing, framing and storing, and the request ID. */
export function addSecurityHeaders(app: ApiApp, isEncrypted: boolean): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(securityHeaders).header('x-request-id', request.id);
    if (isEncrypted) reply.header('strict-transport-security', 'max-age=31536000');
  });
}

/** Bytes of an ID, and number of IDs drawn in one call: a call costs more than its bytes. */
const ID_BYTES = 12;
const IDS_AT_ONCE = 128;

/** Returns a function that picks a request's ID: the client's own if harmless, else a new one. */
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
