import { isCoreError } from '../../base/errors.ts';
import {
  type AttemptResult,
  standardHeaders,
  type Webhook,
  type WebhookEvent,
} from '../../domain/webhook/index.ts';
import type { BlobStore, WebhookTransport } from '../ports/index.ts';

/** What sending needs. */
export interface SendPorts {
  readonly blobs: Pick<BlobStore, 'get'>;
  readonly transport: WebhookTransport;
  now(): number;
}

/** One attempt as it went. */
export interface Attempt {
  readonly result: AttemptResult;
  readonly atMs: number;
  readonly durationMs: number;
  /** What kept it from an answer, for people: the host and a code. */
  readonly cause?: string;
  /** The first octets of the answer, as text. */
  readonly answerHead?: string;
}

/** Time for one attempt, from the name look-up to the last octet. */
export const attemptTimeoutMs = 10_000;

/** Documents that are in memory at the same time with their base64. */
const documentsMax = 8;
const openDocuments = gate(documentsMax);

/**
 * Sends an event to a webhook once. The body is the same at each attempt, octet for octet; time and
 * signatures of the headers are those of the attempt.
 *
 * @throws blob.missing, blob.corrupt, network.offline; other failures are results
 */
export function sendEvent(
  ports: SendPorts,
  webhook: Pick<Webhook, 'url' | 'secrets'>,
  event: Pick<WebhookEvent, 'id' | 'body' | 'documentSha256'>,
  number: number,
): Promise<Attempt> {
  const send = async () => post(ports, webhook, event.id, await bodyOf(ports, event), number);
  return event.documentSha256 === undefined ? send() : openDocuments(send);
}

/** The body of an event: the base64 of its document between the two parts. @throws blob.* */
export async function bodyOf(
  ports: Pick<SendPorts, 'blobs'>,
  event: Pick<WebhookEvent, 'body' | 'documentSha256'>,
): Promise<Uint8Array> {
  const [head, tail] = event.body;
  if (event.documentSha256 === undefined) return Buffer.from(head + tail, 'utf8');
  const { buffer, byteOffset, byteLength } = await ports.blobs.get(event.documentSha256);
  const content = Buffer.from(buffer, byteOffset, byteLength);
  return Buffer.concat([
    Buffer.from(head, 'utf8'),
    Buffer.from(content.toString('base64'), 'latin1'),
    Buffer.from(tail, 'utf8'),
  ]);
}

async function post(
  { transport, now }: SendPorts,
  { url, secrets }: Pick<Webhook, 'url' | 'secrets'>,
  id: string,
  body: Uint8Array,
  number: number,
): Promise<Attempt> {
  const atMs = now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'innsigli-webhook',
    ...standardHeaders({ id, atMs, body, secrets }),
    'webhook-attempt': String(number),
  };
  try {
    const answer = await transport.post({ url, headers, body, timeoutMs: attemptTimeoutMs });
    const { status, retryAfter, head } = answer;
    const result = { status, ...(retryAfter === undefined ? {} : { retryAfter }) };
    return { result, atMs, durationMs: now() - atMs, ...(head === '' ? {} : { answerHead: head }) };
  } catch (error) {
    if (!isCoreError(error) || error.code === 'network.offline') throw error;
    const result = { errorCode: error.code };
    return { result, atMs, durationMs: now() - atMs, cause: error.message };
  }
}

/** Lets `places` works run at the same time; the others wait in line. */
export function gate(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = places;
  const line: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((enter) => line.push(enter));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}
