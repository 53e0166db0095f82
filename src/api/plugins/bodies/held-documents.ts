import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sha256Of } from '../../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { requireDocumentSize } from '../../failure.ts';
import type { ApiApp } from '../../route.ts';
import { notBase64, type ReadDocument, readBase64 } from '../../shapes/index.ts';
import { type ExtractedJson, JsonDocuments, placeholderOf } from './json-documents.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Long documents of the body and the response, by their placeholders. */
    heldDocuments: Map<string, Buffer | undefined> | null;
  }
}

/** A body up to this size is read as a whole. */
const WHOLE_BYTES_MAX = 256 * 1024;
/** Bytes processed before others get their turn. */
const TURN_BYTES = 512 * 1024;
/** Bytes of a document that are encoded as base64 per step: a multiple of three. */
const SLICE_BYTES = 48 * 1024;

/**
 * The JSON of a body as text. Long documents in it are decoded as they arrive:
 * {@link documentReader} knows their placeholders.
 *
 * @throws limit.exceeded, validation.error
 */
export async function readJson(request: FastifyRequest, payload: Readable): Promise<ExtractedJson> {
  const { bodyLimit } = request.routeOptions;
  const stated = Number(request.headers['content-length'] ?? Number.NaN);
  if (stated > bodyLimit) throw bodyTooLong();
  if (stated <= WHOLE_BYTES_MAX) return readWhole(payload, stated);
  let receivedBytes = 0;
  let takenBytes = 0;
  let pieces: Buffer[] = [];
  let documents: JsonDocuments | undefined;
  for await (const piece of unbroken(payload)) {
    const bytes = Buffer.isBuffer(piece) ? piece : Buffer.from(piece);
    receivedBytes += bytes.length;
    if (receivedBytes > bodyLimit) throw bodyTooLong();
    if (documents === undefined && receivedBytes <= WHOLE_BYTES_MAX) {
      pieces.push(Buffer.from(bytes));
      continue;
    }
    documents ??= new JsonDocuments(Number.isNaN(stated) ? bodyLimit : stated);
    for (const each of [...pieces, bytes]) documents.take(each);
    pieces = [];
    if (documents.textBytes > limits.jsonBytes) throw textTooLong();
    takenBytes += bytes.length;
    if (takenBytes < TURN_BYTES) continue;
    // A fast client must not keep everyone else waiting.
    takenBytes = 0;
    await setImmediate();
  }
  if (!Number.isNaN(stated) && receivedBytes !== stated) throw otherLength();
  return documents?.end() ?? { text: Buffer.concat(pieces), documents: none };
}

/** Reads a small body without a promise for each chunk. */
function readWhole(payload: Readable, statedBytes: number): Promise<ExtractedJson> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let leftBytes = statedBytes;
    payload.on('data', (piece: Buffer | string) => {
      const bytes = Buffer.from(piece as Buffer);
      leftBytes -= bytes.length;
      if (leftBytes < 0) payload.destroy(otherLength());
      else pieces.push(bytes);
    });
    payload.once('error', (cause) => reject(brokenOff(cause)));
    payload.once('end', () => {
      if (leftBytes > 0) reject(otherLength());
      else resolve({ text: Buffer.concat(pieces), documents: none });
    });
  });
}

/** The chunks of a body; an aborted body is an error of the client. */
async function* unbroken(payload: Readable): AsyncGenerator<Buffer | string> {
  try {
    yield* payload;
  } catch (cause) {
    throw brokenOff(cause);
  }
}

function brokenOff(cause: unknown): unknown {
  if (isInnsigliError(cause)) return cause;
  return new InnsigliError('validation.error', 'the body is truncated', { cause });
}

const none: ExtractedJson['documents'] = new Map();

/** Returns a reader for documents of the body of `request`, including those decoded on arrival. */
export function documentReader({ heldDocuments }: FastifyRequest): ReadDocument {
  const given = new Set<string>();
  return (text, fieldName) => {
    if (heldDocuments?.has(text) !== true) return readBase64(text, fieldName);
    const bytes = heldDocuments.get(text);
    if (bytes === undefined) notBase64(fieldName);
    requireDocumentSize(bytes);
    if (!given.has(text)) {
      given.add(text);
      return bytes;
    }
    // Its present owner may transfer it.
    const copy = Buffer.from(bytes);
    heldDocuments.set(text, copy);
    return copy;
  };
}

/** Base64 of a document for the response. That of a long document is generated while it is sent. */
export function documentText(request: FastifyRequest, bytes: Buffer): string {
  if (bytes.length <= WHOLE_BYTES_MAX) return bytes.toString('base64');
  const mark = placeholderOf(sha256Of(bytes));
  request.heldDocuments ??= new Map();
  request.heldDocuments.set(mark, bytes);
  return mark;
}

/** Writes documents in place of their placeholders. */
export function addHeldDocuments(app: ApiApp): void {
  app.decorateRequest('heldDocuments', null);
  app.addHook('onSend', async ({ heldDocuments }, reply, payload) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (heldDocuments === null || !isText) return payload;
    const parts = partsOf(String(payload), heldDocuments);
    return parts.length === 1 ? payload : sentParts(reply, parts);
  });
}

type Part = string | Buffer;

/** `text` with documents in place of their placeholders. */
function partsOf(text: string, documents: ReadonlyMap<string, Buffer | undefined>): Part[] {
  let parts: Part[] = [text];
  for (const [mark, bytes] of documents) {
    if (bytes === undefined) continue;
    const written = JSON.stringify(mark).slice(1, -1);
    parts = parts.flatMap((part) =>
      typeof part !== 'string'
        ? [part]
        : part.split(written).flatMap((each, at) => (at === 0 ? [each] : [bytes, each])),
    );
  }
  return parts;
}

function sentParts(reply: FastifyReply, parts: readonly Part[]): Readable {
  const lengthOf = (part: Part) =>
    typeof part === 'string' ? Buffer.byteLength(part) : 4 * Math.ceil(part.length / 3);
  reply.header(
    'content-length',
    parts.map(lengthOf).reduce((sum, each) => sum + each, 0),
  );
  return Readable.from(slicesOf(parts), { objectMode: false });
}

async function* slicesOf(parts: readonly Part[]): AsyncGenerator<Buffer> {
  for (const part of parts) {
    if (typeof part === 'string') {
      if (part !== '') yield Buffer.from(part);
      continue;
    }
    for (let at = 0; at < part.length; at += SLICE_BYTES) {
      yield Buffer.from(part.toString('base64', at, at + SLICE_BYTES), 'latin1');
      // A fast reader must not keep everyone else waiting.
      await setImmediate();
    }
  }
}

function otherLength(): InnsigliError {
  const message = 'the length of the body differs from Content-Length';
  return new InnsigliError('validation.error', message);
}

function bodyTooLong(): InnsigliError {
  return new InnsigliError('limit.exceeded', 'the body exceeds the size limit');
}

function textTooLong(): InnsigliError {
  const expected = limits.jsonBytes;
  const most = `at most ${expected} bytes besides its documents`;
  const message = `the JSON of the request: expected ${most}, found more`;
  return new InnsigliError('limit.exceeded', message, { details: { expected } });
}
