import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import type { ServerOptions } from '../../src/api/index.ts';
import { basicOf, openTestApi, type TestApi } from '../api/support/open-api.ts';

const KB = 1024;
const MB = 1024 * KB;
const patience = { headersMs: 60_000, requestMs: 60_000, paceMs: 60_000 };
const bodyBytes = {
  companies: { whole: 8 * MB, share: 4 * MB, kept: MB },
  others: { whole: 64 * KB, share: 16 * KB, kept: 8 * KB },
};

let api: TestApi;
const sockets: Socket[] = [];
const timers: NodeJS.Timeout[] = [];
afterEach(async () => {
  for (const timer of timers.splice(0)) clearInterval(timer);
  for (const socket of sockets.splice(0)) socket.destroy();
  await api?.close();
});

const listen = async (options: ServerOptions = {}) => {
  api = await openTestApi({ patience, trustProxy: ['loopback'], bodyBytes, ...options });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
};

interface Asked {
  readonly path?: string;
  readonly ip?: string;
  readonly authorization?: string;
  readonly bytes: number;
}

const strangers = { path: '/api/auth/start', ip: '198.51.100.20' };

/** Sends the head of a request, and records the response. */
const begin = async ({ path, ip, authorization, bytes }: Asked) => {
  const { port } = api.app.server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1' });
  sockets.push(socket);
  const said = { status: 0, isOver: false, socket };
  socket.on('error', () => undefined);
  socket.once('close', () => {
    said.isOver = true;
  });
  socket.once('data', (chunk) => {
    said.status = Number(/^HTTP\/1\.1 (\d+)/.exec(chunk.toString('latin1'))?.[1]);
  });
  await once(socket, 'connect');
  const own = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${ip}\r\n${own}` +
      `Content-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );
  return said;
};

/** Sends small parts of a body periodically. */
const drip = async (asked: Asked) => {
  const said = await begin(asked);
  const send = () => said.socket.write(' '.repeat(20));
  send();
  timers.push(setInterval(send, 300));
  return said;
};

/** Sends a whole body and returns the status of the response. */
const ask = async (asked: Asked) => {
  const said = await begin(asked);
  said.socket.write('{}'.padEnd(asked.bytes));
  await expect.poll(() => said.status, { timeout: 8000 }).not.toBe(0);
  return said.status;
};

describe('bodies that arrive slowly', () => {
  test('from many addresses do not keep strangers out', async () => {
    await listen();
    const crowd = [];
    for (let at = 0; at < 10; at += 1) {
      crowd.push(await drip({ ...strangers, ip: `203.0.113.${at >> 1}`, bytes: 8 * KB }));
    }
    expect(await ask({ ...strangers, bytes: 100 })).toBe(400);
    await sleep(2200);
    expect(await ask({ ...strangers, bytes: 100 })).toBe(400);
    // A larger body displaces one of them.
    expect(await ask({ ...strangers, bytes: 10 * KB })).toBe(400);
    const statuses = crowd.map(({ status }) => status);
    expect(statuses.filter((status) => status === 408).length).toBeGreaterThan(0);
    expect(statuses.filter((status) => status === 0).length).toBeGreaterThan(2);
  }, 60_000);

  test('of two companies do not keep a third one out', async () => {
    await listen();
    const { company, apiKey } = await api.service.createCompany({ name: 'Third ehf.' });
    const of = { path: '/api/verify', ip: '203.0.113.7', bytes: 2 * MB };
    for (const authorization of [api.basic, api.basic, api.foreign, api.foreign]) {
      await drip({ ...of, authorization });
    }
    const third = { authorization: basicOf(company.key, apiKey), ip: '198.51.100.20' };
    const path = '/api/management/apikeys/validate';
    expect(await ask({ ...third, path, bytes: 2 })).toBe(200);
    await sleep(2200);
    expect(await ask({ ...third, path, bytes: 2 })).toBe(200);
    // Only its size matters.
    expect(await ask({ ...third, path, bytes: 3 * MB })).not.toBe(503);
  }, 60_000);

  test('are read to the end as long as no one else is waiting', async () => {
    await listen();
    const slow = await begin({ ...strangers, ip: '203.0.113.7', bytes: 15_000 });
    slow.socket.write('{}');
    for (let at = 0; at < 30; at += 1) {
      slow.socket.write(' '.repeat(at < 29 ? 500 : 498));
      await sleep(100);
      if (at % 5 === 0) expect(await ask({ ...strangers, bytes: 200 })).toBe(400);
    }
    await expect.poll(() => slow.status).toBe(400);
  }, 60_000);
});

test('connections whose bodies stall are closed when the limit of connections is reached', async () => {
  await listen({ maxConnections: 8 });
  const held = [];
  for (let at = 0; at < 8; at += 1) {
    held.push(await begin({ ...strangers, ip: `203.0.113.${at}`, bytes: 100 }));
  }
  await sleep(2200);
  for (let at = 0; at < 3; at += 1) {
    expect(await ask({ ...strangers, bytes: 100 })).toBe(400);
  }
  expect(held.filter(({ isOver }) => isOver).length).toBeGreaterThan(0);
  expect(held.filter(({ isOver }) => !isOver).length).toBeGreaterThan(4);
}, 60_000);
