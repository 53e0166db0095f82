import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  certificateGuard,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  openHttpClient,
} from '../http/index.ts';

/** Body of a POST request. Without it, the request is a GET. */
export interface PostBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Limits for fetching, each of which has a default. */
export interface FetchLimits {
  /** Maximum length of a response in bytes. */
  readonly responseBytes?: number;
  /** Maximum number of redirects followed. */
  readonly redirects?: number;
}

/** Options for fetching URLs named in certificates. */
export interface FetchOptions {
  /** Timeout of a fetch in milliseconds, from name resolution to the last byte. Default: 10 000. */
  readonly timeoutMs: number;
  /**
   * Whether addresses of private networks and of this machine may be contacted. Link-local and
   * cloud metadata addresses are never contacted. Default: false.
   */
  readonly allowPrivateAddresses: boolean;
  /** URL of an HTTP proxy that receives every request and resolves names. */
  readonly proxy?: string;
  /** Whether all network access is forbidden. Default: false. */
  readonly offline: boolean;
  /** Limits on responses and redirects. Default: those of the package. */
  readonly fetchLimits?: FetchLimits;
}

const MAX_REDIRECTS = 3;

function blocked(url: URL, why: string): InnsigliError {
  return new InnsigliError('network.blocked', `${originOf(url)} must not be contacted: ${why}`, {
    hint:
      'if you trust the issuer of the certificate: allowPrivateAddresses in your configuration, ' +
      'or INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true',
  });
}

function failed(url: URL, why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('network.failed', `${originOf(url)}: ${why}`, { cause });
}

/** Scheme, host and port only: the path may contain secrets, and credentials are secret. */
function originOf(url: URL): string {
  return `${url.protocol}//${url.host}`;
}

/**
 * Fetches the body of an http or https URL. The URL comes from a certificate and is untrusted:
 * every name is resolved and checked first, and the connection goes to an address that was checked.
 * With a proxy, only the proxy resolves names, and addresses and names of internal networks are
 * rejected.
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
    const message = `${originOf(url)} is required, but --offline is set`;
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
  if (post === undefined) return client.send({ url, method: 'GET', headers: {}, ...bounds });
  const headers = { 'content-type': post.contentType };
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

/** The target of a redirect, which the client checks like the original URL. */
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
