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
  /** Private key and certificates, PEM: it speaks TLS then. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly passphrase?: string };
  /** Milliseconds until the headers and the whole of a request must have come. */
  readonly headersMs: number;
  readonly requestMs: number;
  /** Addresses or networks of proxies whose statements about their clients are trusted. */
  readonly proxies?: readonly string[];
  /** Scheduler of turns between clients; that of this thread when left out. */
  readonly slices?: TimeSlices;
}

const KEEP_ALIVE_MS = 72_000;
const HEADERS_BYTES_MAX = 16 * 1024;

/**
 * True for requests that are answered without waiting: health checks, since a monitor takes a slow
 * service out of use, and requests that are refused unread.
 */
const isUrgent = ({ url = '', headers }: IncomingMessage) =>
  headers.host === undefined || /^\/(?:healthz|readyz)(?:\?|$)/i.test(url);

/** A server that answers the requests of each connection one by one, not listening yet. */
export function openHttpServer(answer: Answerer, options: HttpServerOptions): Server {
  const { tls, headersMs, requestMs, proxies, slices = timeSlices } = options;
  const shared = {
    maxHeaderSize: HEADERS_BYTES_MAX,
    // It is looked at when it is the turn of the request.
    requireHostHeader: false,
    headersTimeout: headersMs,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Interval at which Node looks for slow requests: all that it finds are cut off at once.
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
