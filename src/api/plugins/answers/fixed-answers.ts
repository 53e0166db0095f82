import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiApp, RouteFacts } from '../../route.ts';
import { hasTag } from './byte-ranges.ts';
import { inChunks } from './pieces.ts';

/** Bytes that are the same for everyone while the program runs. */
export interface FixedAnswer {
  readonly bytes: Buffer;
  /** Strong entity tag, in quotes (RFC 9110). */
  readonly tag: string;
}

/** Creates a response from bytes held in memory. All recipients share one copy. */
export function fixedAnswer(bytes: Buffer): FixedAnswer {
  return { bytes, tag: `"${hash('sha256', bytes, 'base64url')}"` };
}

/** Sends it, or 304 if the client already has it. */
export function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, tag }: FixedAnswer,
): FastifyReply {
  const { headers, method } = request;
  reply.header('etag', tag);
  if (hasTag(headers['if-none-match'], tag, { isWeak: true })) return reply.code(304).send();
  // For HEAD, the framework sends the headers.
  if (method === 'HEAD') return reply.send(bytes);
  return reply.header('content-length', bytes.length).send(inChunks(request, bytes));
}

/** Returns the methods of each address, from the routes added from now on that match `isMeant`. */
export function listMethods(
  app: ApiApp,
  isMeant: (facts: RouteFacts | undefined) => boolean = () => true,
): (url: string) => readonly string[] {
  const patterns = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();
  app.addHook('onRoute', ({ url, method, config }) => {
    if (!isMeant(config?.facts)) return;
    const source = url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+');
    const known = patterns.get(url) ?? {
      pattern: new RegExp(`^${source}/?$`, 'i'),
      methods: new Set(),
    };
    for (const each of [method].flat()) known.methods.add(each);
    patterns.set(url, known);
  });
  return (url) => {
    const path = url.split('?', 1)[0] ?? '';
    const found = [...patterns.values()].filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => [...methods]))].sort();
  };
}
