import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { asBuffer } from '../../base/bytes.ts';
import { attemptAny } from '../../base/errors.ts';
import { requireGiven } from '../../base/given.ts';
import { readableOptions } from '../../base/taken.ts';
import { listen } from '../listen.ts';

/** Bytes or a promise of them; undefined if there are none with this name. */
export type Found = Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** Callbacks of a trust server; a path without a callback does not exist. */
export interface TrustCallbacks {
  /** Answers a TimeStampReq with a TimeStampResp, DER. */
  readonly timestamp?: (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  /** Answers an OCSPRequest with an OCSPResponse, DER. */
  readonly ocsp?: (request: Uint8Array) => Uint8Array | Promise<Uint8Array>;
  /** Returns a CertificateList, DER. */
  readonly crl?: (name: string) => Found;
  /** Returns a certificate, DER. */
  readonly certificate?: (name: string) => Found;
}

/** Requests have about a hundred bytes; longer ones contain an extension or are malformed. */
const MAX_BODY_BYTES = 64 * 1024;
/** Each connection may buffer a body, and is free after the timeout of a body at the latest. */
const CONNECTIONS_MAX = 512;
/** Timeout of a whole body. */
const BODY_TIMEOUT_MS = 10_000;

interface Reply {
  readonly status: number;
  readonly type: string;
  readonly body: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * A request listener for `POST /tsa`, `POST /ocsp`, `GET /ocsp/<base64>`, `GET /crl/<name>` and
 * `GET /certs/<name>`, also as `/issuer/<name>`.
 *
 * @spec RFC 3161 §3.4, RFC 6960 Appendix A, RFC 5280 §4.2.1.13
 */
function trustRequestListener(callbacks: TrustCallbacks): RequestListener {
  return (request, response) => {
    answer(request, callbacks)
      .catch(() => text(500, 'the request could not be answered'))
      .then((reply) => send(request, response, reply));
  };
}

async function answer(request: IncomingMessage, callbacks: TrustCallbacks): Promise<Reply> {
  const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
  const method = request.method ?? 'GET';
  if (path === '/tsa' && callbacks.timestamp !== undefined) {
    return answerPost(request, 'timestamp', callbacks.timestamp);
  }
  if ((path === '/ocsp' || path === '/ocsp/') && callbacks.ocsp !== undefined) {
    return answerPost(request, 'ocsp', callbacks.ocsp);
  }
  const [, folder, name] = /^\/(ocsp|crl|certs|issuer)\/(.{1,4096})$/.exec(path) ?? [];
  if (folder === undefined || name === undefined) return text(404, 'not found');
  if (method !== 'GET' && method !== 'HEAD') return notAllowed('GET, HEAD');
  const decoded = attemptAny(() => decodeURIComponent(name));
  if (decoded === undefined) return text(400, 'the path is not well-formed');
  if (folder === 'ocsp') {
    if (callbacks.ocsp === undefined) return text(404, 'not found');
    const body = await callbacks.ocsp(Buffer.from(decoded, 'base64'));
    return { status: 200, type: 'application/ocsp-response', body };
  }
  if (decoded.includes('/')) return text(404, 'not found');
  const find = folder === 'crl' ? callbacks.crl : callbacks.certificate;
  const body = await find?.(decoded);
  if (body === undefined) return text(404, 'not found');
  const type = folder === 'crl' ? 'application/pkix-crl' : 'application/pkix-cert';
  return { status: 200, type, body };
}

const posts = {
  timestamp: { query: 'application/timestamp-query', reply: 'application/timestamp-reply' },
  ocsp: { query: 'application/ocsp-request', reply: 'application/ocsp-response' },
} as const;

async function answerPost(
  request: IncomingMessage,
  kind: keyof typeof posts,
  callback: (request: Uint8Array) => Uint8Array | Promise<Uint8Array>,
): Promise<Reply> {
  if (request.method !== 'POST') return notAllowed('POST');
  const { query, reply } = posts[kind];
  const type = (request.headers['content-type'] ?? query).split(';', 1)[0]?.trim().toLowerCase();
  if (type !== query && type !== 'application/octet-stream') return text(415, `send ${query}`);
  const body = await readBody(request);
  if (body === 'large') return text(413, `at most ${MAX_BODY_BYTES} bytes`);
  if (body === 'slow') return text(408, 'the request did not come in time');
  return { status: 200, type: reply, body: await callback(body) };
}

function readBody(request: IncomingMessage): Promise<Uint8Array | 'large' | 'slow'> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) {
    return Promise.resolve('large');
  }
  return new Promise((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let lengthBytes = 0;
    const timer = setTimeout(() => resolve('slow'), BODY_TIMEOUT_MS);
    request.on('data', (part: Uint8Array) => {
      lengthBytes += part.length;
      if (lengthBytes <= MAX_BODY_BYTES) parts.push(part);
      else {
        clearTimeout(timer);
        resolve('large');
      }
    });
    request.on('end', () => {
      clearTimeout(timer);
      resolve(Buffer.concat(parts));
    });
    request.on('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
  });
}

function text(status: number, message: string): Reply {
  return { status, type: 'text/plain; charset=utf-8', body: Buffer.from(`${message}\n`) };
}

function notAllowed(allow: string): Reply {
  return { ...text(405, `use ${allow}`), headers: { allow } };
}

function send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
  // The unread rest of a body would be parsed as the next request.
  const unread = !request.complete && request.method === 'POST';
  response.writeHead(reply.status, {
    'content-type': reply.type,
    'content-length': reply.body.length,
    ...reply.headers,
    ...(unread ? { connection: 'close' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : asBuffer(reply.body));
  if (unread) response.once('finish', () => request.destroy());
}

/** A running trust server. */
export interface RunningTrustServer {
  /** Base URL without a path: `http://127.0.0.1:8780`. */
  readonly url: string;
  readonly port: number;
  /** Closes open connections and frees the port. */
  close(): Promise<void>;
}

/** Address and callbacks of a trust server. */
export interface TrustServerOptions extends TrustCallbacks {
  /** Address to listen on, such as `127.0.0.1`. */
  readonly host: string;
  /** Port to listen on; 0 selects a free port. */
  readonly port: number;
}

const optionNames = { host: 1, port: 1, timestamp: 1, ocsp: 1, crl: 1, certificate: 1 } as const;

/**
 * Starts a server for `POST /tsa`, `POST /ocsp`, `GET /ocsp/<base64>`, `GET /crl/<name>` and
 * `GET /certs/<name>` that responds with the results of the callbacks.
 *
 * @throws config.invalid if the server cannot listen there
 * @example
 * const server = await startTrustServer({
 *   host: '127.0.0.1',
 *   port: 0,
 *   timestamp: (request) => timestampAuthority.timestamp(request),
 * });
 * await server.close();
 */
export async function startTrustServer(options: TrustServerOptions): Promise<RunningTrustServer> {
  const { host, port } = readableOptions('startTrustServer', options, optionNames);
  requireGiven('host', 'text', host, typeof host === 'string');
  requireGiven('port', 'a number', port, typeof port === 'number');
  const { createServer } = await import('node:http');
  const server = createServer(
    {
      requestTimeout: 2 * BODY_TIMEOUT_MS,
      headersTimeout: BODY_TIMEOUT_MS,
      keepAliveTimeout: 60_000,
    },
    trustRequestListener(options),
  );
  // Limits the memory for incomplete bodies and idle clients to 32 MiB.
  server.maxConnections = CONNECTIONS_MAX;
  return listen(server, host, port);
}
