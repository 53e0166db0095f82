import { afterEach, describe, expect, test } from 'vitest';
import { costlyTest } from '../support/sample.ts';
import { agreement, basicOf, openTestApi, type TestApi } from './support/open-api.ts';

let api: TestApi;
afterEach(() => api?.close());

const proxy = '10.0.0.1';
const long = `127.0.0.1 spoofed-by-hand ${'A'.repeat(3000)}`;

/** Opens a link through the proxy and returns the address that was logged. */
const addressOf = async (forwarded: string | undefined, remoteAddress: string) => {
  const made = await api.toolkit.processes.create({
    ...{ flowKey: api.flowKey, pdf: agreement, fileName: 'agreement.pdf' },
    signees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
  });
  const [signee] = made.signees;
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  const url = `/api/signing/sign/${made.key}/signee/${signee?.key}/click`;
  const reply = await api.app.inject({ method: 'POST', url, remoteAddress, headers });
  expect(reply.statusCode).toBe(200);
  return (await api.toolkit.processes.show({ key: made.key })).signees[0]?.proof?.ip;
};

describe('warning about an unconfigured proxy on this machine', () => {
  const told: string[] = [];
  const visit = async (remoteAddress: string, headers: Readonly<Record<string, string>>) => {
    await api.app.inject({ url: '/healthz', remoteAddress, headers });
    return told.splice(0);
  };
  const forwarded = { 'x-forwarded-for': '203.0.113.10' };
  const unnamedProxy = (address: string) => void told.push(address);

  test.each(['127.0.0.1', '::1'])('is issued once per proxy address: %s', async (address) => {
    api = await openTestApi({ unnamedProxy });
    expect(await visit(address, {})).toEqual([]);
    expect(await visit('10.0.0.1', forwarded)).toEqual([]);
    expect(await visit(address, forwarded)).toEqual([address]);
    expect(await visit(address, forwarded)).toEqual([]);
  });

  test('is not issued for a configured proxy, even if X-Forwarded-For holds no address', async () => {
    api = await openTestApi({ unnamedProxy, trustProxy: ['loopback'] });
    expect(await visit('127.0.0.1', forwarded)).toEqual([]);
    expect(await visit('127.0.0.1', { 'x-forwarded-for': 'unknown' })).toEqual([]);
  });
});

describe('the client address behind a configured proxy', () => {
  test('is a single normalised address from X-Forwarded-For, or that of the socket', async () => {
    api = await openTestApi({ trustProxy: ['10.0.0.0/8', 'fd00::/8'] });
    const cases: readonly (readonly [string | undefined, string, string?])[] = [
      ['203.0.113.10', '203.0.113.10'],
      ['203.0.113.10:4711', '203.0.113.10'],
      ['[2001:DB8:0::7]:443', '2001:db8::7'],
      ['[2001:db8::7]', '2001:db8::7'],
      ['2001:0db8:0000::0007', '2001:db8::7'],
      ['fe80::1%eth0', 'fe80::1'],
      ['::ffff:203.0.113.10', '203.0.113.10'],
      ['::ffff:cb00:710a', '203.0.113.10'],
      [' 203.0.113.10 ', '203.0.113.10'],
      // Trusted proxies are skipped from right to left: the first address left of them is the
      // client's.
      ['8.8.8.8, 203.0.113.10, 10.0.0.7, 10.0.0.8:80', '203.0.113.10'],
      ['8.8.8.8, 203.0.113.10', '203.0.113.10', '::ffff:10.0.0.1'],
      ['203.0.113.10', '203.0.113.10', 'fd00::1'],
      ['10.0.0.7', '10.0.0.7'],
      // Not an address.
      ['8.8.8.8<b>x</b>', proxy],
      [long, proxy],
      ['203.0.113.10:port', proxy],
      ['203.0.113.10:99999', proxy],
      ['203.0.113.10:', proxy],
      ['203.0.113.010', proxy],
      ['[203.0.113.10]:80', proxy],
      ['2001:db8::7]:80', proxy],
      ['unknown', proxy],
      ['_hidden', proxy],
      ['', proxy],
      ['203.0.113.10,', proxy],
      ['203.0.113.10, unknown, 10.0.0.7', proxy],
      [undefined, proxy],
      // No trusted proxy.
      ['203.0.113.10', '192.0.2.1', '192.0.2.1'],
      ['203.0.113.10', '192.0.2.1', '::ffff:192.0.2.1'],
    ];
    const found = [];
    for (const [forwarded, , socket = proxy] of cases) {
      found.push(await addressOf(forwarded, socket));
    }
    expect(found).toEqual(cases.map(([, expected]) => expected));
  }, 60_000);

  test('is that of the socket when no proxy is configured', async () => {
    api = await openTestApi();
    expect(await addressOf('203.0.113.10', proxy)).toBe(proxy);
    expect(await addressOf('203.0.113.10', '::ffff:192.0.2.1')).toBe('192.0.2.1');
  }, 60_000);

  test('is found for proxies configured by the name of a network', async () => {
    api = await openTestApi({ trustProxy: ['uniquelocal', 'loopback'] });
    expect(await addressOf('203.0.113.10', '192.168.3.4')).toBe('203.0.113.10');
    expect(await addressOf('203.0.113.10', '127.0.0.1')).toBe('203.0.113.10');
    expect(await addressOf('203.0.113.10', '169.254.3.4')).toBe('169.254.3.4');
  }, 60_000);
});

