import type { ClientRequest, IncomingMessage } from 'node:http';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { readable } from '../../base/taken.ts';
import type { TimestampAuthority } from '../../seal/ports.ts';
import { decodeUserInfo } from '../proxy-tunnel.ts';
import { readTextNow } from '../read-file.ts';
import { openTransport, type Transport } from './http-transport.ts';

/** A time-stamp authority somewhere else and how to get there. */
export interface HttpTimestampOptions {
  /** `http:` or `https:`; user and password in it are used and never shown. */
  readonly url: string;
  /** Milliseconds for the whole exchange. Default: 10 000. */
  readonly timeoutMs?: number;
  /** User of HTTP Basic authentication. Default: that of the address, else none. */
  readonly username?: string;
  /** Password of {@link username}. */
  readonly password?: string;
  /** Token for `Authorization: Bearer`. Default: none. */
  readonly bearer?: string;
  /** Further headers of each request. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URL of an HTTP proxy. Default: none; the environment is not read. */
  readonly proxy?: string;
  /** True refuses every request. Default: false. */
  readonly offline?: boolean;
  /** PEM file with authorities for TLS. Default: the built-in ones. */
  readonly caFile?: string;
}

/** A {@link TimestampAuthority} that keeps connections open until it is closed. */
export interface HttpTimestampAuthority extends TimestampAuthority {
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 10_000;
/** Far above any token; a few KB are usual. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * An authority that speaks RFC 3161 over HTTP. Connections stay open between requests; a request
 * that meets a connection which the other side just closed is sent once more.
 *
 * @throws config.invalid when an address is wrong, or credentials would travel in clear
 * @spec RFC 3161 §3.4
 * @example
 * const timestampAuthority = httpTimestampAuthority({ url: 'https://tsa.example/tsr' });
 */
export function httpTimestampAuthority(given: HttpTimestampOptions): HttpTimestampAuthority {
  const options = readable('options', given);
  const url = parseAddress(options.url, 'time-stamp authority');
  const proxy = options.proxy === undefined ? undefined : parseAddress(options.proxy, 'proxy');
  const name = `${url.protocol}//${url.host}${url.pathname}`;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, offline = false, caFile } = options;
  const headers = requestHeaders(options, url);
  if (headers['authorization'] !== undefined) requireSecret(name, url, proxy);
  let transport: Promise<Transport> | undefined;
  let closed = false;
  const open = async () => {
    const ca = caFile === undefined ? {} : { ca: readCaFile(caFile) };
    return openTransport({ url, timeoutMs, ...ca, ...(proxy === undefined ? {} : { proxy }) });
  };
  return {
    name,
    async timestamp(request) {
      if (offline) {
        throw new InnsigliError(
          'network.offline',
          `${name} is on the network, and that is forbidden`,
          {
            hint: 'leave out offline (--offline), or use the embedded authority',
          },
        );
      }
      if (closed) throw new InnsigliError('internal.unexpected', `${name} was closed`);
      transport ??= open();
      const answer = await send(await transport, request, headers, timeoutMs, name);
      return requireAnswer(answer, name);
    },
    close() {
      closed = true;
      void transport?.then(
        (opened) => opened.close(),
        () => undefined,
      );
    },
  };
}

/** What goes over http: is read by everybody on the way, and by the proxy. */
function requireSecret(name: string, url: URL, proxy: URL | undefined): void {
  if (url.protocol === 'https:') return;
  const isHere = isLoopbackHost(url.hostname) && isLoopbackHost((proxy ?? url).hostname);
  if (isHere) return;
  throw new InnsigliError(
    'config.invalid',
    `${name}: expected https: for credentials, found http:`,
    {
      hint: 'write https://, or leave out user and password of the time-stamp authority',
    },
  );
}

function parseAddress(text: string, what: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InnsigliError('config.invalid', `the address of the ${what} is not an http(s) URL`, {
    hint: 'write it like https://tsa.example/tsr',
  });
}

function readCaFile(path: string): string {
  try {
    return readTextNow(path);
  } catch (cause) {
    throw new InnsigliError(
      'config.invalid',
      `the file of TLS authorities ${path} cannot be read`,
      {
        cause,
      },
    );
  }
}

function requestHeaders(options: HttpTimestampOptions, url: URL): Record<string, string> {
  const username = options.username ?? decodeUserInfo(url.username);
  const password = options.password ?? decodeUserInfo(url.password);
  if (username.includes(':')) {
    throw new InnsigliError('config.invalid', 'a user name must not contain a colon (RFC 7617 §2)');
  }
  const headers: Record<string, string> = {
    'content-type': 'application/timestamp-query',
    accept: 'application/timestamp-reply',
    'user-agent': 'innsigli',
  };
  if (username !== '' || password !== '') {
    const pair = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
    headers['authorization'] = `Basic ${pair}`;
  }
  if (options.bearer !== undefined) headers['authorization'] = `Bearer ${options.bearer}`;
  for (const [name, value] of Object.entries(options.headers ?? {})) {
    headers[name.toLowerCase()] = value;
  }
  return headers;
}

