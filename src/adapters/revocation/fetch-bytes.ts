import type { LookupAddress } from 'node:dns';
import type { IncomingMessage } from 'node:http';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { ProxyRefusal } from '../proxy-tunnel.ts';
import { exchangeDirectly, exchangeThrough, type PostBody } from './exchange.ts';

/** Bounds on fetching; those left out have defaults. */
export interface FetchLimits {
  /** Bytes of one answer. */
  readonly responseBytes?: number;
  /** Redirections followed. */
  readonly redirects?: number;
}

/** How addresses that certificates name are fetched. */
export interface FetchOptions {
  /** Milliseconds for one fetch, from name look-up to the last byte. Default: 10 000. */
  readonly timeoutMs: number;
  /**
   * True when addresses of private networks and of this machine may be contacted; link-local ones
   * and those where providers of machines keep secrets are never. Default: false.
   */
  readonly allowPrivateAddresses: boolean;
  /** URL of an HTTP proxy: every request goes there, and no name is looked up here. */
  readonly proxy?: string;
  /** True when nothing may be contacted. Default: false. */
  readonly offline: boolean;
  /** Bounds on answers and redirections. Default: those of the package. */
  readonly fetchLimits?: FetchLimits;
}

const MAX_REDIRECTS = 3;

function blocked(url: URL, why: string): InnsigliError {
  return new InnsigliError('network.blocked', `${placeOf(url)} may not be contacted: ${why}`, {
    hint:
      'when you trust who issued the certificate: allowPrivateAddresses in your configuration, ' +
      'or INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true',
  });
}

function failed(url: URL, why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('network.failed', `${placeOf(url)}: ${why}`, {
    ...(cause === undefined ? {} : { cause }),
  });
}

/** Scheme, host and port: paths may carry secrets, credentials do. */
function placeOf(url: URL): string {
  return `${url.protocol}//${url.host}`;
}

/**
 * The body of the answer of an http or https address. The address comes from a certificate, so
 * from anybody: every name is looked up and checked first, and the connection goes to the very
 * address that was checked. Behind a proxy only the proxy sees where a name leads: what is refused
 * then are addresses and names of inner networks.
 *
 * @throws network.offline, network.blocked, network.failed
 */
export async function fetchBytes(
  address: string,
  options: FetchOptions,
  post?: PostBody,
): Promise<Uint8Array> {
  let url = parseAddress(address);
  if (options.offline) {
    throw new InnsigliError('network.offline', `${placeOf(url)} is needed and --offline is set`, {
      hint: 'run without --offline; a seal at B-T needs no revocation data',
    });
  }
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), options.timeoutMs);
  try {
    const maxRedirects = options.fetchLimits?.redirects ?? MAX_REDIRECTS;
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const answer = await request(url, options, deadline.signal, post);
      if (answer instanceof Uint8Array) return answer;
      url = answer;
    }
    throw failed(url, `more than ${maxRedirects} redirections`);
  } catch (error) {
    if (deadline.signal.aborted) throw failed(url, `no answer in ${options.timeoutMs} ms`, error);
    if (isInnsigliError(error)) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? 'the connection failed';
    throw failed(url, error instanceof ProxyRefusal ? error.message : code, error);
  } finally {
    clearTimeout(timer);
  }
}

function parseAddress(address: string, base?: URL): URL {
  let url: URL;
  try {
    url = new URL(address, base);
  } catch (cause) {
    throw new InnsigliError('network.blocked', 'an address in a certificate is not a URL', {
      cause,
    });
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw blocked(url, `http or https expected, found ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') throw blocked(url, 'it carries credentials');
  return url;
}

/** The body, or where the answer sends us. */
async function request(
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
  post: PostBody | undefined,
): Promise<Uint8Array | URL> {
  const { findPortFault } = await import('../../base/network/address-policy.ts');
  const portFault = findPortFault(url);
  if (portFault !== undefined) throw blocked(url, portFault);
  const answer = await exchange(url, options, signal, post);
  try {
    return await readAnswer(url, answer, options, post !== undefined);
  } finally {
    answer.destroy();
  }
}

async function exchange(
  url: URL,
  options: FetchOptions,
  signal: AbortSignal,
  post: PostBody | undefined,
): Promise<IncomingMessage> {
  const { proxy, timeoutMs, allowPrivateAddresses } = options;
  if (proxy === undefined) {
    return exchangeDirectly(url, await resolveHost(url, options, signal), signal, post);
  }
  const { findProxiedHostFault, mayFetch } = await import('../../base/network/address-policy.ts');
  const fault = findProxiedHostFault(url.hostname, allowPrivateAddresses, (address) =>
    mayFetch(address, allowPrivateAddresses),
  );
  if (fault !== undefined) throw blocked(url, fault);
  return exchangeThrough(url, { proxy, timeoutMs }, signal, post);
}

async function resolveHost(
  url: URL,
  { allowPrivateAddresses }: FetchOptions,
  signal: AbortSignal,
): Promise<LookupAddress> {
  const [{ lookup }, { mayFetch }] = await Promise.all([
    import('node:dns/promises'),
    import('../../base/network/address-policy.ts'),
  ]);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const found = await abortable(lookup(host, { all: true }), signal);
  const usable = found.find(({ address }) => mayFetch(address, allowPrivateAddresses));
  if (usable !== undefined) return usable;
  throw blocked(url, `${found[0]?.address ?? 'it'} is not a public address`);
}

/** Name look-ups cannot be cancelled: stop waiting for one instead. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Error('timed out'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

async function readAnswer(
  url: URL,
  response: IncomingMessage,
  options: FetchOptions,
  isPost: boolean,
): Promise<Uint8Array | URL> {
  const status = response.statusCode ?? 0;
  const { location } = response.headers;
  const keepsMethod = status === 307 || status === 308;
  if (location !== undefined && (keepsMethod || (!isPost && status >= 301 && status <= 303))) {
    const target = parseAddress(location, url);
    if (url.protocol === 'https:' && target.protocol !== 'https:') {
      throw blocked(target, 'a redirection from https to http');
    }
    return target;
  }
  if (status !== 200) throw failed(url, `HTTP status 200 expected, found ${status}`);
  const maxBytes = options.fetchLimits?.responseBytes ?? limits.responseBytes;
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const part of response as AsyncIterable<Uint8Array>) {
    lengthBytes += part.length;
    if (lengthBytes > maxBytes) throw failed(url, `the answer is longer than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts);
}
