import type { Socket } from 'node:net';
import type { buildConnector, Dispatcher } from 'undici';
import type { WebhookTransport } from '../../app/ports/index.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import {
  type AddressPolicy,
  type AddressRules,
  findProxiedHostFault,
  findUrlFault,
  mayConnect,
  openAddressPolicy,
} from '../../base/network/address-policy.ts';
import { openTunnel, ProxyRefusal } from '../proxy-tunnel.ts';
import { guardedLookup, type ResolveName, resolveByHost } from './guarded-lookup.ts';

/** Where webhooks may be sent. */
export interface TransportOptions extends AddressRules {
  /** True when nothing may be contacted. */
  readonly offline: boolean;
  /** URL of an HTTP proxy that every request goes through; it looks names up itself. */
  readonly proxy?: string;
  /** Finds the addresses of a name; that of the operating system when left out. */
  readonly resolve?: ResolveName;
}

interface Agents {
  readonly 'http:': Dispatcher;
  readonly 'https:': Dispatcher;
}

type Request = Parameters<WebhookTransport['post']>[0];
type Answer = Awaited<ReturnType<WebhookTransport['post']>>;

/** Bytes of an answer that are kept, and that are read before the connection is cut. */
const headBytes = 1024;
const answerBytesMax = 64 * 1024;
/** The status counts; a body that does not come is not waited for. */
const answerBodyMs = 1000;
const connectionsMax = 64;
const keepAliveMs = 4000;
const connectMs = 10_000;
const knownUrlsMax = 1000;

/**
 * Posts to addresses that users chose, over connections that stay open. Redirections are not
 * followed. Behind a proxy only the proxy sees where a name leads, and has to keep inner networks
 * closed: what is refused here are addresses and names of them.
 *
 * @throws config.invalid when a network of the rules is none
 */
export function webhookTransport(options: TransportOptions): WebhookTransport {
  const policy = openAddressPolicy(options);
  const urls = new Map<string, URL>();
  let agents: Promise<Agents> | undefined;
  return {
    async post(request) {
      const url = urls.get(request.url) ?? requireUrl(request.url, policy, options.proxy);
      // Checked once: the rules do not change, and what a name leads to is checked when connecting.
      if (urls.size >= knownUrlsMax) urls.clear();
      urls.set(request.url, url);
      if (options.offline) {
        throw new InnsigliError('network.offline', `${url.host} is needed and --offline is set`);
      }
      agents ??= openAgents(policy, options);
      return exchange(url, request, (await agents)[url.protocol as keyof Agents]);
    },
    async close() {
      const open = await agents;
      agents = undefined;
      if (open !== undefined) await Promise.all([open['http:'].close(), open['https:'].close()]);
    },
  };
}

function requireUrl(text: string, policy: AddressPolicy, proxy: string | undefined): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) throw new InnsigliError('network.blocked', 'the address is not a URL');
  const mayBe = (address: string) => mayConnect(url.protocol, policy.kindOf(address));
  const fault =
    findUrlFault(url, policy) ??
    (proxy === undefined
      ? undefined
      : findProxiedHostFault(url.hostname, policy.allowsMore, mayBe));
  if (fault === undefined) return url;
  throw new InnsigliError('network.blocked', `${url.host} may not be contacted: ${fault}`);
}

async function openAgents(
  policy: AddressPolicy,
  { proxy, resolve = resolveByHost }: TransportOptions,
): Promise<Agents> {
  const { Agent } = await import('undici');
  const connectorOf = (protocol: keyof Agents) =>
    proxy === undefined
      ? { lookup: guardedLookup(policy, protocol, resolve), timeout: connectMs }
      : connectorThrough(new URL(proxy));
  const open = (protocol: keyof Agents) =>
    new Agent({
      connect: connectorOf(protocol),
      connections: connectionsMax,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      // One clock for the whole exchange: that of the request.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  return { 'http:': open('http:'), 'https:': open('https:') };
}

/** Gives the connections of an agent a way through the proxy. */
function connectorThrough(proxy: URL): buildConnector.connector {
  return ({ protocol, host }, connected) => {
    openTunnel({ proxy, url: new URL(`${protocol}//${host}`), timeoutMs: connectMs }).then(
      (socket) => connected(null, socket as Socket),
      (error: Error) => connected(error, null),
    );
  };
}

function isRefusal(error: unknown): error is ProxyRefusal {
  return error instanceof ProxyRefusal;
}

/**
 * One request and its answer. The status counts: whatever happens to the body of the answer, the
 * first bytes that came are given as text.
 */
function exchange(
  url: URL,
  { headers, body, timeoutMs }: Request,
  dispatcher: Dispatcher,
): Promise<Answer> {
  const { origin, pathname, search } = url;
  const order = { origin, path: pathname + search, method: 'POST', headers, body } as const;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let lengthBytes = 0;
    let begun: Omit<Answer, 'head'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    const end = (error?: unknown, isLate = false) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (begun === undefined) reject(failure(url, error, isLate ? timeoutMs : undefined));
      else resolve({ ...begun, head: Buffer.concat(parts).toString('utf8') });
    };
    const cut = () => {
      end(undefined, true);
      // A connection with bytes on it that nobody reads cannot be used again.
      controller?.abort(new Error('not waited for'));
    };
    let timer = setTimeout(cut, timeoutMs);
    dispatcher.dispatch(order, {
      onRequestStart(own) {
        controller = own;
        // It stood in line for longer than it may take.
        if (isOver) cut();
      },
      onResponseStart(_, status, answer) {
        if (status < 200) return;
        const retryAfter = answer['retry-after'];
        begun = { status, ...(typeof retryAfter === 'string' ? { retryAfter } : {}) };
        if (answer['content-length'] === '0') return end();
        clearTimeout(timer);
        timer = setTimeout(cut, answerBodyMs);
      },
      onResponseData(_, part) {
        if (lengthBytes < headBytes) parts.push(part.subarray(0, headBytes - lengthBytes));
        lengthBytes += part.length;
        if (lengthBytes > answerBytesMax) cut();
      },
      onResponseEnd: () => end(),
      onResponseError: (_, error) => end(error),
    });
  });
}

/** Names the host and not the path: paths of webhooks are often secrets. */
function failure(url: URL, error: unknown, timeoutMs: number | undefined): InnsigliError {
  const causes = [error, (error as Error | undefined)?.cause];
  const own = causes.find((each) => isInnsigliError(each));
  if (own !== undefined) return own;
  if (timeoutMs !== undefined) {
    return new InnsigliError('network.failed', `${url.host}: no answer in ${timeoutMs} ms`);
  }
  const code = (error as NodeJS.ErrnoException | undefined)?.code ?? 'the connection failed';
  const why = causes.find(isRefusal)?.message ?? code;
  return new InnsigliError('network.failed', `${url.host}: ${why}`, { cause: error });
}
