import type { Dispatcher } from 'undici';
import { systemCode } from '../../base/os-errors.ts';
import { type ConnectOptions, openConnector, openProxyConnector } from './connect.ts';
import { HttpFailure, proxyFailure } from './failure.ts';
import { bareUrl, proxyHeaders } from './tunnel.ts';

/** Options of a client: guard, proxy and limits. */
export interface ClientOptions extends Omit<ConnectOptions, 'timeoutMs'> {
  /** Timeout for opening a connection, including name resolution and TLS. */
  readonly connectMs: number;
  /** Maximum number of connections to one origin. Default: 16. */
  readonly connections?: number;
  /** Whether plain http also uses CONNECT through the proxy, so that connections stay open. */
  readonly tunnelsAll?: boolean;
}

/** One request. */
export interface HttpRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  /** Time limit in milliseconds, from waiting for a connection to the last byte. */
  readonly timeoutMs: number;
  /** Maximum length of the body. A longer one is a failure or, with `statusCounts`, truncated. */
  readonly keptBytes: number;
  /** If set, the status is returned even if the body fails, with the part of the body received. */
  readonly statusCounts?: {
    /** Bytes that are read before the connection is closed. */
    readonly readBytes: number;
    /** Time to wait for the body, in milliseconds. Default: the rest of the time limit. */
    readonly bodyMs?: number;
  };
}

/** A response, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends requests over persistent connections. Redirects are not followed. */
export interface HttpClient {
  /** The reason why `url` must not be contacted; undefined if it may be. A URL is checked once. */
  findFault(url: URL): string | undefined;
  /**
   * @throws HttpFailure, config.invalid if user or password of the proxy is malformed, or the
   *   client certificate is unusable
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Resolves once pending requests have finished. */
  close(): Promise<void>;
  /** Aborts pending requests. */
  destroy(): void;
}

interface Line {
  readonly dispatcher: Dispatcher;
  /** Connection attempts, and errors of failed ones: a request failing with one was not sent. */
  readonly made: { count: number; readonly failures: WeakSet<Error> };
}

const KEEP_ALIVE_MS = 4000;

/**
 * Creates a client for the origins that the guard permits. A name is resolved once per connection,
 * which is opened to one of the addresses checked. With a proxy, the proxy resolves names.
 */
export function openHttpClient(options: ClientOptions): HttpClient {
  const { guard, proxy, tunnelsAll = false } = options;
  const checked = new WeakSet<URL>();
  let straight: Promise<Line> | undefined;
  let toProxy: Promise<Line> | undefined;
  const each = (act: (line: Line) => unknown) => {
    const lines = [straight, toProxy];
    straight = undefined;
    toProxy = undefined;
    return Promise.all(lines.map((line) => line?.then(act, () => undefined)));
  };
  const findFault = (url: URL) => {
    // Checked once: the rules do not change, and resolved addresses are checked on connecting.
    const fault = checked.has(url) ? undefined : guard.findFault(url, proxy !== undefined);
    if (fault === undefined) checked.add(url);
    return fault;
  };
  return {
    findFault,
    async send(request) {
      const { url } = request;
      const fault = findFault(url);
      if (fault !== undefined) throw new HttpFailure('blocked', fault);
      const isPlain = proxy?.protocol === 'http:' && url.protocol === 'http:' && !tunnelsAll;
      if (proxy === undefined || !isPlain) {
        straight ??= openLine(options, openConnector);
        return exchange(await straight, request, { path: url.pathname + url.search, from: url });
      }
      toProxy ??= openLine(options, openProxyConnector);
      const headers = { host: url.host, ...request.headers, ...proxyHeaders(proxy) };
      const place = { path: bareUrl(url), from: proxy };
      const answer = await exchange(await toProxy, { ...request, headers }, place);
      if (answer.status === 407) throw proxyFailure(407);
      return answer;
    },
    close: async () => void (await each(({ dispatcher }) => dispatcher.close())),
    destroy: () => void each(({ dispatcher }) => dispatcher.destroy()),
  };
}

