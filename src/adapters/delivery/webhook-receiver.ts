import type { IncomingMessage, ServerResponse } from 'node:http';
import { listen } from '../listen.ts';

/** A request as received. */
export interface ReceivedPost {
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** Options of a receiver. */
export interface ReceiverOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Longer bodies are rejected with status 413. */
  readonly bodyBytesMax: number;
  /** Returns the status of the response. */
  handle(request: ReceivedPost): Promise<number>;
}

const methodNotAllowed = 405;
const tooLarge = 413;
const failed = 500;

/** Opens a receiver of POST requests on any path. @throws config.invalid if it cannot listen */
export async function openWebhookReceiver(
  options: ReceiverOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { createServer } = await import('node:http');
  const server = createServer((request, response) => void answer(options, request, response));
  const { url, close } = await listen(server, options.host, options.port);
  return { url: `${url}/`, close };
}

async function answer(
  options: ReceiverOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const end = (status: number) => {
    response.writeHead(status, { 'content-length': 0 }).end();
  };
  try {
    if (request.method !== 'POST') return end(methodNotAllowed);
    const body = await readBody(request, options.bodyBytesMax);
    if (body === undefined) return end(tooLarge);
    end(await options.handle({ headers: flat(request), body }));
  } catch {
    if (!response.headersSent) end(failed);
  }
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let lengthBytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    lengthBytes += part.length;
    if (lengthBytes > maxBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function flat({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}
