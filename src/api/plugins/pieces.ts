import { Readable } from 'node:stream';
import type { ApiApp } from '../route.ts';

/** What is written at once: how fast a client reads is seen by the pieces that are gone. */
const PIECE_BYTES = 64 * 1024;

/** Longer answers are written in pieces. */
const WHOLE_BYTES_MAX = 256 * 1024;

/** Writes long answers in pieces, whatever they are of. */
export function addPieces(app: ApiApp): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const isLong = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isLong || payload.length <= WHOLE_BYTES_MAX || request.method === 'HEAD') return payload;
    const octets = typeof payload === 'string' ? Buffer.from(payload) : payload;
    reply.header('content-length', octets.length);
    return inPieces(octets);
  });
}

/** Octets that are in memory, as a stream of pieces of them. */
export function inPieces(...parts: readonly Uint8Array[]): Readable {
  return Readable.from(piecesOf(parts), { objectMode: false, highWaterMark: PIECE_BYTES });
}

function* piecesOf(parts: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const part of parts) {
    for (let at = 0; at < part.length; at += PIECE_BYTES) {
      yield part.subarray(at, at + PIECE_BYTES);
    }
  }
}

/** The base64 of `pieces` between two texts. */
export async function* base64Inside(
  before: string,
  pieces: AsyncIterable<Uint8Array>,
  after: string,
): AsyncGenerator<Buffer> {
  yield Buffer.from(before);
  let rest = Buffer.alloc(0);
  for await (const piece of pieces) {
    const known = Buffer.concat([rest, piece]);
    // Three octets are four digits: what is left over goes with the next piece.
    const whole = known.length - (known.length % 3);
    rest = known.subarray(whole);
    yield Buffer.from(known.toString('base64', 0, whole));
  }
  yield Buffer.from(rest.toString('base64') + after);
}
