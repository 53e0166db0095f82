import { type AddressInfo, connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../api/support/open-api.ts';

let api: TestApi;
let port: number;
beforeAll(async () => {
  api = await openTestApi({ patience: { headersMs: 1000, requestMs: 1500 } });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  port = (api.app.server.address() as AddressInfo).port;
}, 60_000);
afterAll(() => api.close());

/** Everything received until the other side closes, or is silent for a while. */
const say = (text: string): Promise<string> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text, 'latin1'));
    let answer = '';
    const end = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(2500, end);
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1');
    });
    socket.on('error', end);
    socket.on('close', end);
  });
const statusesOf = (answer: string) =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d+) /gm)].map(([, status]) => Number(status));

const hidden = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';

describe('request smuggling', () => {
  test.each([
    [
      'Content-Length and Transfer-Encoding',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'two Content-Length headers',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nContent-Length: 36\r\n\r\n',
    ],
    ['a signed Content-Length', 'POST /tsa HTTP/1.1\r\nHost: a\r\nContent-Length: +0\r\n\r\n'],
    [
      'a hexadecimal Content-Length',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nContent-Length: 0x0\r\n\r\n',
    ],
    [
      'a folded header',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nTransfer-Encoding:\r\n chunked\r\nX: y\r\n\r\n0\r\n\r\n',
    ],
    [
      'a space before the colon',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a Transfer-Encoding not ending in chunked',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n',
    ],
    [
      'an obfuscated Transfer-Encoding',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    ],
    [
      'a chunk with a malformed end',
      'POST /tsa HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nAB\r\n0\r\n\r\n',
    ],
    ['lines without CR', 'GET /none HTTP/1.1\nHost: a\nContent-Length: 0\n\n'],
    ['a bare CR in a header', 'GET /none HTTP/1.1\r\nHost: a\r\nX: a\rContent-Length: 5\r\n\r\n'],
    ['no Host header', 'GET /none HTTP/1.1\r\n\r\n'],
  ])('%s: the smuggled request is not answered', async (_what, text) => {
    const answer = await say(text + hidden);
    expect(statusesOf(answer).filter((status) => status === 200)).toEqual([]);
    expect(statusesOf(answer).length).toBeLessThan(2);
  });

  test('a body that is not read is not taken for the next request', async () => {
    const answer = await say(
      `POST /none HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    );
    expect(statusesOf(answer).filter((status) => status === 200)).toEqual([]);
  });
});

describe('invalid requests on a connection', () => {
  const flows = () =>
    `GET /api/management/flow HTTP/1.1\r\nHost: a\r\nAuthorization: ${api.basic}\r\n\r\n`;
  const chunked = 'POST /tsa HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
  test.each([
    ['text that is not HTTP', 1, 'no HTTP\r\n\r\n', 400],
    ['text that is not HTTP', 3, 'no HTTP\r\n\r\n', 400],
    ['a body with a malformed chunk', 1, `${chunked}1\r\nAB\r\n`, 400],
    ['a body with a malformed chunk', 0, `${chunked}1\r\nAB\r\n`, 400],
    ['oversized headers', 2, `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['endless headers', 1, 'GET / HTTP/1.1\r\nX: ', 408],
  ])('%s, after %i valid requests: is answered after them', async (_what, count, text, status) => {
    const answer = await say(flows().repeat(count) + text);
    // A response starts where the previous body ends.
    const found = [...answer.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, each]) => Number(each));
    expect(found).toEqual([...Array.from({ length: count }, () => 200), status]);
  });
});

