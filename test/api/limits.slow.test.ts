import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { isFromHere } from '../../src/api/plugins/access/client-address.ts';
import { openRateLimit } from '../../src/api/plugins/access/rate-limit.ts';
import { requireJsonWithinLimits } from '../../src/api/plugins/bodies/json-text.ts';
import { limits } from '../../src/base/limits.ts';
import { clientNetworks } from '../../src/base/network/ip-address.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';

const elsewhere = '203.0.113.7';

describe('the rate limiter', () => {
  const passed = (limit: ReturnType<typeof openRateLimit>, key: string, nowMs: number) => {
    try {
      limit.take(key, nowMs);
      return true;
    } catch {
      return false;
    }
  };
  const countOf = (limit: ReturnType<typeof openRateLimit>, key: string, nowMs: number) => {
    let count = 0;
    while (count < 10_000 && passed(limit, key, nowMs)) count += 1;
    return count;
  };

  test("allows a burst of ten seconds' worth, and refills", () => {
    const limit = openRateLimit(5);
    expect(countOf(limit, 'a', 0)).toBe(50);
    expect(countOf(limit, 'b', 0)).toBe(50);
    expect(countOf(limit, 'a', 1000)).toBe(5);
    expect(countOf(limit, 'a', 3_600_000)).toBe(50);
    // A clock that is set back grants nothing.
    expect(countOf(limit, 'a', 0)).toBe(0);
  });

  test('states when to retry', () => {
    const limit = openRateLimit(0.1);
    limit.take('a', 0);
    expect(() => limit.take('a', 0)).toThrow(
      expect.objectContaining({
        code: 'request.rate.exceeded',
        details: { retryAfterSeconds: 10 },
      }),
    );
  });

  test('evicts the least recently used key', () => {
    const limit = openRateLimit(0.1, { keysMax: 2 });
    expect(['a', 'b', 'a', 'c', 'b', 'a'].map((key) => passed(limit, key, 0))).toEqual([
      ...[true, true, false, true],
      // b was evicted for c, and a for b.
      ...[true, true],
    ]);
  });

  test("charges a request at most one second's worth", () => {
    const limit = openRateLimit(5);
    limit.take('a', 0, 1, 4);
    expect(countOf(limit, 'a', 0)).toBe(46);
    for (let at = 0; at < 10; at += 1) limit.take('b', 0, 1, 1000);
    expect(() => limit.take('b', 0, 1, 1000)).toThrow(
      expect.objectContaining({ details: { retryAfterSeconds: 1 } }),
    );
    limit.take('b', 1000, 1, 1000);
  });

  test('charges nothing for rejected requests, so that small ones pass beside large ones', () => {
    const limit = openRateLimit(5);
    let large = 0;
    const tries = () => {
      try {
        limit.take('a', 0, 1, 5);
        large += 1;
      } catch {
        // Refused.
      }
    };
    limit.take('a', 0, 1, 2);
    for (let at = 0; at < 20; at += 1) tries();
    expect(large).toBe(9);
    expect(countOf(limit, 'a', 0)).toBe(3);
  });

  test('a rate of 0 disables the limit', () => {
    expect(countOf(openRateLimit(0), 'a', 0)).toBe(10_000);
  });
});

test.each([
  ['192.0.2.1', ['192.0.2.1']],
  ['::ffff:192.0.2.1', ['192.0.2.1']],
  ['2001:db8:1:2:3:4:5:6', ['2001:db8:1:2::/64', '2001:db8:1::/56', '2001:db8:1::/48']],
  ['2001:db8:1:2ff:ffff::', ['2001:db8:1:2ff::/64', '2001:db8:1:200::/56', '2001:db8:1::/48']],
  ['2001:DB8::1', ['2001:db8::/64', '2001:db8::/56', '2001:db8::/48']],
  ['fe80::1%eth0', ['fe80::/64', 'fe80::/56', 'fe80::/48']],
  ['::1', []],
  ['127.1.2.3', []],
  ['::ffff:127.0.0.1', []],
  ['no address', []],
])('the address %s counts as %j', (ip, networks) => {
  expect(clientNetworks(ip).map(({ key }) => key)).toEqual(networks);
});

