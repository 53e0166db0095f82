import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import { afterEach, describe, expect, test } from 'vitest';
import type { ApiApp, ServerOptions } from '../../src/api/index.ts';
import {
  addChunkedResponses,
  addClientAddress,
  addFailureAnswers,
  addPace,
} from '../../src/api/plugins/index.ts';
import { agreement, openTestApi, type TestApi } from '../api/support/open-api.ts';
import { speakTo } from '../support/raw-client.ts';

let api: TestApi;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api?.close();
});

const KB = 1024;
const MB = 1024 * KB;
const patient = { headersMs: 60_000, requestMs: 60_000, paceMs: 60_000 };

const listen = async (options: ServerOptions = {}) => {
  api = await openTestApi({ patience: patient, trustProxy: ['loopback'], ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
};

/** A client that may or may not read, and the responses it received. */
const speak = async (words: string, isUnread = false, app = api.app) => {
  const said = await speakTo(app.server, words, { isUnread });
  sockets.push(said.socket);
  return said;
};
const get = (path: string, ip = '203.0.113.7', more = '') =>
  `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ip}\r\n${more}\r\n`;
const start = (bytes: number) =>
  'POST /api/auth/start HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n' +
  `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n${'{}'.padEnd(bytes)}`;
const statusesOf = ({ text }: { readonly text: string }) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
const bundle = '/api/swagger-ui/swagger-ui-bundle.js';

const attach = async (bytes: number) => {
  const made = await api.toolkit.processes.create({
    ...{ flowKey: api.flowKey, pdf: agreement, fileName: 'agreement.pdf' },
    signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
    attachments: [{ fileName: 'a.bin', content: Buffer.alloc(bytes, 7) }],
  });
  const [{ key } = { key: '' }] = made.attachments;
  return `/api/signing/${made.key}/attachment/${key}/fileName/a.bin`;
};

describe('pipelined HTTP requests', () => {
  test('are answered in order, on a connection that stays open', async () => {
    await listen();
    const paths = ['/openapi.json', '/none', '/healthz', '/openapi.json', '/', '/none'];
    const said = await speak(start(2) + paths.map((path) => get(path)).join(''));
    await expect
      .poll(() => statusesOf(said), { timeout: 20_000 })
      .toEqual([400, 200, 404, 200, 200, 200, 404]);
    said.socket.write(get('/healthz', '203.0.113.7', 'Connection: close\r\n'));
    await expect.poll(() => statusesOf(said).slice(7)).toEqual([200]);
    await expect.poll(() => said.isOver).toBe(true);
  }, 60_000);

  test('whose responses are not read take the memory of one response', async () => {
    await listen();
    const path = await attach(255 * KB);
    // Cached on first use.
    await api.app.inject({ url: '/openapi.json' });
    const before = process.memoryUsage().arrayBuffers;
    for (const each of ['/openapi.json', path, bundle]) await speak(get(each).repeat(900), true);
    await sleep(1000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MB);
  }, 60_000);

  test('are started one after another', async () => {
    await listen();
    const path = await attach(30 * MB);
    const url = await attach(10);
    const own = `Authorization: ${api.basic}\r\n`;
    const remove = get(url, '203.0.113.7', own).replace('GET', 'DELETE');
    const status = async () => (await api.app.inject({ url })).statusCode;
    const said = await speak(get(path) + remove, true);
    await sleep(1000);
    expect(await status()).toBe(200);
    said.socket.on('data', () => undefined).resume();
    await expect.poll(status, { timeout: 10_000 }).toBe(404);
  }, 60_000);

  test('in endless number lose their connection', async () => {
    await listen();
    const said = await speak(get('/healthz').repeat(900));
    await expect.poll(() => said.isOver).toBe(true);
    expect(statusesOf(said).length).toBeLessThan(20);
    const other = await speak(get('/healthz'));
    await expect.poll(() => statusesOf(other)).toEqual([200]);
  }, 60_000);

  test('release all resources when their connection closes', async () => {
    const bodyBytes = {
      companies: { whole: 8 * MB, share: 4 * MB },
      others: { whole: 40 * KB, share: 10 * KB },
    };
    await listen({ bodyBytes });
    const path = await attach(30 * MB);
    const firsts = [
      get(path),
      // Requests that Node would answer itself by default.
      'GET / HTTP/1.1\r\n\r\n',
      get('/', '203.0.113.7', 'Expect: f\r\n').repeat(5),
      get('/', '203.0.113.7', 'Expect: 100-continue\r\n').repeat(5),
    ];
    for (const first of firsts) {
      const said = await speak(first + start(8 * KB), true);
      await sleep(300);
      said.socket.destroy();
    }
    await sleep(300);
    const next = await speak(start(8 * KB));
    await expect.poll(() => statusesOf(next)).toEqual([400]);
  }, 60_000);

  test('with an Expect header or without a Host are answered in order', async () => {
    await listen();
    const path = '/api/auth/start';
    const expecting = (what: string) =>
      `POST ${path} HTTP/1.1\r\nHost: x\r\nExpect: ${what}\r\n` +
      'Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}';
    const all = [
      ...[get('/openapi.json'), expecting('100-continue'), expecting('f'), get('/healthz')],
      ...['GET / HTTP/1.0\r\nExpect: f\r\nConnection: keep-alive\r\n\r\n', get('/none')],
      ...['GET / HTTP/1.1\r\n\r\n', get('/healthz')],
    ];
    const said = await speak(all.join(''));
    await expect.poll(() => said.isOver, { timeout: 20_000 }).toBe(true);
    expect(statusesOf(said)).toEqual([200, 100, 400, 417, 200, 200, 404, 400]);
  }, 60_000);
});

describe('a body in one-byte chunks', () => {
  const chunked = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: 203.0.113.7\r\n` +
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
  const crumbs = '1\r\n \r\n';

  test.each([
    ['is read', '/api/auth/start'],
    ['is rejected early', '/api/verify'],
    ['is queued after another request', '/none'],
  ])(
    'closes the connection if the request %s',
    async (_what, path) => {
      await listen();
      const isBehind = path === '/none';
      const first = isBehind ? get(await attach(30 * MB)) : '';
      const said = await speak(first + chunked(path), isBehind);
      let sent = 0;
      while (!said.socket.destroyed && sent < 200_000) {
        said.socket.write(crumbs.repeat(500));
        sent += 500;
        await sleep(5);
      }
      expect(sent).toBeLessThan(20_000);
      expect(said.isOver).toBe(true);
    },
    60_000,
  );

  test('is accepted if it is short or also has larger chunks', async () => {
    await listen();
    // The final two bytes are the thousandth chunk; the last-chunk of a body does not count.
    const large = `${(32 * KB).toString(16)}\r\n${' '.repeat(32 * KB)}\r\n`;
    for (const body of [crumbs.repeat(999), `${large.repeat(6)}${crumbs.repeat(3000)}`]) {
      const said = await speak(`${chunked('/api/auth/start')}${body}2\r\n{}\r\n0\r\n\r\n`);
      await expect.poll(() => statusesOf(said)).toEqual([400]);
      expect(said.isOver).toBe(false);
    }
  }, 60_000);
});

describe('a static response', () => {
  test('is in memory once, however many clients do not read it', async () => {
    api = await openTestApi({ patience: patient });
    // A Unix socket buffers less of a response than TCP does.
    await api.app.listen({ path: join(api.dataDir, 'http.sock') });
    const urls = [bundle, '/openapi.json', '/api/swagger-ui/swagger-ui.css'];
    for (const url of urls) await api.app.inject({ url });
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < 120; at += 1) await speak(get(urls[at % 3] as string), true);
    await sleep(1500);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MB);
  }, 60_000);

  test.each([bundle, '/api/swagger-ui/swagger-ui.css', '/openapi.json'])(
    'is not sent again to a client that has it: %s',
    async (url) => {
      api = await openTestApi();
      const whole = await api.app.inject({ url });
      const tag = String(whole.headers['etag']);
      expect(tag).toMatch(/^"[\w-]+"$/);
      for (const known of [tag, `"other", W/${tag}`, '*']) {
        const again = await api.app.inject({ url, headers: { 'if-none-match': known } });
        expect([again.statusCode, again.rawPayload.length]).toEqual([304, 0]);
        expect(again.headers['etag']).toBe(tag);
      }
      const other = await api.app.inject({ url, headers: { 'if-none-match': '"other"' } });
      expect([other.statusCode, other.rawPayload.equals(whole.rawPayload)]).toEqual([200, true]);
      const head = await api.app.inject({ method: 'HEAD', url });
      const known = (headers: object) =>
        Object.entries(headers).filter(([name]) => !/^(date|x-request-id|connection)$/.test(name));
      expect(head.rawPayload.length).toBe(0);
      expect(known(head.headers)).toEqual(known(whole.headers));
    },
    60_000,
  );
});

describe('responses generated for one client', () => {
  const bytes = 12 * MB;
  let app: ApiApp;
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await app.close();
  });
  const open = async (share: number, whole: number) => {
    app = fastify();
    app.decorateRequest('company', null).decorateRequest('caller', null);
    addFailureAnswers(app);
    addClientAddress(app, ['127.0.0.1']);
    addPace(app, 60_000);
    const size = { whole, share };
    addChunkedResponses(app, { companies: size, others: size });
    app.route({
      method: ['GET', 'POST'],
      url: '/',
      handler: async (_request, reply) =>
        reply.header('content-disposition', 'attachment').send('a'.repeat(bytes)),
    });
    app.get('/small', async () => 'a'.repeat(1000));
    await app.listen({ host: '127.0.0.1', port: 0 });
  };
  const ask = (ip: string, path = '/', isUnread = false) =>
    speak(get(path, ip, 'Connection: close\r\n'), isUnread, app);
  const hold = async (ip: string, count: number) => {
    for (let at = 0; at < count; at += 1) await ask(ip, '/', true);
    await sleep(300);
  };
  const attacker = '203.0.113.7';
  const other = '198.51.100.20';

  test('are limited per address if they are not read', async () => {
    await open(3 * bytes, 9 * bytes);
    await hold(attacker, 3);
    const fourth = await ask(attacker);
    await expect.poll(() => statusesOf(fourth)).toEqual([429]);
    expect(fourth.text).toContain('"request.share.exceeded"');
    expect(fourth.text).toMatch(/\r\nretry-after: \d/i);
    expect(fourth.text).not.toMatch(/content-disposition/i);
    const small = await ask(attacker, '/small');
    await expect.poll(() => statusesOf(small)).toEqual([200]);
    const others = await ask(other);
    await expect.poll(() => others.text.length, { timeout: 10_000 }).toBeGreaterThan(bytes);
    // A request that changes something is still answered.
    const posted = await speak(
      get('/', attacker, 'Connection: close\r\n').replace('GET', 'POST'),
      false,
      app,
    );
    await expect.poll(() => statusesOf(posted)).toEqual([200]);
  }, 60_000);

  test('make room for other clients if they are not read', async () => {
    await open(3 * bytes, 6 * bytes);
    await hold(attacker, 3);
    await hold('203.0.113.8', 3);
    await sleep(1200);
    const others = await ask(other);
    await expect.poll(() => others.text.length, { timeout: 10_000 }).toBeGreaterThan(bytes);
    const next = await ask(attacker);
    await expect.poll(() => next.text.length, { timeout: 10_000 }).toBeGreaterThan(bytes);
  }, 60_000);

  test('are sent even if larger than the share, to clients that read them', async () => {
    await open(bytes / 2, bytes);
    const all = [await ask(attacker), await ask(other)];
    for (const said of all) {
      await expect.poll(() => said.text.length, { timeout: 10_000 }).toBeGreaterThan(bytes);
    }
  }, 60_000);
});
