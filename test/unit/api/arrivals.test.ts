import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { openHttpServer } from '../../../src/api/http-server.ts';
import { openTimeSlices } from '../../../src/api/plugins/connections/time-slices.ts';

// However slow the machine is, arriving connections defer work until the last one has arrived.
const slices = openTimeSlices({ sliceMs: 1, arrivalsMs: 60_000 });
const options = { headersMs: 20_000, requestMs: 20_000, slices };
const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server whose responses take 2 ms each; `seen` lists the events in order. */
async function openServer() {
  const seen: string[] = [];
  const server = openHttpServer(({ url }, response) => {
    const end = performance.now() + 2;
    while (performance.now() < end);
    seen.push(`answer ${url}`);
    response.end();
  }, options);
  server.on('connection', () => void seen.push('connection'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(() => server.close());
  const { port } = server.address() as AddressInfo;
  const ask = (path: string): Socket => {
    const socket = connect(port, '127.0.0.1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
    socket.resume();
    ends.push(() => socket.destroy());
    return socket;
  };
  const answered = (path: string) =>
    expect.poll(() => seen.includes(`answer ${path}`), { timeout: 20_000, interval: 5 }).toBe(true);
  return { seen, ask, answered };
}

describe('connections that arrive together', () => {
  test('are all accepted before the requests of earlier ones are processed', async () => {
    const { seen, ask, answered } = await openServer();
    for (let at = 0; at < 60; at += 1) ask('/work');
    ask('/last');
    await answered('/last');
    const before = seen.slice(0, seen.lastIndexOf('connection'));
    expect(before.filter((what) => what.startsWith('answer')).length).toBeLessThanOrEqual(3);
    expect(seen.filter((what) => what === 'connection')).toHaveLength(61);
  });

  test.each(['/healthz', '/readyz', '/HealthZ', '/healthz?now'])(
    'do not delay %s',
    async (path) => {
      const { seen, ask, answered } = await openServer();
      for (let at = 0; at < 60; at += 1) ask('/work');
      ask(path);
      await answered(path);
      const before = seen.slice(0, seen.indexOf(`answer ${path}`));
      expect(before.filter((what) => what === 'answer /work').length).toBeLessThanOrEqual(3);
    },
  );
});
