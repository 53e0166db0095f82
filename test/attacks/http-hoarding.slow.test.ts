import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ServerOptions } from '../../src/api/index.ts';
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
const patience = { headersMs: 300, requestMs: 60_000, paceMs: 300 };

const listen = async (options: ServerOptions) => {
  api = await openTestApi({ patience, trustProxy: ['loopback'], ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
};

/** A client that never closes its half of the connection, and the responses it received. */
const speak = async (words: string, ip = '203.0.113.7', isUnread = false) => {
  const named = words.replace('Host: x', `Host: x\r\nX-Forwarded-For: ${ip}`);
  const said = await speakTo(api.app.server, named, { isUnread, isHalfOpen: true });
  sockets.push(said.socket);
  return said;
};
const post = (path: string, lengthBytes: number | 'chunked', sent: string, more = '') => {
  const size =
    lengthBytes === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${lengthBytes}`;
  const body = lengthBytes === 'chunked' ? `${sent.length.toString(16)}\r\n${sent}\r\n` : sent;
  return (
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${size}\r\n` +
    `${more}\r\n${body}`
  );
};
const stalled = (lengthBytes: number) =>
  post('/api/auth/start', lengthBytes, 'a'.repeat(lengthBytes - 44));
const whole = post('/api/auth/start', 2, '{}');
const connections = () =>
  new Promise<number>((resolve) =>
    api.app.server.getConnections((_error, count) => resolve(count)),
  );
const statusOf = ({ text }: { readonly text: string }) =>
  Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0);

/** Creates a process with an attachment and returns the URL of that. */
const attach = async (bytes: number) => {
  const made = await api.toolkit.processes.create({
    ...{ flowKey: api.flowKey, pdf: agreement, fileName: 'agreement.pdf' },
    signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
    attachments: [{ fileName: 'a.bin', content: Buffer.alloc(bytes, 7) }],
  });
  const [{ key } = { key: '' }] = made.attachments;
  return `/api/signing/${made.key}/attachment/${key}/fileName/a.bin`;
};

describe('slow clients', () => {
  test.each([
    ['endless headers', 'GET / HTTP/1.1\r\nHost: x\r\n'],
    ['an incomplete body', stalled(1000)],
  ])(
    'get 408 and lose their connection: %s',
    async (_what, words) => {
      await listen({});
      const said = await speak(words);
      await expect.poll(() => statusOf(said), { timeout: 8000 }).toBe(408);
      // The client has not closed its half.
      await expect.poll(connections, { timeout: 4000 }).toBe(0);
    },
    60_000,
  );

  test('that read nothing are disconnected', async () => {
    await listen({});
    const path = await attach(30 * MB);
    await speak(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, undefined, true);
    await sleep(200);
    expect(await connections()).toBe(1);
    await expect.poll(connections, { timeout: 8000 }).toBe(0);
  }, 60_000);

  test('that keep reading stay connected', async () => {
    await listen({});
    const path = await attach(8 * MB);
    const said = await speak(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    for (let at = 0; at < 20 && !said.isOver; at += 1) {
      said.socket.pause();
      await sleep(100);
      said.socket.resume();
      await sleep(20);
    }
    await expect.poll(() => said.text.length, { timeout: 8000 }).toBeGreaterThan(8 * MB);
  }, 60_000);
});

describe('shares of the memory for bodies', () => {
  const bodyBytes = {
    companies: { whole: 8 * MB, share: 4 * MB },
    others: { whole: 40 * KB, share: 10 * KB },
  };
  const slow = { patience: { headersMs: 60_000, requestMs: 60_000, paceMs: 60_000 } };

  test('one address cannot exceed its share', async () => {
    await listen({ bodyBytes, ...slow });
    for (let at = 0; at < 2; at += 1) await speak(stalled(4 * KB));
    const third = await speak(stalled(4 * KB));
    await expect.poll(() => statusOf(third), { timeout: 10_000 }).toBe(429);
    expect(third.text).toMatch(/\r\nretry-after: \d/i);
    expect(third.text).toContain('"request.share.exceeded"');
    const other = await speak(whole, '198.51.100.20');
    await expect.poll(() => statusOf(other), { timeout: 10_000 }).toBe(400);
  }, 60_000);

  test('one company cannot exceed its share, in chunked bodies either', async () => {
    await listen({ bodyBytes, ...slow });
    const own = `Authorization: ${api.basic}\r\n`;
    const hold = () => speak(post('/api/verify', 'chunked', 'a'.repeat(3 * MB), own));
    await hold();
    await sleep(300);
    const second = await hold();
    await expect.poll(() => statusOf(second), { timeout: 10_000 }).toBe(429);
    const foreign = `Authorization: ${api.foreign}\r\n`;
    const other = await speak(post('/api/management/apikeys/validate', 2, '{}', foreign));
    await expect.poll(() => statusOf(other), { timeout: 10_000 }).toBe(200);
  }, 60_000);

  test('stalled clients lose their share to others when memory is short', async () => {
    await listen({ bodyBytes, ...slow });
    const held = [];
    for (const end of [1, 2, 3, 4, 5]) held.push(await speak(stalled(8 * KB), `203.0.113.${end}`));
    await sleep(1200);
    const large = post('/api/auth/start', 9 * KB, '{}'.padEnd(9 * KB));
    const other = await speak(large, '198.51.100.20');
    await expect.poll(() => statusOf(other), { timeout: 10_000 }).toBe(400);
    const told = held.map(statusOf);
    expect(told.filter((status) => status === 408).length).toBeGreaterThan(0);
    expect(told.filter((status) => status === 0).length).toBeGreaterThan(0);
  }, 60_000);
});

describe('a download', () => {
  test('is never in memory as a whole', async () => {
    await listen({ patience: { headersMs: 60_000, requestMs: 60_000, paceMs: 60_000 } });
    const path = await attach(20 * MB);
    const before = process.memoryUsage().arrayBuffers;
    for (let at = 0; at < 12; at += 1) {
      await speak(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`, undefined, true);
    }
    await sleep(1500);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(60 * MB);
  }, 60_000);

  test.each([100, 3 * MB])(
    'of %i bytes has the same headers for HEAD',
    async (bytes) => {
      api = await openTestApi();
      const url = await attach(bytes);
      const [get, head] = [
        await api.app.inject({ method: 'GET', url }),
        await api.app.inject({ method: 'HEAD', url }),
      ];
      const known = (headers: object) =>
        Object.entries(headers).filter(([name]) => !/^(date|x-request-id|connection)$/.test(name));
      expect(get.rawPayload.equals(Buffer.alloc(bytes, 7))).toBe(true);
      expect(head.rawPayload.length).toBe(0);
      expect(known(head.headers)).toEqual(known(get.headers));
    },
    60_000,
  );
});