test.each([
  ['127.0.0.1', { host: '127.0.0.1:8080' }, true],
  ['::1', { host: '[::1]:8080' }, true],
  ['127.0.0.1', { host: 'localhost' }, true],
  ['127.0.0.1', { host: 'evil.example' }, false],
  ['127.0.0.1', {}, false],
  ['127.0.0.1', { host: 'localhost', 'x-forwarded-for': '127.0.0.1' }, false],
  ['127.0.0.1', { host: 'localhost', forwarded: 'for=127.0.0.1' }, false],
  ['192.0.2.1', { host: 'localhost' }, false],
  ['127.0.0.1', { host: 'localhost', connection: 'keep-alive' }, true],
  // Headers of unconfigured proxies.
  ['127.0.0.1', { host: 'localhost', connection: 'close' }, false],
  ['127.0.0.1', { host: 'localhost' }, false, '1.0'],
])(
  'a request from %s with %j is local: %s',
  (ip, headers, expected, httpVersion: string = '1.1') => {
    expect(isFromHere({ ip, headers, raw: { httpVersion } } as never)).toBe(expected);
  },
);

describe('complexity limits of JSON', () => {
  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
  test.each([
    ['a document', JSON.stringify({ a: 'A'.repeat(1_000_000), b: '[{,"\\'.repeat(100_000) })],
    ['the maximum depth', nested(limits.jsonDepth)],
    ['many flat lists', `[${Array.from({ length: 1000 }, () => '[]').join()}]`],
    ['an unterminated text', `{"a":"${'['.repeat(1000)}`],
    ['a large object', `{${'"a":0,'.repeat(limits.jsonMembers - 1)}"b":0}`],
    ['commas only', ',,,'],
    ['escaped quotes', JSON.stringify({ a: '\\"[[[[\\\\"' })],
  ])('accepts: %s', (_what, text) => {
    expect(() => requireJsonWithinLimits(text)).not.toThrow();
  });
  test.each([
    ['one level above the maximum', nested(limits.jsonDepth + 1)],
    ['millions of levels', '[{"a":'.repeat(2_000_000)],
    ['too many elements', `[${'0,'.repeat(limits.jsonValues)}0]`],
    ['an object with too many members', `[{${'"a":0,'.repeat(limits.jsonMembers)}"b":0}]`],
    ['too many members around lists', `{${'"a":[0,0],'.repeat(limits.jsonMembers)}"b":0}`],
    ['too many objects', '{}'.repeat(limits.jsonValues)],
  ])('rejects: %s', (_what, text) => {
    expect(() => requireJsonWithinLimits(text)).toThrow(
      expect.objectContaining({ code: 'limit.exceeded' }),
    );
  });
});

describe('limits of the HTTP interface', () => {
  let api: TestApi;
  afterEach(() => api.close());

  test('limits the requests of an address, but not those of this machine', async () => {
    api = await openTestApi({ requestsPerAddress: 2 });
    // The clock is real: on a busy machine the bucket refills a little between two requests.
    const statusesFrom = async (remoteAddress: string, most: number, url = '/healthz') => {
      const answers = [];
      while (answers.length < most && answers.at(-1)?.statusCode !== 429) {
        answers.push(await api.app.inject({ url, remoteAddress }));
      }
      return answers;
    };
    const answers = await statusesFrom(elsewhere, 200);
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeGreaterThan(19);
    const last = answers.at(-1);
    expect(last?.statusCode).toBe(429);
    expect(last?.headers['retry-after']).toBe('1');
    expect(last?.json()).toMatchObject({ errorCode: 'request.rate.exceeded' });
    const own = await statusesFrom('127.0.0.1', 50);
    expect(own.every(({ statusCode }) => statusCode === 200)).toBe(true);
    const unknown = await statusesFrom(elsewhere, 50, '/none');
    expect(unknown.at(-1)?.statusCode).toBe(429);
    api.pass(60_000);
    const later = await api.app.inject({ url: '/healthz', remoteAddress: elsewhere });
    expect(later.statusCode).toBe(200);
  }, 60_000);

  test('limits the requests of one company without affecting another', async () => {
    api = await openTestApi({ requestsPerCompany: 1 });
    const ask = (authorization: string) =>
      api.app.inject({ url: '/api/management/flow', headers: { authorization } });
    for (let at = 0; at < 12; at += 1) await ask(api.basic);
    const refused = await ask(api.basic);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '1']);
    expect((await ask(api.foreign)).statusCode).toBe(200);
  }, 60_000);

  test('accepts a document of 50 MB and no larger one, raw and in base64', async () => {
    api = await openTestApi();
    const most = 50 * 1024 * 1024;
    const send = async (url: string, type: string, payload: Buffer | string) => {
      const headers = { authorization: api.basic, 'content-type': type };
      const reply = await api.app.inject({ method: 'POST', url, headers, payload });
      return `${reply.statusCode} ${reply.json().errorCode}`;
    };
    const sealing = `/api/management/sealing?FlowKey=${api.flowKey}`;
    const json = (bytes: number) =>
      JSON.stringify({ flowKey: api.flowKey, pdfDocument: Buffer.alloc(bytes).toString('base64') });
    expect(await send(sealing, 'application/pdf', Buffer.alloc(most))).toBe('400 pdf.notpdf');
    for (const url of [sealing, '/api/management/archive?FileName=a.pdf', '/api/verify']) {
      const answer = await send(url, 'application/pdf', Buffer.alloc(most + 1));
      expect(`${url} ${answer}`).toBe(`${url} 413 limit.exceeded`);
    }
    expect(await send('/api/management/sealing', 'application/json', json(most))).toBe(
      '400 pdf.notpdf',
    );
    expect(await send('/api/management/sealing', 'application/json', json(most + 1))).toBe(
      '413 limit.exceeded',
    );
  }, 60_000);

  test('counts the client address reported by a configured proxy', async () => {
    api = await openTestApi({ requestsPerAddress: 1, trustProxy: ['10.0.0.1'] });
    const ask = (remoteAddress: string, client: string) =>
      api.app.inject({
        url: '/healthz',
        remoteAddress,
        headers: { 'x-forwarded-for': client },
      });
    for (let at = 0; at < 12; at += 1) await ask('10.0.0.1', '192.0.2.1');
    expect((await ask('10.0.0.1', '192.0.2.1')).statusCode).toBe(429);
    expect((await ask('10.0.0.1', '192.0.2.2')).statusCode).toBe(200);
    // A client that is no proxy cannot choose its address.
    for (let at = 0; at < 12; at += 1) await ask('10.0.0.2', `192.0.2.${at + 10}`);
    expect((await ask('10.0.0.2', '192.0.2.99')).statusCode).toBe(429);
  }, 60_000);
});

