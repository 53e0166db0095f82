import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import {
  type Answerer,
  answerOneByOne,
  clientAddresses,
  type TimeSlices,
  timeSlices,
} from './plugins/index.ts';

/** Options of an HTTP server. */
export interface HttpServerOptions {
  /** Private key and certificates, PEM. If present, the server speaks TLS. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly passphrase?: string };
  /** Time limit in milliseconds for receiving the headers, and for receiving the whole request. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Addresses or networks of proxies whose forwarding headers are trusted. */
  readonly proxies?: readonly string[];
  /** Scheduler of turns between clients. Default: that of this thread. */
  readonly slices?: TimeSlices;
}

const KEEP_ALIVE_MS = 72_000;
const HEADERS_BYTES_MAX = 16 * 1024;

/**
 * True for requests that are answered immediately: health checks, because a monitor takes a slow
 * service out of use, and requests that are rejected unread.
 */
const isUrgent = ({ url = '', headers }: IncomingMessage) =>
  headers.host === undefined || /^\/(?:healthz|readyz)(?:\?|$)/i.test(url);

/** Creates a server that answers the requests of each connection one by one. Not listening yet. */
export function openHttpServer(answer: Answerer, options: HttpServerOptions): Server {
  const { tls, headersMs, requestMs, proxies, slices = timeSlices } = options;
  const shared = {
    maxHeaderSize: HEADERS_BYTES_MAX,
    // Checked when the request's turn comes.
    requireHostHeader: false,
    headersTimeout: headersMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Interval at which Node looks for slow requests. All those it finds are cut off together.
    connectionsCheckingInterval: Math.min(1000, headersMs),
  };
  const server =
    tls === undefined
      ? createServer(shared)
      : createTlsServer({ ...shared, ...tls, handshakeTimeout: headersMs });
  answerOneByOne(server, answer, { clientOf: clientAddresses(proxies), isUrgent, slices });
  server.requestTimeout = requestMs;
  return server.setTimeout(requestMs);
}
