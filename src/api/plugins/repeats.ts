import { createHash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NamedRequest } from '../../app/company/index.ts';
import { invalidField } from '../failure.ts';
import type { ApiPorts } from '../ports.ts';
import type { ApiApp } from '../route.ts';

/** Longer documents are not kept: what makes them writes nothing, and can be done again. */
const DOCUMENT_BYTES_MAX = 1024 * 1024;

declare module 'fastify' {
  interface FastifyRequest {
    /** A request that is done once; null where it has no name, or its answer is a kept one. */
    named: NamedRequest | null;
  }
}

/** Gives the kept answer to a POST that comes twice with the same `Idempotency-Key`. */
export function addRepeats(app: ApiApp, { repeats }: ApiPorts): void {
  app.decorateRequest('named', null);
  app.addHook('preHandler', async (request, reply) => {
    const key = request.headers['idempotency-key'];
    const { company } = request;
    if (key === undefined || company === null || request.method !== 'POST') return;
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalidField('idempotencyKey', 'expected 1 to 255 visible characters');
    }
    const begun = await repeats.begin(company.company.key, key, hashOf(request));
    if (typeof begun === 'string') await replay(reply, begun);
    else request.named = begun;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { named } = request;
    if (named === null) return payload;
    request.named = null;
    const text = answerText(request, reply, payload);
    if (text === undefined) await named.drop();
    else await named.keep(text);
    return payload;
  });
}

function hashOf({ method, url, headers, body }: FastifyRequest): string {
  const hash = createHash('sha256').update(`${method} ${url} ${headers.accept ?? ''}\n`);
  return hash.update(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null)).digest('hex');
}

function answerText(
  { routeOptions }: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): string | undefined {
  const bytes = typeof payload === 'string' ? Buffer.from(payload) : (payload ?? Buffer.alloc(0));
  if (reply.statusCode >= 400 || !Buffer.isBuffer(bytes)) return undefined;
  const isOfDocument = (routeOptions.config.facts?.rawTypes.length ?? 0) > 0;
  if (isOfDocument && bytes.length > DOCUMENT_BYTES_MAX) return undefined;
  return JSON.stringify({
    status: reply.statusCode,
    type: reply.getHeader('content-type') ?? '',
    sealCount: reply.getHeader('x-seal-count') ?? '',
    body: bytes.toString('base64'),
  });
}

async function replay(reply: FastifyReply, answer: string): Promise<void> {
  const kept = JSON.parse(answer) as Record<'type' | 'body', string> & {
    readonly status: number;
    readonly sealCount: string | number;
  };
  reply.code(kept.status).header('idempotency-replayed', 'true');
  if (kept.type !== '') reply.type(kept.type);
  if (kept.sealCount !== '') reply.header('x-seal-count', kept.sealCount);
  await reply.send(Buffer.from(kept.body, 'base64'));
}
