import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import {
  answerTimestampRequest,
  type HttpTimestampAuthority,
  type HttpTimestampOptions,
  httpTimestampAuthority,
} from '../../../src/adapters/tsa/index.ts';
import { InnsigliError, isInnsigliError } from '../../../src/base/errors.ts';
import { buildTimestampRequest, requireToken } from '../../../src/formats/tsp/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { pem } from '../../support/openssl.ts';
import { makeTestPki } from '../../support/pki.ts';
import { issuerOf } from '../../support/tsa.ts';
import {
  bodyOf,
  type LoopbackServer,
  serveHttp,
  serveHttps,
  serveProxy,
  serveSilence,
} from '../../support/tsa-http.ts';

// TLS uses the real clock.
const pki = makeTestPki({ nowMs: Date.now() });
const issuer = issuerOf(pki, pki.member('tsa'));
const request = buildTimestampRequest({ digest: 'sha256', imprint: new Uint8Array(32) });
const folder = newTemporaryFolder('tsa');
const caFile = join(folder, 'root.pem');
writeFileSync(caFile, pem('CERTIFICATE', pki.member('root').der));

const open: (LoopbackServer | HttpTimestampAuthority)[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function serve(handler: RequestListener): Promise<LoopbackServer> {
  const server = await serveHttp(handler);
  open.push(server);
  return server;
}

function authorityAt(url: string, more: Partial<HttpTimestampOptions> = {}) {
  const authority = httpTimestampAuthority({ url, timeoutMs: 2_000, ...more });
  open.push(authority);
  return authority;
}

async function failureOf(promise: Promise<unknown>): Promise<InnsigliError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isInnsigliError(error)) throw new Error(`a InnsigliError expected, found ${String(error)}`);
  return error;
}

const honest: RequestListener = async (incoming, outgoing) => {
  const answer = answerTimestampRequest(await bodyOf(incoming), issuer);
  outgoing.writeHead(200, { 'content-type': 'application/timestamp-reply' }).end(answer);
};

describe('a time-stamp request', () => {
  test('is posted with its media types over one connection', async () => {
    const seen: unknown[] = [];
    const ports = new Set<number | undefined>();
    const { url } = await serve((incoming, outgoing) => {
      const { 'content-type': type, accept, host, authorization } = incoming.headers;
      seen.push([incoming.method, incoming.url, type, accept, host, authorization]);
      ports.add(incoming.socket.remotePort);
      void honest(incoming, outgoing);
    });
    const authority = authorityAt(`${url}/tsr?key=secret`);
    for (let i = 0; i < 3; i++) requireToken(await authority.timestamp(request), authority.name);
    expect(seen[0]).toEqual([
      'POST',
      '/tsr?key=secret',
      'application/timestamp-query',
      'application/timestamp-reply',
      url.slice('http://'.length),
      undefined,
    ]);
    expect(seen).toHaveLength(3);
    expect(ports.size).toBe(1);
    expect(authority.name).toBe(`${url}/tsr`);
  });

  test.each<[string, Partial<HttpTimestampOptions>, string, string]>([
    ['user and password', { username: 'ég', password: 'p:w' }, '', 'Basic w6lnOnA6dw=='],
    ['a URL with both', {}, 'user:p%40ss@', 'Basic dXNlcjpwQHNz'],
    ['a token', { bearer: 'abc.def' }, '', 'Bearer abc.def'],
    ['a custom header', { headers: { Authorization: 'Custom 1' } }, '', 'Custom 1'],
  ])(
    'sends credentials given as %s, which no message contains',
    async (_, options, inUrl, expected) => {
      let seen: string | undefined;
      const { url } = await serve((incoming, outgoing) => {
        seen = incoming.headers.authorization;
        outgoing.writeHead(401).end();
      });
      const authority = authorityAt(url.replace('http://', `http://${inUrl}`), options);
      const failure = await failureOf(authority.timestamp(request));
      expect(seen).toBe(expected);
      expect(failure.code).toBe('tsa.credentials');
      const told = JSON.stringify([failure.message, failure.details, failure.hint, authority.name]);
      for (const secret of ['p:w', 'p@ss', 'p%40ss', 'abc.def', 'Custom']) {
        expect(told).not.toContain(secret);
      }
    },
  );

  test('is repeated if the connection was closed meanwhile', async () => {
    let count = 0;
    const { url } = await serve((incoming, outgoing) => {
      count++;
      // The connection of the second request is closed under it.
      if (count === 2) incoming.socket.destroy();
      else void honest(incoming, outgoing);
    });
    const authority = authorityAt(url);
    await authority.timestamp(request);
    requireToken(await authority.timestamp(request), 'x');
    expect(count).toBe(3);
  });

  test('is not repeated if a new connection breaks', async () => {
    let count = 0;
    const { url } = await serve((incoming) => {
      count++;
      incoming.socket.destroy();
    });
    const failure = await failureOf(authorityAt(url).timestamp(request));
    expect(failure.code).toBe('tsa.unreachable');
    expect(count).toBe(1);
  });

  test('is not sent when offline or after closing', async () => {
    let count = 0;
    const { url } = await serve(() => count++);
    const failure = await failureOf(authorityAt(url, { offline: true }).timestamp(request));
    expect(failure.code).toBe('network.offline');
    const closed = authorityAt(url);
    closed.close();
    expect((await failureOf(closed.timestamp(request))).code).toBe('internal.unexpected');
    expect(count).toBe(0);
  });
});

