import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { limits } from '../../../base/limits.ts';
import { clientNetworks } from '../../../base/network/ip-address.ts';
import type { ApiApp } from '../../route.ts';
import type { BytesHeld } from '../../server-options.ts';
import { holderScale } from '../access/client-address.ts';
import { type Budget, openBudget } from '../connections/budget.ts';
import { timeSlices } from '../connections/time-slices.ts';
import { securityHeaders } from './security-headers.ts';

/** Bytes per write: the rate at which chunks are sent shows how fast a client reads. */
const PIECE_BYTES = 64 * 1024;

/** Longer responses are written in chunks. */
const WHOLE_BYTES_MAX = 256 * 1024;

/** Shorter responses are not counted: a connection has one at a time. */
const COUNTED_BYTES_MIN = 16 * 1024;

/** The default byte limits of responses for one of `parts` processes that share a machine. */
export function usualAnswerBytes(parts = 1): BytesHeld {
  const part = (bytes: number) => Math.max(limits.bodyBytes, Math.floor(bytes / parts));
  const { companyAnswersBytes, companyAnswersShare, otherAnswersBytes, otherAnswersShare } = limits;
  const share = part(companyAnswersShare);
  const kept = Math.floor((companyAnswersBytes * limits.keptPart) / parts);
  return {
    companies: { whole: Math.max(part(companyAnswersBytes), share + kept), share, kept },
    others: {
      whole: otherAnswersBytes,
      share: otherAnswersShare,
      kept: otherAnswersBytes * limits.keptPart,
    },
  };
}

/**
 * Writes long responses of any kind in chunks, and counts those in progress for each client until
 * they are sent. If there is no capacity, responses to clients that do not read are cut off; if
 * there are none, a request that changes nothing is rejected.
 */
export function addChunkedResponses(app: ApiApp, most: BytesHeld = usualAnswerBytes()): void {
  const companies = openBudget(most.companies);
  const others = openBudget(most.others);
  app.addHook('onSend', async (request, reply, payload) => {
    const isWhole = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isWhole || payload.length < COUNTED_BYTES_MIN || request.method === 'HEAD') return payload;
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    const [budget, { share }] =
      companyOf(request) === null ? [others, most.others] : [companies, most.companies];
    // A response larger than a share is sent alone.
    count(budget, request, reply, Math.min(bytes.length, share));
    if (bytes.length <= WHOLE_BYTES_MAX) return bytes;
    reply.header('content-length', bytes.length);
    return inChunks(request, bytes);
  });
}

function count(budget: Budget, request: FastifyRequest, reply: FastifyReply, bytes: number): void {
  const company = companyOf(request);
  const { ip, pace, method } = request;
  const hold = budget.open({
    sharers: company === null ? clientNetworks(ip, holderScale) : [{ key: company, shares: 1 }],
    neededMs: pace.neededMs,
    cut: pace.cut,
  });
  reply.raw.once('finish', hold.release).once('close', hold.release);
  try {
    hold.take(bytes);
  } catch (error) {
    // A completed change is always reported: that request's body counts until the response is sent.
    if (method !== 'GET') return;
    for (const name of ['content-disposition', 'content-length']) reply.removeHeader(name);
    reply.headers(securityHeaders);
    throw error;
  }
}

function companyOf({ company, caller }: FastifyRequest): string | null {
  return (company ?? caller)?.company.key ?? null;
}

/** Returns bytes in memory as a stream of chunks that take turns with other clients. */
export function inChunks(request: FastifyRequest, ...parts: readonly Uint8Array[]): Readable {
  // One chunk at a time: a byte stream would copy the chunks in its buffer into one.
  return Readable.from(takingTurns(request, piecesOf(parts)), {
    objectMode: true,
    highWaterMark: 1,
  });
}

/** Yields `pieces`, each when it is the client's turn. */
export async function* takingTurns(
  { caller, company, ip }: FastifyRequest,
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const client = (company ?? caller)?.company.key ?? ip;
  for await (const piece of pieces) {
    yield piece;
    await timeSlices.turn(client);
  }
}

function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}

/** Yields the base64 of `pieces` between two texts. */
export async function* base64Inside(
  before: string,
  pieces: AsyncIterable<Uint8Array>,
  after: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(before);
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const known = Buffer.concat([rest, piece]);
    // Three bytes are four digits: the remainder is sent with the next chunk.
    const whole = known.length - (known.length % 3);
    rest = known.subarray(whole);
    yield Buffer.from(known.toString('base64', 0, whole));
  }
  yield Buffer.from(rest.toString('base64') + after);
}