describe('limits of connections', () => {
  let api: TestApi;
  let port: number;
  beforeAll(async () => {
    const patience = { headersMs: 400, requestMs: 800 };
    api = await openTestApi({ patience, maxConnections: 5 });
    await api.app.listen({ host: '127.0.0.1', port: 0 });
    port = (api.app.server.address() as AddressInfo).port;
  }, 60_000);
  afterAll(() => api.close());

  /** Everything received until the other side closes. */
  const say = async (parts: readonly string[], everyMs = 0) => {
    const socket = connect(port, '127.0.0.1');
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => undefined);
    const closed = new Promise((resolve) => socket.once('close', resolve));
    for (const part of parts) {
      if (socket.destroyed || answer !== '') break;
      socket.write(part);
      if (everyMs > 0) await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
    await closed;
    return answer;
  };

  test('headers sent too slowly are answered with 408', async () => {
    const drops = Array.from({ length: 60 }, (_, at) => `X-${at}: a\r\n`);
    const answer = await say(['GET /healthz HTTP/1.1\r\nHost: a\r\n', ...drops], 50);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('"errorCode":"validation.error"');
    expect(answer).toContain('x-content-type-options: nosniff');
  }, 20_000);

  test('a body sent too slowly is answered with 408', async () => {
    const head =
      `POST /api/management/signing HTTP/1.1\r\nHost: a\r\nAuthorization: ${api.basic}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n';
    const answer = await say([head, ...Array.from({ length: 60 }, () => 'a')], 50);
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  }, 20_000);

  test('ten megabytes of headers are answered with 431', async () => {
    const part = 'a'.repeat(10 * 1024);
    const parts = ['GET / HTTP/1.1\r\nHost: a\r\nX-Long: ', ...Array(1024).fill(part)];
    const answer = await say(parts, 20);
    expect(answer).toMatch(/^HTTP\/1\.1 431 /);
    expect(answer).toContain('"errorCode":"limit.exceeded"');
  });

  test('a request that is not HTTP gets an error in the usual JSON shape', async () => {
    const answer = await say(['HELLO\r\n\r\n']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(answer).toContain('{"responseStatus":{"errorCode":"validation.error"');
  });

  const open = async (count: number, words = '') => {
    const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => undefined);
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets) if (words !== '') socket.write(words);
    return sockets;
  };

  test('above the limit the connection that has been idle longest is closed', async () => {
    const sockets = await open(5);
    const [oldest] = sockets as [Socket, ...Socket[]];
    const closed = once(oldest, 'close');
    expect(await say(['GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'])).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    await closed;
    expect(sockets.map(({ destroyed }) => destroyed)).toEqual([true, false, false, false, false]);
    for (const socket of sockets) socket.destroy();
  });

  test('if every connection awaits a response, further ones are closed immediately', async () => {
    const post =
      'POST /api/auth/start HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
      'Content-Length: 9\r\n\r\n';
    const sockets = await open(5, post);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const [further] = (await open(1)) as [Socket];
    await once(further, 'close');
    for (const socket of sockets) {
      expect(socket.destroyed).toBe(false);
      socket.destroy();
    }
  });
});