describe('a time-stamp response', () => {
  const respond =
    (
      status: number,
      headers: Record<string, string>,
      body: string | Uint8Array = '',
    ): RequestListener =>
    (_, outgoing) => {
      outgoing.writeHead(status, headers).end(body);
    };
  const drip: RequestListener = (_, outgoing) => {
    outgoing.writeHead(200, { 'content-type': 'application/timestamp-reply' });
    const timer = setInterval(() => outgoing.write(Uint8Array.of(0x30)), 20);
    outgoing.once('close', () => clearInterval(timer));
  };
  const flood: RequestListener = (_, outgoing) => {
    outgoing.writeHead(200).end(Buffer.alloc(1024 * 1024 + 1, 0x30));
  };
  const breakOff: RequestListener = (_, outgoing) => {
    outgoing.writeHead(200, { 'content-length': '100' });
    outgoing.write('0', () => outgoing.destroy());
  };
  const html = { 'content-type': 'text/html; charset=utf-8' };

  test.each<[string, RequestListener, string]>([
    ['status 500', respond(500, {}), 'tsa.http.status'],
    ['status 404', respond(404, html, '<html>'), 'tsa.http.status'],
    ['status 301', respond(301, { location: 'http://127.0.0.1:1/' }), 'tsa.http.status'],
    ['status 401', respond(401, {}), 'tsa.credentials'],
    ['status 403', respond(403, {}), 'tsa.credentials'],
    ['status 407', respond(407, {}), 'tsa.credentials'],
    ['an HTML page', respond(200, html, '<html>'), 'tsa.response.invalid'],
    ['more than a megabyte', flood, 'tsa.response.invalid'],
    ['a broken connection', breakOff, 'tsa.unreachable'],
    ['a response that never comes', () => undefined, 'tsa.timeout'],
    ['one byte at a time', drip, 'tsa.timeout'],
  ])('fails for %s', async (_, handler, code) => {
    const { url } = await serve(handler);
    const started = performance.now();
    const authority = authorityAt(url, { timeoutMs: 300 });
    const failure = await failureOf(authority.timestamp(request));
    expect(failure.code).toBe(code);
    expect(failure.message).toContain(authority.name);
    expect(performance.now() - started).toBeLessThan(2_000);
  });

  test.each([
    ['none', {}],
    ['a binary one', { 'content-type': 'application/octet-stream' }],
    ['an incorrect one', { 'content-type': 'text/plain' }],
  ])('is accepted whatever its media type: %s', async (_, headers) => {
    const body = answerTimestampRequest(request, issuer);
    const { url } = await serve(respond(200, headers as Record<string, string>, body));
    const answer = await authorityAt(url).timestamp(request);
    expect(Buffer.from(answer).equals(body)).toBe(true);
  });

  test('is missing if the connection is refused', async () => {
    const server = await serveHttp(honest);
    await server.close();
    const failure = await failureOf(authorityAt(server.url).timestamp(request));
    expect(failure.code).toBe('tsa.unreachable');
    expect(failure.message).toContain('ECONNREFUSED');
  });
});

