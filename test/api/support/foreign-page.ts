import type { InjectOptions } from 'fastify';
import type { ApiApp } from '../../../src/api/index.ts';

/** A request of a page. */
export interface PageRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly payload?: InjectOptions['payload'];
}

/** The result for a page: a response with the exposed headers, or a network error. */
export type PageAnswer =
  | {
      readonly error?: undefined;
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: string;
      readonly preflight: boolean;
    }
  /** The server has executed the request if `sent`; the page learns nothing of it. */
  | { readonly error: string; readonly sent: boolean; readonly status?: number };

type Headers = Readonly<Record<string, unknown>>;

const safeTypes = ['application/x-www-form-urlencoded', 'multipart/form-data', 'text/plain'];
const safeHeaders = ['accept', 'accept-language', 'content-language'];
const safeAnswers = [
  ...['cache-control', 'content-language', 'content-length', 'content-type', 'expires'],
  ...['last-modified', 'pragma'],
];

/**
 * Does what a browser does for `fetch` of a page of `origin` in the mode `cors`, without cookies.
 *
 * @spec Fetch §4.8 (CORS-preflight fetch), §4.9 (CORS check), §2.2.2 and §2.2.6 (names)
 */
export async function fetchFrom(
  app: ApiApp,
  origin: string,
  { method, url, headers = {}, payload }: PageRequest,
): Promise<PageAnswer> {
  const given = new Map(Object.entries(headers).map(([name, value]) => [lower(name), value]));
  if (payload !== undefined && !given.has('content-type')) {
    given.set('content-type', typeof payload === 'string' ? 'text/plain' : 'application/json');
  }
  // The browser sets it itself.
  given.delete('content-length');
  const unsafe = [...given].filter(([name, value]) => !isSafe(name, value)).map(([name]) => name);
  const preflight = !['GET', 'HEAD', 'POST'].includes(method) || unsafe.length > 0;
  if (preflight) {
    const refused = await ask(app, origin, method, url, unsafe.sort());
    if (refused !== undefined) return { error: refused, sent: false };
  }
  const reply = await app.inject({
    ...{ method: method as 'GET', url, headers: { ...Object.fromEntries(given), origin } },
    ...(payload === undefined ? {} : { payload }),
  });
  const { statusCode: status } = reply;
  const failure = corsCheck(origin, reply.headers);
  if (failure !== undefined) return { error: failure, sent: true, status };
  const shown = [...safeAnswers, ...list(reply.headers['access-control-expose-headers'])];
  const seen = Object.entries(reply.headers).filter(([name]) => shown.includes(name));
  const seenHeaders = Object.fromEntries(seen.map(([name, value]) => [name, String(value)]));
  return { status, headers: seenHeaders, body: reply.body, preflight };
}

/** The CORS-preflight fetch. Undefined if the request may be sent. */
async function ask(
  app: ApiApp,
  origin: string,
  method: string,
  url: string,
  unsafe: readonly string[],
): Promise<string | undefined> {
  const reply = await app.inject({
    method: 'OPTIONS',
    url,
    headers: {
      ...{ accept: '*/*', origin, 'access-control-request-method': method },
      ...(unsafe.length === 0 ? {} : { 'access-control-request-headers': unsafe.join(',') }),
    },
  });
  const failure = corsCheck(origin, reply.headers);
  if (failure !== undefined) return `preflight: ${failure}`;
  const { statusCode } = reply;
  if (statusCode < 200 || statusCode > 299) return `preflight: status ${statusCode}`;
  // Methods are case-sensitive, header names are not; `*` does not cover these.
  const methods = String(reply.headers['access-control-allow-methods'] ?? '').split(/\s*,\s*/);
  if (!['GET', 'HEAD', 'POST', ...methods].includes(method)) return `preflight: method ${method}`;
  const names = list(reply.headers['access-control-allow-headers']);
  const missing = unsafe.find((name) => !names.includes(name));
  return missing === undefined ? undefined : `preflight: header ${missing}`;
}

function corsCheck(origin: string, headers: Headers): string | undefined {
  const allowed = headers['access-control-allow-origin'];
  if (allowed === undefined) return 'no Access-Control-Allow-Origin';
  return allowed === '*' || allowed === origin ? undefined : `for ${String(allowed)}`;
}

function isSafe(name: string, value: string): boolean {
  if (safeHeaders.includes(name)) return true;
  return name === 'content-type' && safeTypes.includes(lower(value.split(';', 1)[0] ?? '').trim());
}

function list(value: unknown): readonly string[] {
  return lower(String(value ?? '')).split(/\s*,\s*/);
}

function lower(text: string): string {
  return text.toLowerCase();
}
