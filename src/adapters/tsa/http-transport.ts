import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import {
  bareUrl,
  hostOf,
  openTunnel,
  ProxyRefusal,
  portOf,
  proxyHeaders,
} from '../proxy-tunnel.ts';

/** Where requests go and through what. */
export interface TransportOptions {
  readonly url: URL;
  /** `http:` or `https:` proxy, credentials in its user part. */
  readonly proxy?: URL;
  /** PEM of authorities for TLS in the place of the built-in ones. */
  readonly ca?: string;
  readonly timeoutMs: number;
}

/** Sends requests to one place over connections that stay open. */
export interface Transport {
  readonly options: RequestOptions;
  request(
    options: RequestOptions,
    answered: (response: IncomingMessage) => void,
  ): import('node:http').ClientRequest;
  close(): void;
}

const KEEP_ALIVE = { keepAlive: true, maxSockets: 16 } as const;

/** A transport; nothing is connected yet. */
export async function openTransport(options: TransportOptions): Promise<Transport> {
  const { url, proxy } = options;
  if (url.protocol === 'https:') return openSecure(options);
  const http = await import('node:http');
  if (proxy?.protocol === 'https:') {
    const message = 'an https: proxy for an http: authority is not possible';
    throw new InnsigliError('config.invalid', message, { hint: 'use an http: proxy' });
  }
  const agent = new http.Agent(KEEP_ALIVE);
  const place = proxy ?? url;
  return {
    request: http.request,
    close: () => agent.destroy(),
    options: {
      agent,
      hostname: hostOf(place),
      port: portOf(place),
      path: proxy === undefined ? `${url.pathname}${url.search}` : bareUrl(url),
      headers: { host: url.host, ...(proxy === undefined ? {} : proxyHeaders(proxy)) },
    },
  };
}

async function openSecure(options: TransportOptions): Promise<Transport> {
  const { url, proxy, ca } = options;
  const https = await import('node:https');
  const agent = new https.Agent({ ...KEEP_ALIVE, ...defined({ ca }) });
  if (proxy !== undefined) tunnelThrough(agent, proxy, options);
  return {
    request: https.request,
    close: () => agent.destroy(),
    options: {
      agent,
      hostname: hostOf(url),
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      headers: { host: url.host },
    },
  };
}

type Connected = (error: Error | null, socket?: Duplex) => void;

/** Makes the agent reach its hosts by CONNECT; TLS then runs inside the tunnel. */
function tunnelThrough(agent: Agent, proxy: URL, options: TransportOptions): void {
  const connect = (_options: unknown, connected: Connected) => {
    openTunnel({ ...options, proxy }).then(
      (socket) => connected(null, socket),
      (error: unknown) => connected(tunnelError(error)),
    );
  };
  Object.assign(agent, { createConnection: connect });
}

function tunnelError(error: unknown): Error {
  if (error instanceof ProxyRefusal) {
    if (error.status !== 407) return new InnsigliError('tsa.unreachable', error.message);
    return new InnsigliError('tsa.credentials', error.message, {
      hint: 'check user and password of the proxy',
    });
  }
  // The exchange has the same patience: whichever clock rings first, the code is the same.
  const isLate = (error as NodeJS.ErrnoException).code === 'ETIMEDOUT';
  return isLate ? new InnsigliError('tsa.timeout', 'the proxy does not answer') : (error as Error);
}