describe('TLS to a time-stamp authority', () => {
  async function serveSecure(): Promise<string> {
    const server = await serveHttps(pki, honest);
    open.push(server);
    return server.url;
  }

  test('is verified against the given CA file', async () => {
    const url = await serveSecure();
    requireToken(await authorityAt(url, { caFile }).timestamp(request), 'x');
    const failure = await failureOf(authorityAt(url).timestamp(request));
    expect(failure.code).toBe('tsa.unreachable');
    expect(failure.hint).toMatch(/TLS/);
  });

  test('works through a proxy, with and without credentials', async () => {
    const url = await serveSecure();
    const target = url.slice('https://'.length);
    const proxy = await serveProxy('user:pass');
    open.push(proxy);
    const withUser = proxy.url.replace('http://', 'http://user:pass@');
    const authority = authorityAt(url, { caFile, proxy: withUser });
    for (let i = 0; i < 2; i++) requireToken(await authority.timestamp(request), 'x');
    expect(proxy.asked).toEqual([`CONNECT ${target}`]);
    const failure = await failureOf(
      authorityAt(url, { caFile, proxy: proxy.url }).timestamp(request),
    );
    expect(failure.code).toBe('tsa.credentials');
    expect(failure.message).toMatch(/proxy/);
  });

  test('does not wait for a proxy that is silent, unreachable or not a proxy', async () => {
    const url = await serveSecure();
    const silent = await serveSilence();
    const server = await serve(() => undefined);
    open.push(silent);
    const codes: Record<string, string> = {};
    for (const proxy of ['http://127.0.0.1:1', silent.url, server.url]) {
      const authority = authorityAt(url, { caFile, proxy, timeoutMs: 200 });
      codes[proxy] = (await failureOf(authority.timestamp(request))).code;
    }
    expect(Object.values(codes)).toEqual(['tsa.unreachable', 'tsa.timeout', 'tsa.unreachable']);
  });

  test('does not wait for a silent handshake', async () => {
    const silent = await serveSilence();
    open.push(silent);
    const url = silent.url.replace('http:', 'https:');
    const failure = await failureOf(authorityAt(url, { timeoutMs: 200 }).timestamp(request));
    expect(failure.code).toBe('tsa.timeout');
  });
});

test('plain requests work through a proxy', async () => {
  const { url } = await serve(honest);
  const proxy = await serveProxy('a:b');
  open.push(proxy);
  const authority = authorityAt(`${url}/tsr`, { proxy: proxy.url.replace('//', '//a:b@') });
  requireToken(await authority.timestamp(request), 'x');
  expect(proxy.asked).toEqual([`POST ${url}/tsr`]);
  const failure = await failureOf(authorityAt(url, { proxy: proxy.url }).timestamp(request));
  expect(failure.code).toBe('tsa.credentials');
});

test.each<[string, Partial<HttpTimestampOptions>]>([
  ['no URL', { url: 'tsa.example' }],
  ['another scheme', { url: 'ftp://tsa.example' }],
  ['an invalid proxy', { url: 'http://tsa.example', proxy: 'proxy:3128:1' }],
])('%s is rejected as an invalid configuration', (_, options) => {
  expect(() => httpTimestampAuthority({ url: '', ...options })).toThrow(InnsigliError);
});

test.each<[string, Partial<HttpTimestampOptions>]>([
  ['a token with a line break', { bearer: 'a\nb' }],
  ['a missing CA file', { caFile: join(folder, 'nothing.pem') }],
])('%s is rejected as an invalid configuration at the first request', async (_, options) => {
  const failure = await failureOf(authorityAt('http://127.0.0.1:1', options).timestamp(request));
  expect(failure.code).toBe('config.invalid');
});
