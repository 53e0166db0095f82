import type { WebhookTransport } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { type AddressRules, openAddressPolicy } from '../../base/network/address-policy.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { HttpFailure, openHttpClient, policyGuard, type ResolveName } from '../http/index.ts';

/** Options of the webhook transport. */
export interface TransportOptions extends AddressRules {
  /** Whether all network access is forbidden. */
  readonly offline: boolean;
  /** URL of an HTTP proxy for all requests; the proxy resolves host names itself. */
  readonly proxy?: string;
  /** Resolves a host name. Default: the resolver of the operating system. */
  readonly resolve?: ResolveName;
}

/** Bytes of a response body that are returned. */
const keptBytes = 1024;
/** Only the status matters: maximum bytes and time of reading the body before closing. */
const statusCounts = { readBytes: 64 * 1024, bodyMs: 1000 };
const connections = 64;
const connectMs = 10_000;
const knownUrlsMax = 1000;

/**
 * Creates a transport that posts to user-supplied URLs over persistent connections. Redirects are
 * not followed. With a proxy, only the proxy resolves host names and has to block internal
 * networks: the transport itself can reject only literal addresses and host names.
 *
 * @throws config.invalid if a network of the rules is malformed
 */
export function webhookTransport(options: TransportOptions): WebhookTransport {
  const { proxy, resolve } = options;
  const client = openHttpClient({
    guard: policyGuard(openAddressPolicy(options)),
    proxy: proxy === undefined ? undefined : new URL(proxy),
    ...{ resolve, connections, connectMs, tunnelsAll: true },
  });
  // The client checks each URL object once, which is enough because the rules do not change.
  const urls = new Map<string, URL>();
  const find = (text: string) => {
    const known = urls.get(text) ?? parseUrl(text);
    if (urls.size >= knownUrlsMax) urls.clear();
    urls.set(text, known);
    return known;
  };
  return {
    async post({ url: text, ...request }) {
      const url = find(text);
      const fault = client.findFault(url);
      if (fault !== undefined) throw blocked(url, fault);
      if (options.offline) {
        throw new InnsigliError('network.offline', `${url.host} is required, but --offline is set`);
      }
      const order = { ...request, url, method: 'POST', keptBytes, statusCounts } as const;
      const { status, headers, body } = await client.send(order).catch((error: unknown) => {
        throw error instanceof HttpFailure ? failureAt(url, error, request.timeoutMs) : error;
      });
      const retryAfter = headers['retry-after'];
      const head = body.toString('utf8');
      return { status, ...(typeof retryAfter === 'string' ? { retryAfter } : {}), head };
    },
    close: () => client.close(),
  };
}

function parseUrl(text: string): URL {
  if (isUrl(text)) return new URL(text);
  throw new InnsigliError('network.blocked', 'the address is not a URL');
}

function blocked(url: URL, why: string): InnsigliError {
  return new InnsigliError('network.blocked', `${url.host} must not be contacted: ${why}`);
}

/** The message names the host but not the path: webhook paths are often secrets. */
function failureAt(url: URL, failure: HttpFailure, timeoutMs: number): InnsigliError {
  const { kind, message } = failure;
  if (kind === 'blocked') return blocked(url, message);
  const why = kind === 'late' ? `no response within ${timeoutMs} ms` : message;
  return new InnsigliError('network.failed', `${url.host}: ${why}`, { cause: failure });
}
