import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A request received by a register. */
export interface RegisterRequest {
  readonly method: string;
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

/** A local register of persons, controlled by `answer`. */
export interface RegisterServer {
  readonly url: string;
  readonly requests: readonly RegisterRequest[];
}

/** An entry as in the documented responses. */
export type ServedEntry = Readonly<Record<string, unknown>>;

/** Responds as documented, from entries by number and kind of lookup. */
export function documentedAnswers(entries: Readonly<Record<string, Record<string, ServedEntry>>>) {
  return ({ body }: RegisterRequest, response: ServerResponse): void => {
    const { ssn, lookup } = JSON.parse(body) as { ssn: string; lookup: string };
    const entry = entries[ssn]?.[lookup];
    const found = entry !== undefined;
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ ssn, found, ...entry }));
  };
}

type Answer = (request: RegisterRequest, response: ServerResponse) => void;

/** Serves until the test ends. */
export async function serveRegister(answer: Answer): Promise<RegisterServer> {
  const server = await openRegisterServer(answer);
  onTestFinished(() => server.close());
  return server;
}

/** Serves until it is closed. */
export async function openRegisterServer(
  answer: Answer,
): Promise<RegisterServer & { close(): void }> {
  const requests: RegisterRequest[] = [];
  const server = createServer((message, response) => {
    void bodyOf(message).then((body) => {
      const { method = '', url = '', headers } = message;
      const request = { method, path: url, authorization: headers.authorization ?? '', body };
      requests.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/persons`, requests, close };
}

async function bodyOf(message: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
