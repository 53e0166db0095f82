import { InnsigliError } from '../../base/errors.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import { readableOptions } from '../../base/taken.ts';
import type { TimestampAuthority } from '../../seal/ports.ts';
import {
  decodeUserInfo,
  type HttpAnswer,
  type HttpClient,
  HttpFailure,
  openHttpClient,
  operatorGuard,
} from '../http/index.ts';
import { readTextNow } from '../read-file.ts';

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

const optionNames = {
  ...{ url: 1, timeoutMs: 1, username: 1, password: 1, bearer: 1, headers: 1 },
  ...{ proxy: 1, offline: 1, caFile: 1 },
} as const;
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
  const options = readableOptions('httpTimestampAuthority', given, optionNames);
  const url = parseAddress(options.url, 'time-stamp authority');
  const proxy = options.proxy === undefined ? undefined : parseAddress(options.proxy, 'proxy');
  const name = `${url.protocol}//${url.host}${url.pathname}`;
  const { timeoutMs = DEFAULT_TIMEOUT_MS, offline = false, caFile } = options;
  const headers = requestHeaders(options, url);
  if (headers['authorization'] !== undefined) requireSecret(name, url, proxy);
  let client: HttpClient | undefined;
  let closed = false;
  const open = () => {
    if (proxy?.protocol === 'https:' && url.protocol === 'http:') {
      const message = 'an https: proxy cannot be used with an http: authority';
      throw new InnsigliError('config.invalid', message, { hint: 'use an http: proxy' });
    }
    const ca = caFile === undefined ? undefined : readCaFile(caFile);
    return openHttpClient({ guard: operatorGuard, proxy, ca, connectMs: timeoutMs });
  };
  return {
    name,
    async timestamp(request) {
      if (offline) {
        const message = `${name} needs the network, which is not allowed`;
        const hint = 'run without --offline, or use the embedded authority';
        throw new InnsigliError('network.offline', message, { hint });
      }
      if (closed) throw new InnsigliError('internal.unexpected', `${name} was closed`);
      client ??= open();
      const answer = await send(client, { url, body: request, headers, timeoutMs }, name);
      return requireAnswer(answer, name);
    },
    close() {
      closed = true;
      client?.destroy();
    },
  };
}

/** Refuses credentials over http: everybody on the way and the proxy could read them. */
function requireSecret(name: string, url: URL, proxy: URL | undefined): void {
  if (url.protocol === 'https:') return;
  const isHere = isLoopbackHost(url.hostname) && isLoopbackHost((proxy ?? url).hostname);
  if (isHere) return;
  const message = `${name}: expected https: for credentials, found http:`;
  throw new InnsigliError('config.invalid', message, {
    hint: 'use https://, or omit user and password of the time-stamp authority',
  });
}

function parseAddress(text: string, what: string): URL {
  const url = isUrl(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InnsigliError('config.invalid', `the address of the ${what} is not an http(s) URL`, {
    hint: 'write it like https://tsa.example/tsr',
  });
}

function readCaFile(path: string): string {
  try {
    return readTextNow(path);
  } catch (cause) {
    const message = `the file of TLS authorities ${path} cannot be read`;
    throw new InnsigliError('config.invalid', message, { cause });
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

interface Question {
  readonly url: URL;
  readonly body: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

/** One exchange, and once more when the connection turned out to be closed already. */
async function send(client: HttpClient, question: Question, name: string): Promise<HttpAnswer> {
  const deadline = performance.now() + question.timeoutMs;
  const exchange = () => {
    const timeoutMs = Math.max(1, deadline - performance.now());
    return client.send({ ...question, method: 'POST', timeoutMs, keptBytes: MAX_ANSWER_BYTES });
  };
  const again = (error: unknown) => {
    const isStale = error instanceof HttpFailure && error.isReused && isBroken(error);
    return isStale ? exchange() : Promise.reject(error);
  };
  return exchange()
    .catch(again)
    .catch((error: unknown) => {
      throw error instanceof HttpFailure ? describeFailure(error, name, question.timeoutMs) : error;
    });
}

function isBroken({ code }: HttpFailure): boolean {
  return code === 'ECONNRESET' || code === 'EPIPE';
}

function describeFailure(failure: HttpFailure, name: string, timeoutMs: number): InnsigliError {
  const { kind, code = failure.message } = failure;
  switch (kind) {
    case 'blocked':
      return new InnsigliError('network.blocked', `${name} must not be contacted: ${code}`);
    case 'long': {
      const message = `${name}: the response is larger than 1 MiB`;
      return new InnsigliError('tsa.response.invalid', message);
    }
    case 'proxy':
      return proxyRefusal(failure, name);
    case 'late':
      return new InnsigliError('tsa.timeout', `${name} did not respond within ${timeoutMs} ms`, {
        hint: 'try again, allow more time, or use a different time-stamp authority',
      });
  }
  if (code === 'UND_ERR_INVALID_ARG') {
    return new InnsigliError('config.invalid', `${name}: a header for it has forbidden characters`);
  }
  const hint = /CERT|TLS|SSL|ALTNAME/.test(code)
    ? 'pass the certificate of the TLS authority as a PEM file'
    : 'check the address, the network and the proxy';
  const message = `${name} cannot be reached (${code})`;
  return new InnsigliError('tsa.unreachable', message, { hint, cause: failure });
}

function proxyRefusal({ status, message }: HttpFailure, name: string): InnsigliError {
  if (status !== 407) return new InnsigliError('tsa.unreachable', `${name}: ${message}`);
  const hint = 'check user and password of the proxy';
  return new InnsigliError('tsa.credentials', `${name}: ${message}`, { hint });
}

/** Content types are often wrong; only a page for people is surely no time-stamp. */
function requireAnswer({ status, headers, body }: HttpAnswer, name: string): Uint8Array {
  const contentType = String(headers['content-type'] ?? '');
  const details = { authority: name, httpStatus: status };
  if (status === 401 || status === 403 || status === 407) {
    const who = status === 407 ? 'the proxy to ' : '';
    const message = `${who}${name} refused the credentials (${status})`;
    throw new InnsigliError('tsa.credentials', message, {
      details,
      hint: 'check user and password, or the token',
    });
  }
  if (status !== 200) {
    const hint =
      status >= 300 && status < 400
        ? 'use the address it redirects to'
        : 'try again later, or use a different time-stamp authority';
    throw new InnsigliError('tsa.http.status', `${name} returned HTTP status ${status}`, {
      details,
      hint,
    });
  }
  if (contentType.startsWith('text/') && body[0] !== 0x30) {
    const message = `${name} returned ${contentType.slice(0, 80)}, not a time-stamp`;
    throw new InnsigliError('tsa.response.invalid', message, {
      details,
      hint: 'check the address of the time-stamp authority',
    });
  }
  return body;
}
