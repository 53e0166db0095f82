import type { IncomingMessage, ServerResponse } from 'node:http';
import { listenError, systemCode } from '../../base/os-errors.ts';

/** Options of a local receiver for redirects from a provider. */
export interface ReturnReceiverOptions {
  /** Loopback address or name: only this machine can connect. */
  readonly host: string;
  readonly port: number;
  /** The only path served. */
  readonly path: string;
  /** Handles the path and query of a redirect; returns the text shown to the person. */
  take(target: string): Promise<{ readonly isTaken: boolean; readonly text: string }>;
}

const PATIENCE_MS = 5000;
const headers = {
  'content-type': 'text/plain; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  connection: 'close',
};

/**
 * Opens a local receiver for redirects from the page of a provider. Undefined if another program
 * already listens there, in which case the redirects go to that program.
 *
 * @throws config.invalid if it cannot listen for any other reason
 * @spec RFC 8252 §7.3
 */
export async function openReturnReceiver(
  options: ReturnReceiverOptions,
): Promise<{ close(): Promise<void> } | undefined> {
  const { host, port } = options;
  const { createServer } = await import('node:http');
  const limits = { headersTimeout: PATIENCE_MS, requestTimeout: PATIENCE_MS };
  const server = createServer(
    limits,
    (request, response) => void answer(options, request, response),
  );
  const fault = await new Promise<unknown>((resolve) => {
    server.once('error', resolve);
    server.listen(port, host, () => resolve(undefined));
  });
  if (systemCode(fault) === 'EADDRINUSE') return undefined;
  if (fault !== undefined) throw listenError(host, port, fault);
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), PATIENCE_MS).unref();
      }),
  };
}

async function answer(
  { path, take }: ReturnReceiverOptions,
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const end = (status: number, text: string) => response.writeHead(status, headers).end(text);
  try {
    if (url.split('?', 1)[0] !== path) return void end(404, '');
    if (method !== 'GET') return void end(405, '');
    const { isTaken, text } = await take(url);
    end(isTaken ? 200 : 401, `${text}\n`);
  } catch {
    if (!response.headersSent) end(500, '');
  }
}
