import type { Dispatcher } from 'undici';
import { systemCode } from '../../base/os-errors.ts';
import { type ConnectOptions, openConnector, openProxyConnector } from './connect.ts';
import { HttpFailure, proxyFailure } from './failure.ts';
import { bareUrl, proxyHeaders } from './tunnel.ts';

/** Options of a client: addresses, proxy and limits. */
export interface ClientOptions extends Omit<ConnectOptions, 'timeoutMs'> {
  /** For one connection, with look-up and TLS. */
  readonly connectMs: number;
  /** Connections to one place; 16 when left out. */
  readonly connections?: number;
  /** True has plain http, too, go through the proxy by CONNECT, so that connections stay open. */
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
  /** Bytes of the answer that are kept: a longer one is a failure, unless the status counts. */
  readonly keptBytes: number;
  /** Given when the status counts even if the body fails: the part received is kept. */
  readonly statusCounts?: {
    /** Bytes that are read before the connection is cut. */
    readonly readBytes: number;
    /** Milliseconds that the body is waited for; all of the time when left out. */
    readonly bodyMs?: number;
  };
}

/** An answer, whatever its status. */
export interface HttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Sends requests over connections that stay open. It follows no redirection. */
export interface HttpClient {
  /** The reason for sending nothing to `url`, or undefined; a URL is checked once. */
  findFault(url: URL): string | undefined;
  /**
   * @throws HttpFailure, config.invalid when user or password of the proxy cannot be read, or the
   *   client certificate cannot be used
   */
  send(request: HttpRequest): Promise<HttpAnswer>;
  /** Ends when the requests under way have ended. */
  close(): Promise<void>;
  /** Cuts what is under way. */
  destroy(): void;
}

interface Line {
  readonly dispatcher: Dispatcher;
  /**
   * Attempts to connect, failed ones included: a request that failed in one of them was not sent.
   */
  readonly made: { count: number; readonly failures: WeakSet<Error> };
}

const KEEP_ALIVE_MS = 4000;

/**
 * A client for places that the guard lets pass. A name is looked up once for a connection, and the
 * connection goes to an address that was checked; behind a proxy the proxy looks names up.
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
    // The rules do not change, and what a name leads to is checked when connecting.
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
    // One clock for the whole exchange: that of the request.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { dispatcher, made };
}

/** One request and its answer. */
function exchange(
  { dispatcher, made }: Line,
  { method, headers, body, timeoutMs, keptBytes, statusCounts }: HttpRequest,
  { path, from }: { readonly path: string; readonly from: URL },
): Promise<HttpAnswer> {
  const order = { origin: from.origin, path, method, headers, body: body ?? null } as const;
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
      // A connection with bytes on it that nobody reads cannot be used again.
      controller?.abort(failure);
    };
    const late = () => cut(new HttpFailure('late', `no response within ${timeoutMs} ms`));
    let timer = setTimeout(late, timeoutMs);
    dispatcher.dispatch(order, {
      onRequestStart(own) {
        controller = own;
        // It stood in line for longer than it may take.
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
        // undici frees the connection for the next request in the turn after this one.
        queueMicrotask(() => setImmediate(end));
      },
      onResponseError: (_, error) => end(error),
    });
  });
}

/** Codes of undici for what the system calls by another name. */
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