describe('limits by client address', () => {
  const statuses = async (url: string, addresses: readonly string[], authorization?: string) => {
    const found = [];
    for (const address of addresses) {
      const headers = {
        'x-forwarded-for': address,
        ...(authorization === undefined ? {} : { authorization }),
      };
      found.push((await api.app.inject({ url, remoteAddress: proxy, headers })).statusCode);
    }
    return found;
  };
  const count = (list: readonly number[], status: number) =>
    list.filter((each) => each === status).length;

  test('ports do not make one address several clients: request rate', async () => {
    api = await openTestApi({ trustProxy: [proxy], requestsPerAddress: 1 });
    api.stopClock();
    const ports = Array.from({ length: 40 }, (_, at) => `203.0.113.10:${1024 + at}`);
    expect(count(await statuses('/healthz', ports), 429)).toBe(30);
  }, 60_000);

  test('ports do not make one address several clients: failed logins', async () => {
    api = await openTestApi({ trustProxy: [proxy], requestsPerAddress: 0 });
    const ports = Array.from({ length: 150 }, (_, at) => `203.0.113.10:${1024 + at}`);
    const found = await statuses('/api/management/flow', ports, basicOf('company', 'guess'));
    expect([count(found, 401), count(found, 429)]).toEqual([100, 50]);
  }, 60_000);

  test.each([
    ['of one /56 have four times that of a /64', (at: number) => `2001:db8:1:1${hex(at)}::1`, 40],
    ['of one /48 have sixteen times that', (at: number) => `2001:db8:1:${hex(at)}00::1`, 160],
    ['of several /48 have each their own', (at: number) => `2001:db8:${hex(at)}:1::1`, 250],
  ])(
    'IPv6 networks %s',
    async (_what, address, passed) => {
      api = await openTestApi({ trustProxy: [proxy], requestsPerAddress: 1 });
      api.stopClock();
      const nets = Array.from({ length: 250 }, (_, at) => address(at));
      expect(count(await statuses('/healthz', nets), 200)).toBe(passed);
    },
    60_000,
  );

  costlyTest(
    'failed logins from networks of one /48 are counted together',
    async () => {
      api = await openTestApi({ trustProxy: [proxy], requestsPerAddress: 0 });
      const nets = Array.from({ length: 1800 }, (_, at) => `2001:db8:1:${at.toString(16)}::1`);
      const found = await statuses('/api/management/flow', nets, basicOf('company', 'guess'));
      expect(count(found, 401)).toBe(1600);
    },
    60_000,
  );
});

function hex(at: number): string {
  return at.toString(16).padStart(2, '0');
}
