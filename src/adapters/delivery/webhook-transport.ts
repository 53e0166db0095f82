import type { WebhookTransport } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { type AddressRules, openAddressPolicy } from '../../base/network/address-policy.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { HttpFailure, openHttpClient, policyGuard, type ResolveName } from '../http/index.ts';

/** Options of the transport of webhooks. */
export interface TransportOptions extends AddressRules {
  /** True when nothing may be contacted. */
  readonly offline: boolean;
  /** URL of an HTTP proxy that every request goes through; it looks names up itself. */
  readonly proxy?: string;
  /** Finds the addresses of a name; that of the operating system when left out. */
  readonly resolve?: ResolveName;
}

/** Bytes of an answer that are kept, and that are read before the connection is cut. */
const keptBytes = 1024;
/** The status counts; a body that does not come is not waited for. */
const statusCounts = { readBytes: 64 * 1024, bodyMs: 1000 };
const connections = 64;
const connectMs = 10_000;
const knownUrlsMax = 1000;

/**
 * Posts to addresses that users chose, over connections that stay open. Redirections are not
 * followed. Behind a proxy only the proxy resolves names and has to keep inner networks closed:
 * here only addresses and names are refused.
 *
 * @throws config.invalid when a network of the rules is none
 */
export function webhookTransport(options: TransportOptions): WebhookTransport {
  const { proxy, resolve } = options;
  const client = openHttpClient({
    guard: policyGuard(openAddressPolicy(options)),
    proxy: proxy === undefined ? undefined : new URL(proxy),
    ...{ resolve, connections, connectMs, tunnelsAll: true },
  });
  // The client checks a URL once: the rules do not change.
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

/** Names the host and not the path: paths of webhooks are often secrets. */
function failureAt(url: URL, failure: HttpFailure, timeoutMs: number): InnsigliError {
  const { kind, message } = failure;
  if (kind === 'blocked') return blocked(url, message);
  const why = kind === 'late' ? `no response within ${timeoutMs} ms` : message;
  return new InnsigliError('network.failed', `${url.host}: ${why}`, { cause: failure });
}
