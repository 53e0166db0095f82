import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHttpClient } from '../../../../src/adapters/http/client.ts';
import { certificateGuard, operatorGuard } from '../../../../src/adapters/http/guard.ts';
import { gatewaySms } from '../../../../src/adapters/sms/index.ts';
import { httpTimestampAuthority } from '../../../../src/adapters/tsa/index.ts';

const never = [
  'http://169.254.169.254/',
  'http://2852039166/',
  'https://[fe80::1]/',
  'https://[::ffff:169.254.169.254]/',
  'http://168.63.129.16/',
];

type Options = Parameters<typeof openHttpClient>[0];

function client(options: Partial<Options> = {}) {
  const made = openHttpClient({ guard: operatorGuard, connectMs: 2000, ...options });
  onTestFinished(() => made.destroy());
  return made;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const get = { method: 'GET', headers: {}, timeoutMs: 2000, keptBytes: 100 } as const;

describe('blocked addresses are refused even if the operator configures them', () => {
  test.each(never)('for a time-stamp authority and an SMS gateway: %s', async (url) => {
    const authority = httpTimestampAuthority({ url });
    onTestFinished(() => authority.close());
    await expect(authority.timestamp(new Uint8Array(1))).rejects.toMatchObject({
      code: 'network.blocked',
    });
    const message = { id: 'm', to: '5550101', text: 'x', sentAtMs: 0 };
    await expect(gatewaySms({ url }).send(message)).rejects.toMatchObject({
      code: 'sms.configuration',
    });
  });

  test('a name is refused if it resolves only to blocked addresses, which are otherwise skipped', async () => {
    const url = await serve((_, response) => void response.end('here'));
    const place = new URL(url.replace('127.0.0.1', 'tsa.example'));
    const leadingTo = (...addresses: string[]) =>
      client({ resolve: async () => addresses.map((address) => ({ address, family: 4 })) });
    await expect(leadingTo('169.254.169.254').send({ ...get, url: place })).rejects.toMatchObject({
      kind: 'blocked',
    });
    const both = leadingTo('169.254.169.254', '127.0.0.1');
    expect((await both.send({ ...get, url: place })).body.toString()).toBe('here');
  });

  test('behind a proxy, by address and by name', async () => {
    const proxied = client({ proxy: new URL('http://127.0.0.1:2') });
    for (const url of [...never, 'http://metadata.google.internal/']) {
      const sent = proxied.send({ ...get, url: new URL(url) });
      await expect(sent).rejects.toMatchObject({ kind: 'blocked' });
    }
  });
});

test('the URL of a certificate may not name the port of a different service', async () => {
  const sent = client({ guard: certificateGuard(true) }).send({
    ...get,
    url: new URL('http://127.0.0.1:6379/'),
  });
  await expect(sent).rejects.toMatchObject({
    kind: 'blocked',
    message: 'port 6379 is not allowed',
  });
});

describe('limits of the HTTP client', () => {
  test('a redirect is returned and not followed', async () => {
    let count = 0;
    const url = await serve((_, response) => {
      count++;
      response.writeHead(302, { location: never[0] }).end();
    });
    expect((await client().send({ ...get, url: new URL(url) })).status).toBe(302);
    expect(count).toBe(1);
  });

  test('a response of exactly the maximum length is accepted, a longer one is not', async () => {
    const url = await serve((request, response) => {
      response.end('x'.repeat(Number(request.url?.slice(1))));
    });
    const ask = (count: number) => client().send({ ...get, url: new URL(`${url}/${count}`) });
    expect((await ask(100)).body).toHaveLength(100);
    await expect(ask(101)).rejects.toMatchObject({ kind: 'long' });
  });

  test('the timeout includes waiting for a free connection', async () => {
    const url = await serve(() => undefined);
    const narrow = client({ connections: 1 });
    const order = { ...get, url: new URL(url), timeoutMs: 150 };
    const both = await Promise.allSettled([narrow.send(order), narrow.send(order)]);
    for (const one of both) expect(one).toMatchObject({ reason: { kind: 'late' } });
  });

  test('consecutive requests share a connection', async () => {
    const ports = new Set<number | undefined>();
    const url = await serve((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('x');
    });
    const kept = client();
    for (let index = 0; index < 5; index++) await kept.send({ ...get, url: new URL(url) });
    expect(ports.size).toBe(1);
  });
});

test('every request has the user agent innsigli unless its caller sets one', async () => {
  const url = new URL(
    await serve((request, response) => void response.end(request.headers['user-agent'])),
  );
  const named = async (headers: Record<string, string>) =>
    (await client().send({ ...get, url, headers })).body.toString();
  expect([await named({}), await named({ 'user-agent': 'other' })]).toEqual(['innsigli', 'other']);
});