interface Answer {
  readonly status: number;
  readonly contentType: string;
  readonly body: Uint8Array;
}

/** One exchange, and once more when the connection turned out to be closed already. */
async function send(
  transport: Transport,
  body: Uint8Array,
  headers: Record<string, string>,
  timeoutMs: number,
  name: string,
): Promise<Answer> {
  const deadline = performance.now() + timeoutMs;
  const first = await exchange(transport, body, headers, deadline);
  const last = first === 'stale' ? await exchange(transport, body, headers, deadline) : first;
  if (last === 'stale') {
    throw new InnsigliError('tsa.unreachable', `${name} closes every connection`);
  }
  if (last instanceof Error) throw describeFailure(last, name, timeoutMs);
  return last;
}

const TIMEOUT = 'TIMEOUT';
const TOO_LARGE = 'TOO_LARGE';

function exchange(
  transport: Transport,
  body: Uint8Array,
  headers: Record<string, string>,
  deadline: number,
): Promise<Answer | Error | 'stale'> {
  return new Promise((resolve) => {
    let request: ClientRequest;
    let answered = false;
    const receive = (response: IncomingMessage) => {
      answered = true;
      const parts: Uint8Array[] = [];
      let lengthBytes = 0;
      response.on('data', (part: Uint8Array) => {
        lengthBytes += part.length;
        if (lengthBytes > MAX_ANSWER_BYTES) request.destroy(new Error(TOO_LARGE));
        else parts.push(part);
      });
      response.on('error', finish);
      response.on('end', () => {
        const contentType = response.headers['content-type'] ?? '';
        finish({ status: response.statusCode ?? 0, contentType, body: Buffer.concat(parts) });
      });
    };
    const { options } = transport;
    const length = { 'content-length': String(body.length) };
    const all = { ...(options.headers as object), ...headers, ...length };
    try {
      request = transport.request({ ...options, method: 'POST', headers: all }, receive);
    } catch (error) {
      resolve(error as Error);
      return;
    }
    const left = Math.max(1, deadline - performance.now());
    const finish = (outcome: Answer | Error) => {
      clearTimeout(timer);
      resolve(outcome);
    };
    const timer = setTimeout(() => {
      // A request that has no connection yet would tell of its end only when it gets one.
      finish(new Error(TIMEOUT));
      request.destroy();
    }, left);
    request.on('error', (error: NodeJS.ErrnoException) => {
      const broken = error.code === 'ECONNRESET' || error.code === 'EPIPE';
      if (!broken || answered || !request.reusedSocket) return finish(error);
      clearTimeout(timer);
      resolve('stale');
    });
    request.end(body);
  });
}

function describeFailure(
  error: NodeJS.ErrnoException,
  name: string,
  timeoutMs: number,
): InnsigliError {
  if (isInnsigliError(error)) {
    return new InnsigliError(error.code, `${name}: ${error.message}`, {
      cause: error,
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    });
  }
  if (error.message === TIMEOUT) {
    return new InnsigliError('tsa.timeout', `${name} did not answer within ${timeoutMs} ms`, {
      hint: 'try again, allow more time, or use another time-stamp authority',
    });
  }
  if (error.message === TOO_LARGE) {
    return new InnsigliError('tsa.response.invalid', `${name}: the answer is larger than 1 MiB`);
  }
  if (error.code === 'ERR_INVALID_CHAR' || error.code === 'ERR_HTTP_INVALID_HEADER_VALUE') {
    return new InnsigliError('config.invalid', `${name}: a header for it has forbidden characters`);
  }
  const secure = /CERT|TLS|SSL|ALTNAME/.test(error.code ?? '');
  const hint = secure
    ? 'give the certificate of the TLS authority as a PEM file'
    : 'check the address, the network and the proxy';
  const reason = error.code ?? error.message;
  return new InnsigliError('tsa.unreachable', `${name} cannot be reached (${reason})`, {
    hint,
    cause: error,
  });
}

/** Content types are often wrong; only a page for people is surely no time-stamp. */
function requireAnswer(answer: Answer, name: string): Uint8Array {
  const { status, contentType, body } = answer;
  const details = { authority: name, httpStatus: status };
  if (status === 401 || status === 403 || status === 407) {
    const who = status === 407 ? 'the proxy on the way to ' : '';
    throw new InnsigliError(
      'tsa.credentials',
      `${who}${name} refused the credentials (${status})`,
      {
        details,
        hint: 'check user and password, or the token',
      },
    );
  }
  if (status !== 200) {
    const hint =
      status >= 300 && status < 400
        ? 'give the address that it redirects to'
        : 'try again later, or use another time-stamp authority';
    throw new InnsigliError('tsa.http.status', `${name} answered with HTTP status ${status}`, {
      details,
      hint,
    });
  }
  if (contentType.startsWith('text/') && body[0] !== 0x30) {
    const message = `${name} answered with ${contentType.slice(0, 80)}, not with a time-stamp`;
    throw new InnsigliError('tsa.response.invalid', message, {
      details,
      hint: 'check the address of the time-stamp authority',
    });
  }
  return body;
}
