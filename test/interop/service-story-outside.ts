import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

/** A request of a webhook as a receiver got it. */
export interface HeardWebhook {
  /** Last part of the path: what it was registered as. */
  readonly name: string;
  readonly id: string;
  readonly body: Buffer;
  readonly answered: number;
  /** What the package `standardwebhooks` holds against it; undefined: nothing. */
  readonly fault: string | undefined;
}

/** A receiver on this machine. */
export interface WebhookDesk {
  readonly url: string;
  /** Name → secret; a request with another name is answered 404. */
  readonly secrets: Map<string, string>;
  readonly heard: HeardWebhook[];
  close(): Promise<void>;
}

/** Listens on a free port; the first request with the name `refusedOnce` is answered 500. */
export async function openWebhookDesk(refusedOnce: string): Promise<WebhookDesk> {
  const secrets = new Map<string, string>();
  const heard: HeardWebhook[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const name = request.url?.split('/').at(-1) ?? '';
    const secret = secrets.get(name);
    const isFirst = !heard.some((each) => each.name === name);
    const answered = secret === undefined ? 404 : isFirst && name === refusedOnce ? 500 : 200;
    const id = String(request.headers['webhook-id'] ?? '');
    const headers = request.headers as Record<string, string>;
    // Judged now, as receivers do: the time of the request is part of what is judged.
    heard.push({ name, id, body, answered, fault: faultOf(secret ?? '', body, headers) });
    response.writeHead(answered).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    secrets,
    heard,
    close: () => new Promise((done) => server.close(() => done())),
  };
}

function faultOf(
  secret: string,
  body: Buffer,
  headers: Record<string, string>,
): string | undefined {
  try {
    new Webhook(secret).verify(body, headers);
    return undefined;
  } catch (error) {
    return String(error);
  }
}