describe('invalid targets and methods', () => {
  test.each([
    ['a null octet in a key', '/api/pdf/%00/a.pdf', [404]],
    ['a null octet at the end', '/healthz%00', [404]],
    ['a malformed escape', '/%zz', [400]],
    ['invalid UTF-8', '/%c3%28', [400]],
    ['a bare null octet', '/healthz\0', [400]],
    ['a path traversal', '/../../etc/passwd', [404]],
    ['a path traversal below a prefix', '/api/../metrics', [404]],
    ['a long path', `/${'a'.repeat(5000)}`, [400, 404]],
    ['a long key', `/api/management/flow/${'a'.repeat(3000)}`, [400, 401]],
    ['an absolute URL', 'http://evil.example/metrics', [400, 401, 404]],
    ['an asterisk', '*', [400, 404]],
  ])('GET of %s', async (_what, path, statuses) => {
    const answer = await say(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    expect(statuses).toContain(statusesOf(answer)[0]);
    expect(answer).toContain('"errorCode"');
    expect(answer).not.toMatch(/node_modules|FST_|stack|at Object/);
    expect(answer.toLowerCase()).toContain('x-content-type-options: nosniff');
  });

  test.each([
    ['http://evil.example/healthz', '/healthz'],
    ['HTTPS://127.0.0.1:8443/healthz?a=b', '/healthz'],
    ['http://evil.example//healthz', '/healthz'],
    ['http://evil.example', '/'],
    ['http://evil.example?a=b', '/'],
    ['ftp://evil.example/healthz', '/none'],
    ['/http://evil.example/healthz', '/none'],
  ])('the absolute target %s is treated as %s', async (target, path) => {
    const get = (of: string) => say(`GET ${of} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const body = async (of: string) => (await get(of)).split('\r\n\r\n')[1];
    expect(await body(target)).toBe(await body(path));
    expect(await body('/healthz')).not.toBe(await body('/none'));
  });

  test.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])(
    '%s is answered with 405 and Allow',
    async (method) => {
      const answer = await say(
        `${method} /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      expect(statusesOf(answer)).toEqual([405]);
      expect(answer).toMatch(/^allow: GET, HEAD\r$/im);
      expect(answer).toContain('"errorCode":"request.method.unsupported"');
    },
  );

  test('CONNECT is rejected', async () => {
    const answer = await say('CONNECT 127.0.0.1:22 HTTP/1.1\r\nHost: 127.0.0.1:22\r\n\r\n');
    expect(statusesOf(answer).filter((status) => status < 400)).toEqual([]);
  });

  test.each([
    'X-HTTP-Method-Override: DELETE',
    'X-HTTP-Method: DELETE',
    'X-Method-Override: DELETE',
    'X-Original-URL: /metrics',
    'X-Rewrite-URL: /metrics',
  ])('%s has no effect', async (header) => {
    const path = '/healthz?_method=DELETE';
    const head = `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${header}\r\n\r\n`;
    const answer = await say(head);
    expect(statusesOf(answer)).toEqual([200]);
    expect(answer).toContain('{"ok":true}');
  });

  test('an upgrade to another protocol is rejected', async () => {
    const answer = await say(
      'GET /metrics HTTP/1.1\r\nHost: evil.example\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n',
    );
    expect(statusesOf(answer).filter((status) => status < 400)).toEqual([]);
  });
});

describe('host headers', () => {
  test.each([
    'evil.example',
    'evil.example:80',
    '127.0.0.1@evil.example',
    'localhost.evil.example',
  ])('Host: %s does not open metrics, and is not echoed', async (host) => {
    const head = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    const answer = await say(head);
    expect(statusesOf(answer)).toEqual([401]);
    expect(answer).not.toContain('evil');
  });

  test('links in responses use the configured host', async () => {
    const { frontEnd } = api.toolkit;
    const made = await api.app.inject({
      url: '/api/management/signing/example',
      headers: {
        authorization: api.basic,
        host: 'evil.example',
        'x-forwarded-host': 'evil.example',
      },
    });
    expect(made.body).not.toContain('evil.example');
    expect(frontEnd).not.toContain('evil');
  });
});

describe('X-Request-Id', () => {
  const idOf = async (given: string) => {
    const head = `GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: ${given}\r\n\r\n`;
    return /^x-request-id: (.*)\r$/im.exec(await say(head))?.[1];
  };
  test('of a client is kept if it is harmless, and replaced otherwise', async () => {
    expect(await idOf('order-7:a.b_C')).toBe('order-7:a.b_C');
    for (const given of ['', 'a b', 'x'.repeat(65), '{"a":1}', '<script>', '%24{jndi}']) {
      expect(await idOf(given)).toMatch(/^[0-9a-f]{24}$/);
    }
  });
});
