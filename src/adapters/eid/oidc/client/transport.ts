import { type EidEnvironment, EidError } from '../../../../app/ports/index.ts';
import { isUrl } from '../../../../base/network/is-url.ts';
import { isLoopbackHost } from '../../../../base/network/loopback.ts';

/** The subset of `fetch` that openid-client uses. */
export type OidcFetch = (
  url: string,
  init: { readonly method: string; readonly headers: object; readonly body?: unknown },
) => Promise<Response>;

const TIMEOUT_MS = 10_000;
/** Maximum nesting of JSON in a response; the protocol needs four levels. */
const JSON_DEPTH = 32;
/** Statuses whose responses have no body. @spec Fetch §2.2.3 */
const nullBodyStatuses: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * A `fetch` over the transport of the environment. It does not follow redirects.
 *
 * @throws EidError `providerUnavailable` if the provider is busy or unreachable, `invalidResponse`
 * if the response is malformed or a URL is not protected
 */
export function fetchOver(environment: EidEnvironment, issuer: string): OidcFetch {
  return async (address, { method, headers, body }) => {
    requireProtected(address, issuer);
    const { 'user-agent': _, ...sent } = headers as Record<string, string>;
    const {
      status,
      headers: given,
      body: bytes,
    } = await environment.http({
      method: method === 'POST' ? 'POST' : 'GET',
      url: address,
      headers: sent,
      ...(body === undefined || body === null ? {} : { body: String(body) }),
      timeoutMs: TIMEOUT_MS,
    });
    if (status >= 500 || status === 429 || status === 408) {
      throw new EidError('providerUnavailable', `the provider responds with status ${status}`);
    }
    if (status < 200) throw new EidError('invalidResponse', `unexpected status ${status}`);
    requireShallow(bytes);
    const known = ['content-type', 'www-authenticate', 'date'].flatMap((name) => {
      const value = given[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    const content = nullBodyStatuses.has(status) ? null : new Uint8Array(bytes);
    return new Response(content, { status, headers: known });
  };
}

/**
 * Rejects a URL that is not `https`. For an issuer on a loopback address, `http` URLs on loopback
 * addresses are accepted as well.
 *
 * @throws EidError `invalidResponse`
 */
export function requireProtected(address: string, issuer: string): void {
  const url = isUrl(address) ? new URL(address) : undefined;
  if (url?.protocol === 'https:') return;
  const isLocal = isLoopbackIssuer(issuer) && url !== undefined && isLoopbackHost(url.hostname);
  if (isLocal && url.protocol === 'http:') return;
  throw new EidError('invalidResponse', 'the provider publishes a URL that is not https');
}

/** Whether an issuer is `http` on a loopback address, which is meant for tests on one machine. */
export function isLoopbackIssuer(issuer: string): boolean {
  const url = isUrl(issuer) ? new URL(issuer) : undefined;
  return url?.protocol === 'http:' && isLoopbackHost(url.hostname);
}

/** Rejects deep nesting before the value is traversed. */
function requireShallow(bytes: Uint8Array): void {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (isText) {
      if (byte === 0x5c) at++;
      else if (byte === 0x22) isText = false;
    } else if (byte === 0x22) isText = true;
    else if (byte === 0x5b || byte === 0x7b) depth++;
    else if (byte === 0x5d || byte === 0x7d) depth--;
    if (depth > JSON_DEPTH) {
      throw new EidError('invalidResponse', `more than ${JSON_DEPTH} levels of nesting`);
    }
  }
}

/** A URL without its trailing slash. */
export function withoutSlash(address: string): string {
  return address.replace(/\/$/, '');
}
