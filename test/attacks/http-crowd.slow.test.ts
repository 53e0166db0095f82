import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openThrottle } from '../../src/api/plugins/access/throttle.ts';
import { agreement, basicOf, openTestApi, type TestApi } from '../api/support/open-api.ts';

let api: TestApi;
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api?.close();
});

const KB = 1024;
const sockets: Socket[] = [];
/** Sends the head of a POST and part of its body, and returns the response. */
const begin = async (path: string, length: number | 'chunked', sent: number, more = '') => {
  const socket = connect((api.app.server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const said = { text: '', socket };
  socket.on('data', (chunk) => {
    said.text += chunk;
  });
  await once(socket, 'connect');
  const size =
    length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${String(length)}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${size}\r\n${more}\r\n`,
  );
  const body = 'a'.repeat(sent);
  socket.write(length === 'chunked' ? `${sent.toString(16)}\r\n${body}\r\n` : body);
  return said;
};
const listen = () => api.app.listen({ host: '127.0.0.1', port: 0 });
const status = (said: { readonly text: string }) =>
  expect.poll(() => /^HTTP\/1\.1 (\d+)/.exec(said.text)?.[1], { timeout: 10_000 });

describe('bodies of unauthenticated clients', () => {
  test.each([
    ['an open route', 'POST', '/api/auth/start', 413],
    ['a route of a process', 'POST', '/api/signing/spx/signee/six/otp', 413],
    ['an unknown route', 'POST', '/none', 413],
    ['a route of companies without credentials', 'POST', '/api/management/signing', 401],
  ] as const)(
    'are limited to a small size: %s',
    async (_what, method, url, expected) => {
      api = await openTestApi();
      const headers = { 'content-type': 'application/json' };
      const payload = JSON.stringify({ a: 'a'.repeat(300 * KB) });
      const answer = await api.app.inject({ method, url, headers, payload });
      expect(answer.statusCode).toBe(expected);
    },
    60_000,
  );

  test('with wrong credentials are rejected before they have arrived', async () => {
    api = await openTestApi();
    await listen();
    const said = await begin('/api/management/signing', 60 * KB * KB, 10, '');
    await status(said).toBe('401');
  }, 60_000);

  test('that are too large and then cut off do not stop the service', async () => {
    api = await openTestApi();
    await listen();
    for (const length of ['chunked', 200 * KB] as const) {
      const said = await begin('/api/auth/start', length, length === 'chunked' ? 300 * KB : KB);
      if (length === 'chunked') await status(said).toBe('413');
      said.socket.destroy();
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect((await api.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  }, 60_000);

  test.each([
    ['with a length', 600],
    ['in chunks', 'chunked'],
  ] as const)(
    'share a memory budget: %s',
    async (_what, length) => {
      api = await openTestApi({
        bodyBytes: {
          companies: { whole: 4000, share: 5000 },
          others: { whole: 1000, share: 1000 },
        },
      });
      await listen();
      const first = await begin('/api/auth/start', length, 500);
      await new Promise((resolve) => setTimeout(resolve, 100));
      const second = await begin('/api/auth/start', length, 599);
      await status(second).toBe('503');
      expect(second.text).toMatch(/\r\nretry-after: \d/i);
      expect(second.text).toContain('"service.busy"');
      // Requests of companies are not affected.
      const own = `Authorization: ${api.basic}\r\n`;
      const company = await begin('/api/management/apikeys/validate', 'chunked', 3000, own);
      const next = await begin('/api/management/apikeys/validate', 'chunked', 1500, own);
      await status(next).toBe('503');
      expect(company.text).toBe('');
      first.socket.destroy();
      company.socket.destroy();
      await once(first.socket, 'close');
      await expect
        .poll(async () => {
          const again = await begin('/api/auth/start', 600, 600);
          await once(again.socket, 'data');
          return again.text;
        })
        .toMatch(/^HTTP\/1\.1 400/);
    },
    60_000,
  );
});

describe('failed logins', () => {
  const ask = async (authorization: string, remoteAddress: string) =>
    (
      await api.app.inject({
        ...{ url: '/api/management/flow', remoteAddress },
        headers: { authorization },
      })
    ).statusCode;
  const guess = async (remoteAddress: string) => {
    for (let at = 0; at < 310; at += 1) await ask(basicOf(`x${at % 50}`, 'y'), remoteAddress);
  };

  test('do not lock out a key that has been used successfully', async () => {
    api = await openTestApi();
    expect(await ask(api.basic, '192.0.2.1')).toBe(200);
    await guess('192.0.2.1');
    expect(await ask(api.basic, '192.0.2.1')).toBe(200);
    expect(await ask(api.foreign, '192.0.2.1')).toBe(429);
    expect(await ask(basicOf('x', 'y'), '192.0.2.1')).toBe(429);
  }, 60_000);

  test('through an unconfigured local proxy do not lock out another company', async () => {
    api = await openTestApi();
    await guess('127.0.0.1');
    expect(await ask(api.basic, '127.0.0.1')).toBe(200);
    expect(await ask(api.foreign, '::1')).toBe(200);
  }, 60_000);

  test.each([
    ['half a window later', 30_000, 30],
    ['after the window', 60_000, undefined],
    ['after the clock was set back', -86_400_000, undefined],
  ])('are remembered for the length of a window: %s', (_what, laterMs, wait) => {
    const throttle = openThrottle(1, 60_000);
    const nowMs = 10 * 86_400_000;
    throttle.fail('a', nowMs);
    const seconds = () => {
      try {
        throttle.require('a', nowMs + laterMs);
        return undefined;
      } catch (error) {
        return (error as { details: { retryAfterSeconds: number } }).details.retryAfterSeconds;
      }
    };
    expect(seconds()).toBe(wait);
  });
});

test('a production service requires the operator token', async () => {
  api = await openTestApi({ strict: true });
  const metrics = await api.app.inject({ url: '/metrics' });
  const ready = await api.app.inject({ url: '/readyz' });
  expect([metrics.statusCode, Object.keys(ready.json())]).toEqual([401, ['ready']]);
}, 60_000);

test('a view is recorded unless valid credentials of the owner are sent', async () => {
  api = await openTestApi();
  const viewsOf = async (authorization?: string) => {
    const { key, signees } = await api.toolkit.processes.create({
      ...{ flowKey: api.flowKey, pdf: agreement, fileName: 'agreement.pdf' },
      signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
    });
    const [signee] = signees;
    for (const place of [`signing/${key}/signee/${signee?.key}`, `pdf/${key}/${signee?.key}.pdf`]) {
      const headers = authorization === undefined ? {} : { authorization };
      expect((await api.app.inject({ url: `/api/${place}`, headers })).statusCode).toBe(200);
    }
    const [seen] = (await api.toolkit.processes.show({ key })).signees;
    return [seen?.openedAtMs !== undefined, seen?.viewedAtMs !== undefined];
  };
  const company = Buffer.from(api.basic.slice(6), 'base64').toString().split(':')[0] ?? '';
  const given = [undefined, 'Basic x', basicOf(company, 'api-x'), api.foreign, api.basic];
  const views = [];
  for (const each of given) views.push(await viewsOf(each));
  const both = [true, true];
  expect(views).toEqual([both, both, both, both, [false, false]]);
}, 60_000);