async function openLine(
  { connectMs, connections = 16, ...options }: ClientOptions,
  open: typeof openConnector,
): Promise<Line> {
  const [{ default: Agent }, connect] = await Promise.all([
    import('undici/lib/dispatcher/agent.js'),
    open({ ...options, timeoutMs: connectMs }),
  ]);
  const made: Line['made'] = { count: 0, failures: new WeakSet() };
  const dispatcher = new Agent({
    connect: (place, connected) =>
      connect(place, (...[error, socket]) => {
        made.count++;
        if (error === null) return connected(null, socket);
        made.failures.add(error);
        connected(error, null);
      }),
    connections,
    pipelining: 1,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // The time limit of the request covers the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { dispatcher, made };
}

function exchange(
  { dispatcher, made }: Line,
  { method, headers, body, timeoutMs, keptBytes, statusCounts }: HttpRequest,
  { path, from }: { readonly path: string; readonly from: URL },
): Promise<HttpAnswer> {
  // Some servers and firewalls reject requests without it (RFC 9110 §10.1.5).
  const named = { 'user-agent': 'innsigli', ...headers };
  const order = { origin: from.origin, path, method, headers: named, body: body ?? null } as const;
  const madeBefore = made.count;
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let lengthBytes = 0;
    let begun: Omit<HttpAnswer, 'body'> | undefined;
    let controller: Dispatcher.DispatchController | undefined;
    let isOver = false;
    const end = (error?: Error) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (begun !== undefined && (error === undefined || statusCounts !== undefined)) {
        return resolve({ ...begun, body: Buffer.concat(parts) });
      }
      const isUnsent = error !== undefined && made.failures.has(error);
      const isReused = begun === undefined && !isUnsent && made.count === madeBefore;
      reject(failureOf(error, { isUnsent, isReused }));
    };
    const cut = (failure: HttpFailure) => {
      end(failure);
      // A connection with an unread response cannot be reused.
      controller?.abort(failure);
    };
    const late = () => cut(new HttpFailure('late', `no response within ${timeoutMs} ms`));
    let timer = setTimeout(late, timeoutMs);
    dispatcher.dispatch(order, {
      onRequestStart(own) {
        controller = own;
        // The time limit expired while the request was queued.
        if (isOver) late();
      },
      onResponseStart(_, status, answer) {
        if (status < 200) return;
        begun = { status, headers: answer };
        if (statusCounts === undefined) return;
        if (answer['content-length'] === '0') return end();
        if (statusCounts.bodyMs === undefined) return;
        clearTimeout(timer);
        timer = setTimeout(late, statusCounts.bodyMs);
      },
      onResponseData(_, part) {
        if (lengthBytes < keptBytes) parts.push(part.subarray(0, keptBytes - lengthBytes));
        lengthBytes += part.length;
        if (lengthBytes > (statusCounts?.readBytes ?? keptBytes)) {
          cut(new HttpFailure('long', `the response is longer than ${keptBytes} bytes`));
        }
      },
      onResponseEnd() {
        if (statusCounts !== undefined) return end();
        // undici frees the connection for the next request in the following turn of the event loop.
        queueMicrotask(() => setImmediate(end));
      },
      onResponseError: (_, error) => end(error),
    });
  });
}

/** System error codes for undici codes of the same meaning. */
const systemCodes: Readonly<Record<string, string>> = {
  UND_ERR_SOCKET: 'ECONNRESET',
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
};

function failureOf(
  error: Error | undefined,
  facts: { readonly isUnsent: boolean; readonly isReused: boolean },
): Error {
  const causes = [error, error?.cause];
  const own = causes.find((each) => each instanceof HttpFailure);
  if (own !== undefined) return own;
  const given = systemCode(error);
  const code = systemCodes[given ?? ''] ?? given;
  const known = code === undefined ? {} : { code };
  return new HttpFailure('connection', code ?? 'the connection failed', {
    ...facts,
    ...known,
    cause: error,
  });
}
