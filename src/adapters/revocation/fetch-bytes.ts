import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  certificateGuard,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  openHttpClient,
} from '../http/index.ts';

/** Body of a POST; without it the request is a GET. */
export interface PostBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Bounds on fetching; those left out have defaults. */
export interface FetchLimits {
  /** Bytes of one answer. */
  readonly responseBytes?: number;
  /** Redirections followed. */
  readonly redirects?: number;
}

/** Options for fetching addresses that certificates name. */
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
  return new InnsigliError('network.blocked', `${hostAndPath(url)} must not be contacted: ${why}`, {
    hint:
      'if you trust the issuer of the certificate: allowPrivateAddresses in your configuration, ' +
      'or INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true',
  });
}

function failed(url: URL, why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('network.failed', `${hostAndPath(url)}: ${why}`, { cause });
}

/** Scheme, host and port: paths may carry secrets, credentials do. */
function hostAndPath(url: URL): string {
  return `${url.protocol}//${url.host}`;
}

/**
 * The body of the response of an http or https address. The address comes from a certificate, so
 * from anybody: every name is looked up and checked first, and the connection goes to the very
 * address that was checked. Behind a proxy only the proxy resolves names: then addresses and names
 * of inner networks are refused.
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
    const message = `${hostAndPath(url)} is required, but --offline is set`;
    throw new InnsigliError('network.offline', message, {
      hint: 'run without --offline; a seal at B-T needs no revocation data',
    });
  }
  const { timeoutMs, allowPrivateAddresses, proxy, fetchLimits } = options;
  const deadline = performance.now() + timeoutMs;
  const client = openHttpClient({
    guard: certificateGuard(allowPrivateAddresses),
    proxy: proxy === undefined ? undefined : new URL(proxy),
    connectMs: timeoutMs,
    connections: 1,
  });
  const maxRedirects = fetchLimits?.redirects ?? MAX_REDIRECTS;
  const maxBytes = fetchLimits?.responseBytes ?? limits.responseBytes;
  try {
    for (let hops = 0; hops <= maxRedirects; hops++) {
      const bounds = { timeoutMs: Math.max(1, deadline - performance.now()), keptBytes: maxBytes };
      const answer = await ask(client, url, bounds, post).catch((error: unknown) => {
        throw error instanceof HttpFailure ? failureAt(url, error, timeoutMs) : error;
      });
      const target = targetOf(url, answer, post !== undefined);
      if (target === undefined) return requireBody(url, answer);
      url = target;
    }
    throw failed(url, `more than ${maxRedirects} redirects`);
  } finally {
    client.destroy();
  }
}

function ask(
  client: HttpClient,
  url: URL,
  bounds: { readonly timeoutMs: number; readonly keptBytes: number },
  post: PostBody | undefined,
): Promise<HttpAnswer> {
  // Some servers refuse requests of programs that do not say their name.
  const named = { 'user-agent': 'innsigli' };
  if (post === undefined) return client.send({ url, method: 'GET', headers: named, ...bounds });
  const headers = { ...named, 'content-type': post.contentType };
  return client.send({ url, method: 'POST', headers, body: post.bytes, ...bounds });
}

function failureAt(url: URL, failure: HttpFailure, timeoutMs: number): InnsigliError {
  const { kind, message } = failure;
  if (kind === 'blocked') return blocked(url, message);
  return failed(url, kind === 'late' ? `no response within ${timeoutMs} ms` : message, failure);
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
    throw blocked(url, `expected http or https, found ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') throw blocked(url, 'it contains credentials');
  return url;
}

/** The target of a redirect; the client checks it like the first address. */
function targetOf(url: URL, { status, headers }: HttpAnswer, isPost: boolean): URL | undefined {
  const { location } = headers;
  const keepsMethod = status === 307 || status === 308;
  const isRedirection = keepsMethod || (!isPost && status >= 301 && status <= 303);
  if (typeof location !== 'string' || !isRedirection) return undefined;
  const target = parseAddress(location, url);
  if (url.protocol === 'https:' && target.protocol !== 'https:') {
    throw blocked(target, 'a redirect from https to http');
  }
  return target;
}

function requireBody(url: URL, { status, body }: HttpAnswer): Uint8Array {
  if (status !== 200) throw failed(url, `expected HTTP status 200, found ${status}`);
  return body;
}
