import type { Duplex } from 'node:stream';
import { InnsigliError } from '../../base/errors.ts';
import { proxyFailure } from './failure.ts';
import type { TlsOptions } from './tls-options.ts';

/** An origin to be reached through a proxy. */
export interface TunnelOptions {
  /** `http:` or `https:` URL, with credentials as user info. */
  readonly proxy: URL;
  readonly url: URL;
  /** PEM of authorities for TLS to the proxy that replace the built-in ones. */
  readonly ca?: string;
  /** Options for TLS to the origin. */
  readonly inner?: TlsOptions;
  readonly timeoutMs: number;
}

/**
 * Opens a connection to the origin of `url` with CONNECT, and for https with TLS inside. Names are
 * resolved only by the proxy.
 *
 * @throws HttpFailure, errors of sockets and TLS; one with code ETIMEDOUT after `timeoutMs`
 * @spec RFC 9110 §9.3.6
 */
export async function openTunnel(options: TunnelOptions): Promise<Duplex> {
  const tls = await import('node:tls');
  const { proxy, url, ca, inner = {}, timeoutMs } = options;
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
      // Until the caller adds a listener, a reset must not crash the process.
      socket.on('error', () => undefined);
      resolve(socket);
    };
    const silence = () =>
      fail(Object.assign(new Error('the proxy does not respond'), { code: 'ETIMEDOUT' }));
    const timer = setTimeout(silence, timeoutMs);
    tunnel.once('error', fail);
    tunnel.once('connect', (answer, socket) => {
      tunnel.off('error', fail);
      if (answer.statusCode !== 200) {
        socket.destroy();
        return fail(proxyFailure(answer.statusCode ?? 0));
      }
      if (url.protocol !== 'https:') return finish(socket);
      const inside = tls.connect({ socket, ...identity, ...inner });
      secured = inside;
      inside.once('error', fail);
      inside.once('secureConnect', () => finish(inside));
    });
    tunnel.end();
  });
}

/** User name or password of a URL. @throws config.invalid if its escapes are not valid UTF-8 */
export function decodeUserInfo(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new InnsigliError(
      'config.invalid',
      'user or password of the URL: invalid percent-encoding',
      {
        hint: 'percent-encode special characters as %xx of their UTF-8 bytes',
      },
    );
  }
}

/** Request headers for the proxy. */
export function proxyHeaders(proxy: URL): Record<string, string> {
  if (proxy.username === '') return {};
  const pair = `${decodeUserInfo(proxy.username)}:${decodeUserInfo(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair, 'utf8').toString('base64')}` };
}

/** URLs put IPv6 addresses in brackets, sockets do not. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** The explicit or default port of a URL. */
function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

/** A URL as sent to a proxy, without credentials and fragment. */
export function bareUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}${url.search}`;
}
