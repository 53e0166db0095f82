import { defined } from '../../base/defined.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { openSemaphore } from '../../base/semaphore.ts';
import {
  type Attempt,
  standardHeaders,
  type Webhook,
  type WebhookEvent,
} from '../../domain/webhook/index.ts';
import type { BlobStore, WebhookTransport } from '../ports/index.ts';

/** Dependencies of {@link sendEvent}. */
export interface SendPorts {
  readonly blobs: Pick<BlobStore, 'get' | 'sizeOf'>;
  readonly transport: WebhookTransport;
  now(): number;
}

/** Time for one attempt, from the name look-up to the last byte. */
export const attemptTimeoutMs = 10_000;

/** Bytes of documents that are in memory at the same time; their base64 adds to it. */
const documentBytesMax = 64 * 1024 * 1024;
const documentMemory = openSemaphore(documentBytesMax);
/** Bytes that become text at once; a multiple of three, so that the parts join. */
const base64Step = 3 * 64 * 1024;

/** Runs `work` as soon as the document of `event` fits into memory. @throws blob.missing */
export async function withDocumentMemory<T>(
  { blobs }: Pick<SendPorts, 'blobs'>,
  { documentSha256: sha256 }: Pick<WebhookEvent, 'documentSha256'>,
  work: () => Promise<T>,
): Promise<T> {
  return sha256 === undefined ? work() : documentMemory.run(await blobs.sizeOf(sha256), work);
}

/**
 * Sends an event to a webhook once; call it inside {@link withDocumentMemory}. The body is the same
 * at each attempt, byte for byte; time and signatures in the headers are those of the attempt.
 *
 * @throws blob.missing, blob.corrupt, network.offline; other failures are results
 */
export async function sendEvent(
  ports: SendPorts,
  { url, secrets }: Pick<Webhook, 'url' | 'secrets'>,
  event: Pick<WebhookEvent, 'id' | 'body' | 'documentSha256'>,
  number: number,
): Promise<Attempt> {
  const { transport, now } = ports;
  const body = await buildBody(ports, event);
  const atMs = now();
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'innsigli-webhook',
    ...standardHeaders({ id: event.id, atMs, body, secrets }),
    'webhook-attempt': String(number),
  };
  try {
    const answer = await transport.post({ url, headers, body, timeoutMs: attemptTimeoutMs });
    const { status, retryAfter, head } = answer;
    const result = defined({ status, retryAfter });
    return defined({ result, atMs, durationMs: now() - atMs, answerHead: head || undefined });
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'network.offline') throw error;
    const result = { errorCode: error.code };
    return { result, atMs, durationMs: now() - atMs, cause: error.message };
  }
}

/** The body of an event: the base64 of its document between the two parts. @throws blob.* */
export async function buildBody(
  ports: Pick<SendPorts, 'blobs'>,
  event: Pick<WebhookEvent, 'body' | 'documentSha256'>,
): Promise<Uint8Array> {
  const [head, tail] = event.body;
  if (event.documentSha256 === undefined) return Buffer.from(head + tail, 'utf8');
  const { buffer, byteOffset, byteLength } = await ports.blobs.get(event.documentSha256);
  const content = Buffer.from(buffer, byteOffset, byteLength);
  const [before, after] = [Buffer.from(head, 'utf8'), Buffer.from(tail, 'utf8')];
  const base64Bytes = 4 * Math.ceil(content.length / 3);
  const body = Buffer.allocUnsafe(before.length + base64Bytes + after.length);
  let end = before.copy(body);
  for (let at = 0; at < content.length; at += base64Step) {
    end += body.write(content.toString('base64', at, at + base64Step), end, 'latin1');
  }
  after.copy(body, end);
  return body;
}
