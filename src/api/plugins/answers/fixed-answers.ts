import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { inPieces } from './pieces.ts';

/** Octets that are the same for everybody while the program runs. */
export interface FixedAnswer {
  readonly octets: Buffer;
  /** Strong entity tag, in quotes (RFC 9110). */
  readonly tag: string;
}

/** Makes an answer of octets that are kept: all who are sent them share one copy. */
export function fixedAnswer(octets: Buffer): FixedAnswer {
  return { octets, tag: `"${hash('sha256', octets, 'base64url')}"` };
}

/** Sends it, unless the client has it: 304 then. */
export function sendFixed(
  request: FastifyRequest,
  reply: FastifyReply,
  { octets, tag }: FixedAnswer,
): FastifyReply {
  const { headers, method } = request;
  reply.header('etag', tag);
  if (isKnown(headers['if-none-match'], tag)) return reply.code(304).send();
  // Of HEAD the framework sends the headers.
  if (method === 'HEAD') return reply.send(octets);
  return reply.header('content-length', octets.length).send(inPieces(request, octets));
}

// Tags are compared weakly: a proxy that compresses makes them weak.
function isKnown(asked: string | undefined, tag: string): boolean {
  if (asked === undefined) return false;
  const tags = asked.split(',').map((each) => each.trim().replace(/^W\//, ''));
  return tags.includes(tag) || tags.includes('*');
}
