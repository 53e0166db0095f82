import type { Agent, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { CoreError } from '../../base/errors.ts';

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
    throw new CoreError('config.invalid', message, { hint: 'use an http: proxy' });
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
  const agent = new https.Agent({ ...KEEP_ALIVE, ...(ca === undefined ? {} : { ca }) });
  if (proxy !== undefined) await tunnelThrough(agent, proxy, options);
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
async function tunnelThrough(agent: Agent, proxy: URL, options: TransportOptions): Promise<void> {
  const tls = await import('node:tls');
  const { request } =
    proxy.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const { url, ca, timeoutMs } = options;
  const target = `${url.hostname}:${portOf(url)}`;
  const authorities = ca === undefined ? {} : { ca };
  const isAddress = /^[\d.]+$|:/.test(hostOf(url));
  const identity = { host: hostOf(url), ...(isAddress ? {} : { servername: url.hostname }) };
  const connect = (_options: unknown, connected: Connected) => {
    const tunnel = request({
      method: 'CONNECT',
      hostname: hostOf(proxy),
      port: portOf(proxy),
      path: target,
      headers: { host: target, ...proxyHeaders(proxy) },
      agent: false,
      ...authorities,
    });
    let secured: Duplex | undefined;
    const settle = (error: Error | null, socket?: Duplex) => {
      clearTimeout(timer);
      secured?.off('error', settle);
      if (error !== null) {
        tunnel.on('error', () => undefined).destroy();
        secured?.on('error', () => undefined).destroy();
      }
      connected(error, socket);
    };
    // The exchange has the same patience: whichever clock rings first, the code is the same.
    const silence = () => settle(new CoreError('tsa.timeout', 'the proxy does not answer'));
    const timer = setTimeout(silence, timeoutMs);
    tunnel.once('error', settle);
    tunnel.once('connect', (answer, socket) => {
      tunnel.off('error', settle);
      if (answer.statusCode !== 200) {
        socket.destroy();
        settle(proxyRefusal(answer.statusCode ?? 0));
        return;
      }
      const inside = tls.connect({ socket, ...identity, ...authorities });
      secured = inside;
      inside.once('error', settle);
      inside.once('secureConnect', () => settle(null, inside));
    });
    tunnel.end();
  };
  Object.assign(agent, { createConnection: connect });
}

function proxyRefusal(status: number): CoreError {
  if (status === 407) {
    return new CoreError('tsa.credentials', 'the proxy refused the credentials (407)', {
      hint: 'check user and password of the proxy',
    });
  }
  return new CoreError('tsa.unreachable', `the proxy refused the connection (${status})`);
}

/** User name or password of a URL. @throws config.invalid when its escapes are no UTF-8 */
export function decodeUserInfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new CoreError('config.invalid', 'user or password of the URL: a bad % escape', {
      hint: 'write special characters as %xx of their UTF-8 bytes',
    });
  }
}

function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const pair = `${decodeUserInfo(proxy.username)}:${decodeUserInfo(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** URLs write IPv6 addresses in brackets, sockets do not. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function bareUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search}`;
}
