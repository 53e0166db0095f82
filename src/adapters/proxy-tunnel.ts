import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { InnsigliError } from '../base/errors.ts';

/** A place that is reached through a proxy. */
export interface TunnelOptions {
  /** `http:` or `https:`, credentials in its user part. */
  readonly proxy: URL;
  readonly url: URL;
  /** PEM of authorities for TLS in the place of the built-in ones. */
  readonly ca?: string;
  readonly timeoutMs: number;
}

/** The proxy itself has said no. */
export class ProxyRefusal extends Error {
  override readonly name = 'ProxyRefusal';
  readonly status: number;

  constructor(status: number) {
    const what = status === 407 ? 'credentials' : 'connection';
    super(`the proxy refused the ${what} (${status})`);
    this.status = status;
  }
}

/**
 * A connection to the place of `url` by CONNECT, for https with TLS inside. Names are looked up by
 * the proxy, and nowhere here.
 *
 * @throws ProxyRefusal, errors of sockets and TLS; one with the code ETIMEDOUT after `timeoutMs`
 * @spec RFC 9110 §9.3.6
 */
export async function openTunnel(options: TunnelOptions): Promise<Duplex> {
  const tls = await import('node:tls');
  const { proxy, url, ca, timeoutMs } = options;
  const { request } =
    proxy.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const target = `${url.hostname}:${portOf(url)}`;
  const authorities = ca === undefined ? {} : { ca };
  const isAddress = /^[\d.]+$|:/.test(hostOf(url));
  const identity = { host: hostOf(url), ...(isAddress ? {} : { servername: url.hostname }) };
  const tunnel = request({
    method: 'CONNECT',
    hostname: hostOf(proxy),
    port: portOf(proxy),
    path: target,
    headers: { host: target, ...proxyHeaders(proxy) },
    agent: false,
    ...authorities,
  });
  return new Promise((resolve, reject) => {
    let secured: Duplex | undefined;
    const fail = (error: Error) => {
      clearTimeout(timer);
      secured?.off('error', fail);
      tunnel.on('error', () => undefined).destroy();
      secured?.on('error', () => undefined).destroy();
      reject(error);
    };
    const finish = (socket: Duplex) => {
      clearTimeout(timer);
      secured?.off('error', fail);
      // Until the caller listens: a reset meanwhile must not end the program.
      socket.on('error', () => undefined);
      resolve(socket);
    };
    const silence = () =>
      fail(Object.assign(new Error('the proxy does not answer'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(silence, timeoutMs);
    tunnel.once('error', fail);
    tunnel.once('connect', (answer, socket) => {
      tunnel.off('error', fail);
      if (answer.statusCode !== 200) {
        socket.destroy();
        return fail(new ProxyRefusal(answer.statusCode ?? 0));
      }
      if (url.protocol !== 'https:') return finish(socket);
      const inside = tls.connect({ socket, ...identity, ...authorities });
      secured = inside;
      inside.once('error', fail);
      inside.once('secureConnect', () => finish(inside));
    });
    tunnel.end();
  });
}

/** One request that goes through a proxy. */
export interface ProxiedRequest extends TunnelOptions {
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * The answer to one request, over a connection of its own: https through a tunnel, http as a
 * request to the proxy. Whoever has read it destroys it.
 *
 * @throws as {@link openTunnel}
 * @spec RFC 9112 §3.2.2
 */
export async function requestThrough(order: ProxiedRequest): Promise<IncomingMessage> {
  const { proxy, url, method, body, signal } = order;
  const isPlain = url.protocol !== 'https:' && proxy.protocol !== 'https:';
  const socket = isPlain ? undefined : await openTunnel(order);
  const { request } = await import('node:http');
  const place = isPlain
    ? { hostname: hostOf(proxy), port: portOf(proxy), path: bareUrl(url), agent: false as const }
    : { createConnection: () => socket, path: `${url.pathname}${url.search}` };
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const own = isPlain ? proxyHeaders(proxy) : {};
  const headers = { host: url.host, ...order.headers, ...length, ...own };
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const sent = request({ ...place, method, headers, signal } as RequestOptions, resolve);
    failWhenClosed(sent, reject).end(body);
  });
  if (answer.statusCode !== 407 || !isPlain) return answer;
  answer.destroy();
  throw new ProxyRefusal(407);
}

/**
 * The request, whose end without a usable answer is an error: after one that switches protocols
 * (101) Node closes the connection, and tells of no error.
 */
export function failWhenClosed(
  request: ClientRequest,
  fail: (error: Error) => void,
): ClientRequest {
  const close = () => fail(Object.assign(new Error('no usable answer'), { code: 'ECONNRESET' }));
  return request.on('error', fail).on('close', close);
}

/** User name or password of a URL. @throws config.invalid when its escapes are no UTF-8 */
export function decodeUserInfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InnsigliError('config.invalid', 'user or password of the URL: a bad % escape', {
      hint: 'write special characters as %xx of their UTF-8 bytes',
    });
  }
}

/** Headers that a proxy gets. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const pair = `${decodeUserInfo(proxy.username)}:${decodeUserInfo(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** URLs write IPv6 addresses in brackets, sockets do not. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The port of a URL, written or not. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** A URL as a proxy gets it: without credentials and fragment. */
export function bareUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search}`;
}
