import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import {
  openWebhookReceiver,
  type TransportOptions,
  webhookTransport,
} from '../../../../src/adapters/delivery/index.ts';
import type { WebhookTransport } from '../../../../src/app/ports/index.ts';

const body = Buffer.from('{"Id":"þ"}');
const open: Server[] = [];

afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  open.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function transport(options: Partial<TransportOptions> = {}): WebhookTransport {
  const made = webhookTransport({
    allowNetworks: [],
    allowLoopback: false,
    offline: false,
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

function post(to: WebhookTransport, url: string, timeoutMs = 5000) {
  return to.post({ url, headers: { 'content-type': 'application/json' }, body, timeoutMs });
}

describe('addresses that are never contacted', () => {
  test.each([
    ['loopback', 'https://127.0.0.1/'],
    ['loopback, short form', 'https://127.1/'],
    ['loopback, decimal', 'https://2130706433/'],
    ['loopback, octal', 'https://0177.0.0.1/'],
    ['loopback, hexadecimal', 'https://0x7f.0x0.0x0.0x1/'],
    ['loopback with a trailing dot', 'https://127.0.0.1./'],
    ['loopback in full-width digits', 'https://１２７.０.０.１/'],
    ['loopback, IPv6', 'https://[::1]/'],
    ['IPv4-mapped', 'https://[::ffff:127.0.0.1]/'],
    ['IPv4-mapped in hexadecimal', 'https://[::ffff:7f00:1]/'],
    ['IPv4-mapped, public', 'https://[::ffff:8.8.8.8]/'],
    ['IPv4-compatible', 'https://[::127.0.0.1]/'],
    ['NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['NAT64, local prefix', 'https://[64:ff9b:1::7f00:1]/'],
    ['6to4', 'https://[2002:7f00:1::]/'],
    ['Teredo', 'https://[2001:0:7f00:1::]/'],
    ['unspecified', 'https://0.0.0.0/'],
    ['unspecified, IPv6', 'https://[::]/'],
    ['private', 'https://10.1.2.3/'],
    ['private, 172.16/12', 'https://172.16.0.1/'],
    ['private, 192.168/16', 'https://192.168.1.1/'],
    ['unique local', 'https://[fd00:ec2::254]/'],
    ['link-local', 'https://[fe80::1]/'],
    ['site-local', 'https://[fec0::1]/'],
    ['metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['metadata, decimal', 'https://2852039166/'],
    ['metadata service of ECS', 'https://169.254.170.2/'],
    ['metadata service of Alibaba', 'https://100.100.100.200/'],
    ['metadata service of Oracle', 'https://192.0.0.192/'],
    ['metadata service of Google, IPv6', 'https://[fd20:ce::254]/'],
    ['metadata service, link-local, IPv6', 'https://[fe80::a9fe:a9fe]/'],
    ['WireServer of Azure', 'https://168.63.129.16/'],
    ['WireServer of Azure, mapped', 'https://[::ffff:168.63.129.16]/'],
    ['WireServer of Azure, decimal', 'https://2822734096/'],
    ['carrier-grade NAT', 'https://100.64.0.1/'],
    ['benchmarking', 'https://198.18.0.1/'],
    ['multicast', 'https://224.0.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['unassigned', 'https://[4000::1]/'],
    ['this network', 'https://0.1.2.3/'],
    ['protocol assignments', 'https://192.0.0.10/'],
    ['documentation', 'https://192.0.2.1/'],
    ['documentation, second block', 'https://198.51.100.1/'],
    ['documentation, third block', 'https://203.0.113.1/'],
    ['6to4 relay anycast', 'https://192.88.99.1/'],
    ['AS112', 'https://192.175.48.1/'],
    ['AS112, second block', 'https://192.31.196.1/'],
    ['AMT', 'https://192.52.193.1/'],
    ['reserved', 'https://240.0.0.1/'],
    ['IPv4-translated', 'https://[::ffff:0:8.8.8.8]/'],
    ['discard-only', 'https://[100::1]/'],
    ['dummy prefix', 'https://[100:0:0:1::1]/'],
    ['protocol assignments, IPv6', 'https://[2001:1::3]/'],
    ['benchmarking, IPv6', 'https://[2001:2::1]/'],
    ['AMT, IPv6', 'https://[2001:3::1]/'],
    ['AS112, IPv6', 'https://[2001:4:112::1]/'],
    ['ORCHID', 'https://[2001:10::1]/'],
    ['ORCHIDv2', 'https://[2001:20::1]/'],
    ['drone remote ID', 'https://[2001:30::1]/'],
    ['documentation, IPv6', 'https://[2001:db8::1]/'],
    ['AS112, IPv6, second block', 'https://[2620:4f:8000::1]/'],
    ['documentation, IPv6, second block', 'https://[3fff::1]/'],
    ['segment routing', 'https://[5f00::1]/'],
    ['multicast, IPv6', 'https://[ff02::1]/'],
    ['http', 'http://8.8.8.8/'],
    ['http to a name', 'http://example.is/'],
    ['credentials', 'https://user:secret@example.is/'],
    ['a mail port', 'https://example.is:25/'],
    ['a database port', 'https://example.is:6379/'],
    ['an unknown scheme', 'file:///etc/passwd'],
    ['gopher', 'gopher://example.is/'],
    ['not a URL', 'example.is'],
  ])('%s: %s', async (_, url) => {
    const resolve = () => Promise.reject(new Error('no name may be looked up'));
    const error = await post(transport({ resolve }), url).catch((each: unknown) => each);
    expect(error).toMatchObject({ code: 'network.blocked' });
    expect((error as Error).message).not.toContain('secret');
  });

  test.each([
    ['one private address', ['10.0.0.1']],
    ['a public and a private address', ['93.184.216.34', '127.0.0.1']],
    ['an IPv4-mapped address', ['::ffff:169.254.169.254']],
    ['a scoped address', ['fe80::1%eth0']],
    ['no address', []],
    ['something that is not an address', ['example.is']],
  ])('a name that resolves to %s', async (_, addresses) => {
    const family = (address: string) => (address.includes(':') ? 6 : 4);
    const resolve = async () => addresses.map((address) => ({ address, family: family(address) }));
    const url = 'https://hook.example.is/';
    await expect(post(transport({ resolve }), url)).rejects.toMatchObject({
      code: 'network.blocked',
    });
  });

  test('a name that cannot be resolved', async () => {
    const resolve = () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' }));
    await expect(post(transport({ resolve }), 'https://hook.example.is/')).rejects.toMatchObject({
      code: 'network.failed',
      message: expect.stringContaining('ENOTFOUND'),
    });
  });

  test('http to a public address, despite an allowed network', async () => {
    const resolve = async () => [{ address: '93.184.216.34', family: 4 }];
    const lan = transport({ resolve, allowNetworks: ['10.0.0.0/8'] });
    await expect(post(lan, 'http://hook.example.is/')).rejects.toMatchObject({
      code: 'network.blocked',
    });
  });

  test('a name is resolved once, so that its address cannot change between check and connection', async () => {
    const port = await serve((_, response) => void response.end());
    let asked = 0;
    const resolve = async () => {
      asked++;
      return [{ address: asked === 1 ? '10.9.9.9' : '127.0.0.1', family: 4 }];
    };
    const guarded = transport({ resolve, allowNetworks: ['10.9.9.9/32'] });
    // The first address is allowed and has no listener; the second is never used for this request.
    const url = `http://rebind.example.is:${port}/`;
    await expect(post(guarded, url, 300)).rejects.toMatchObject({ code: 'network.failed' });
    expect(asked).toBe(1);
    await expect(post(guarded, url, 300)).rejects.toMatchObject({ code: 'network.blocked' });
  });

  test('any address when offline', async () => {
    const offline = transport({ offline: true, allowLoopback: true });
    await expect(post(offline, 'http://127.0.0.1:2/')).rejects.toMatchObject({
      code: 'network.offline',
    });
  });

  test('an invalid network is reported at start', () => {
    expect(() => transport({ allowNetworks: ['10.0.0.0'] })).toThrow(
      expect.objectContaining({ code: 'config.invalid' }),
    );
  });
});

describe('the transport and receivers', () => {
  test('sends body and headers, and returns status, Retry-After and the start of the response', async () => {
    const seen: { method?: string | undefined; type?: string | undefined; text: string }[] = [];
    const port = await serve(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part as Buffer);
      const text = Buffer.concat(parts).toString('utf8');
      seen.push({ method: request.method, type: request.headers['content-type'], text });
      response.writeHead(503, { 'retry-after': '17' }).end('Ðað er lokað');
    });
    const answer = await post(
      transport({ allowLoopback: true }),
      `http://127.0.0.1:${port}/hook?a=1`,
    );
    expect(answer).toEqual({ status: 503, retryAfter: '17', head: 'Ðað er lokað' });
    expect(seen).toEqual([{ method: 'POST', type: 'application/json', text: '{"Id":"þ"}' }]);
  });

  test('contacts a LAN that is allowed', async () => {
    const port = await serve((_, response) => void response.end());
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    const lan = transport({ resolve, allowNetworks: ['127.0.0.0/8'] });
    await expect(post(lan, `http://hook.lan:${port}/`)).resolves.toEqual({ status: 200, head: '' });
  });

  test.each([301, 302, 303, 307, 308])(
    'does not follow a %i to the metadata service',
    async (status) => {
      let requests = 0;
      const port = await serve((_, response) => {
        requests++;
        response.writeHead(status, { location: 'http://169.254.169.254/latest/' }).end();
      });
      const answer = await post(transport({ allowLoopback: true }), `http://127.0.0.1:${port}/`);
      expect(answer.status).toBe(status);
      expect(requests).toBe(1);
    },
  );

  test('truncates a response of 10 MB and returns its status', async () => {
    let sentBytes = 0;
    const port = await serve((_, response) => {
      response.writeHead(200);
      const more = (): void => {
        if (sentBytes >= 10_000_000 || response.destroyed) return void response.end();
        sentBytes += 65_536;
        response.write(Buffer.alloc(65_536, 97), more);
      };
      more();
    });
    const answer = await post(transport({ allowLoopback: true }), `http://127.0.0.1:${port}/`);
    expect(answer.status).toBe(200);
    expect(answer.head).toBe('a'.repeat(1024));
    expect(sentBytes).toBeLessThan(10_000_000);
  });

  test('does not wait for a slow response body', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 50);
      response.on('close', () => clearInterval(drip));
    });
    const startedAt = performance.now();
    const answer = await post(
      transport({ allowLoopback: true }),
      `http://127.0.0.1:${port}/`,
      9000,
    );
    expect(answer.status).toBe(200);
    expect(performance.now() - startedAt).toBeLessThan(3000);
  });

  test.each([
    ['never responds', () => undefined],
    ['resets its connection', (_, response) => void response.destroy()],
  ] as const satisfies readonly (readonly [string, RequestListener])[])(
    'fails in time when the receiver %s',
    async (_, listener) => {
      const port = await serve(listener);
      const startedAt = performance.now();
      const url = `http://127.0.0.1:${port}/hook/of-secrets`;
      const error = await post(transport({ allowLoopback: true }), url, 300).catch((each) => each);
      expect(error).toMatchObject({ code: 'network.failed' });
      expect(error.message).not.toContain('of-secrets');
      expect(performance.now() - startedAt).toBeLessThan(2000);
    },
  );

  test('fails on a closed port', async () => {
    const error = post(transport({ allowLoopback: true }), 'http://127.0.0.1:2/');
    await expect(error).rejects.toMatchObject({
      code: 'network.failed',
      message: expect.stringContaining('ECONNREFUSED'),
    });
  });

  test('reuses connections', async () => {
    const sockets = new Set<unknown>();
    const port = await serve((request, response) => {
      sockets.add(request.socket);
      request.resume().on('end', () => response.end('ok'));
    });
    const kept = transport({ allowLoopback: true });
    for (let count = 0; count < 20; count++) await post(kept, `http://127.0.0.1:${port}/`);
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

describe('the receiver of webhook listen', () => {
  test.each([
    ['POST', 'abc', 207],
    ['POST', 'a'.repeat(101), 413],
    ['GET', undefined, 405],
  ])('answers %s of %s with %i', async (method, sent, status) => {
    const heard: string[] = [];
    const receiver = await openWebhookReceiver({
      host: '127.0.0.1',
      port: 0,
      bodyBytesMax: 100,
      handle: async ({ headers, body: received }) => {
        heard.push(`${headers['x-test']} ${Buffer.from(received).toString('utf8')}`);
        return 207;
      },
    });
    onTestFinished(() => receiver.close());
    const request = {
      method,
      headers: { 'X-Test': 'yes' },
      ...(sent === undefined ? {} : { body: sent }),
    };
    expect((await fetch(receiver.url, request)).status).toBe(status);
    expect(heard).toEqual(status === 207 ? ['yes abc'] : []);
  });

  test('answers 500 when its handler fails, and reports a port in use', async () => {
    const options = {
      host: '127.0.0.1',
      bodyBytesMax: 9,
      handle: () => Promise.reject(new Error('x')),
    };
    const receiver = await openWebhookReceiver({ ...options, port: 0 });
    onTestFinished(() => receiver.close());
    expect((await fetch(receiver.url, { method: 'POST', body: 'a' })).status).toBe(500);
    const port = Number(new URL(receiver.url).port);
    await expect(openWebhookReceiver({ ...options, port })).rejects.toMatchObject({
      code: 'config.invalid',
    });
  });
});
