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

/** Options of a remote time-stamp authority. */
export interface HttpTimestampOptions {
  /** `http:` or `https:` URL. Credentials in it are used but never shown. */
  readonly url: string;
  /** Timeout of the whole exchange in milliseconds. Default: 10 000. */
  readonly timeoutMs?: number;
  /** User name for HTTP Basic authentication. Default: that of the URL, otherwise none. */
  readonly username?: string;
  /** Password of {@link username}. */
  readonly password?: string;
  /** Token for `Authorization: Bearer`. Default: none. */
  readonly bearer?: string;
  /** Additional request headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /** URL of an HTTP proxy. Default: none; environment variables are not used. */
  readonly proxy?: string;
  /** Whether every request is rejected. Default: false. */
  readonly offline?: boolean;
  /** PEM file of trusted TLS authorities. Default: the built-in ones. */
  readonly caFile?: string;
}

/** A {@link TimestampAuthority} with persistent connections until it is closed. */
export interface HttpTimestampAuthority extends TimestampAuthority {
  close(): void;
}

const optionNames = {
  ...{ url: 1, timeoutMs: 1, username: 1, password: 1, bearer: 1, headers: 1 },
  ...{ proxy: 1, offline: 1, caFile: 1 },
} as const;
const DEFAULT_TIMEOUT_MS = 10_000;
/** Far more than any token; a few KB are usual. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/**
 * Creates a client for an authority with RFC 3161 over HTTP. Connections are persistent; a request
 * is repeated once if the server has just closed its connection.
 *
 * @throws config.invalid if a URL is malformed, or credentials would be sent unencrypted
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

/** Rejects credentials over http, which the proxy and anyone on the path could read. */
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

/** Sends a request, and repeats it once if the connection was already closed. */
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

/** Content types are often incorrect; only text is certainly not a time-stamp. */
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
