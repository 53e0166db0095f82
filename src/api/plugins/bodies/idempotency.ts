import { createHash, type Hash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NamedRequest } from '../../../app/company/index.ts';
import { invalid } from '../../../base/input.ts';
import type { ApiPorts } from '../../ports.ts';
import type { ApiApp } from '../../route.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** A request with an Idempotency-Key; null if it has none or a stored response is returned. */
    named: NamedRequest | null;
    /** Receives the bytes of the body as they arrive; null if no digest is needed. */
    bodyHash: Hash | null;
    /** The response value, before it is serialized. */
    answered: unknown;
  }
}

/** A stored response: the generated part, without the texts that the client sent. */
interface StoredResponse {
  readonly status: number;
  readonly answer?: unknown;
}

/** Record of earlier versions: the response itself. */
interface StoredWholeResponse {
  readonly status: number;
  readonly type: string;
  readonly sealCount: string | number;
  readonly body: string;
}

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/**
 * Returns the stored response to a POST that is repeated with the same `Idempotency-Key`. Only the
 * digest of the request and the part of the response that the client cannot know are stored; the
 * repeated request supplies the rest. Documents are never stored: requests that generate them write
 * nothing, and can be repeated.
 */
export function addIdempotency(app: ApiApp, { idempotency: repeats }: ApiPorts): void {
  app.decorateRequest('named', null);
  app.decorateRequest('bodyHash', null);
  app.decorateRequest('answered', undefined);
  app.addHook('onRequest', async (request) => {
    if (nameOf(request) !== undefined) request.bodyHash = createHash('sha256');
  });
  app.addHook('preHandler', async (request, reply) => {
    const key = nameOf(request);
    const { company } = request;
    if (key === undefined || company === null) return;
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
      invalid('idempotencyKey', 'expected 1 to 255 visible characters');
    }
    const hash = { sha256: hashOf(request), earlier: () => earlierHashOf(request) };
    const begun = await repeats.begin(company.company.key, key, hash);
    if (typeof begun === 'string') await replay(request, reply, begun);
    else request.named = begun;
  });
  app.addHook('preSerialization', async (request, _reply, value) => {
    if (request.named !== null) request.answered = value;
    return value;
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const { named } = request;
    if (named === null) return payload;
    request.named = null;
    if (isKept(request, reply)) await named.keep(await keptText(request, reply));
    else await named.drop();
    return payload;
  });
}

function nameOf({ company, method, headers }: FastifyRequest): string | string[] | undefined {
  if (company === null || method !== 'POST') return undefined;
  return headers['idempotency-key'];
}

function hashOf({ method, url, headers, bodyHash }: FastifyRequest): string {
  const hash = createHash('sha256').update(`${method} ${url} ${headers.accept ?? ''}\n`);
  return hash.update(bodyHash?.digest() ?? '').digest('hex');
}

/** The digest that earlier versions stored for this request. */
function earlierHashOf({ method, url, headers, body }: FastifyRequest): string {
  const hash = createHash('sha256').update(`${method} ${url} ${headers.accept ?? ''}\n`);
  return hash.update(Buffer.isBuffer(body) ? body : JSON.stringify(body ?? null)).digest('hex');
}

function isKept({ routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
  const isOfDocument = (routeOptions.config.facts?.rawTypes.length ?? 0) > 0;
  return reply.statusCode < 400 && !isOfDocument;
}

async function keptText({ body, answered }: FastifyRequest, reply: FastifyReply): Promise<string> {
  const answer = withoutSentTexts(answered, body);
  const kept: StoredResponse = { status: reply.statusCode, answer };
  return (await deflate(JSON.stringify(kept))).toString('base64');
}

async function replay(request: FastifyRequest, reply: FastifyReply, text: string): Promise<void> {
  reply.header('idempotency-replayed', 'true');
  if (text.startsWith('{')) return replayWhole(reply, JSON.parse(text));
  const bytes = await inflate(Buffer.from(text, 'base64'));
  const { status, answer } = JSON.parse(bytes.toString()) as StoredResponse;
  await reply.code(status).send(withSentTexts(answer, request.body));
}

async function replayWhole(reply: FastifyReply, kept: StoredWholeResponse): Promise<void> {
  reply.code(kept.status);
  if (kept.type !== '') reply.type(kept.type);
  if (kept.sealCount !== '') reply.header('x-seal-count', kept.sealCount);
  await reply.send(Buffer.from(kept.body, 'base64'));
}

/** Shorter texts of a response are stored as they are. */
const TEXT_MIN = 64;
const mark = '$sent';

type Mark = { readonly [mark]: number };

/**
 * Returns `answer` without the texts that the client itself sent, such as contents of attachments.
 * Each is replaced by a reference to the text of the request. Both are JSON values.
 */
function withoutSentTexts(answer: unknown, request: unknown): unknown {
  const places = new Map(textsOf(request).map((text, at) => [text, at]));
  return replaced(answer, (value) => {
    const at =
      typeof value === 'string' && value.length >= TEXT_MIN ? places.get(value) : undefined;
    return at === undefined ? value : { [mark]: at };
  });
}

/** Restores the original of a {@link withoutSentTexts} result, given a request with its texts. */
function withSentTexts(answer: unknown, request: unknown): unknown {
  const texts = textsOf(request);
  return replaced(answer, (value) => (isMark(value) ? texts[value[mark]] : value));
}

// A caller's map can have a member of this name, but only with a text, never a number.
function isMark(value: unknown): value is Mark {
  return typeof (value as Partial<Mark> | null)?.[mark] === 'number';
}

/** Long texts of a value, in order of appearance. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return value.length >= TEXT_MIN ? [value] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

function replaced(value: unknown, replace: (value: unknown) => unknown): unknown {
  const next = replace(value);
  if (next !== value || typeof value !== 'object' || value === null) return next;
  if (Array.isArray(value)) return value.map((each) => replaced(each, replace));
  const members = Object.entries(value).map(([name, member]) => [name, replaced(member, replace)]);
  return Object.fromEntries(members);
}
