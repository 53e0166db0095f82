import { afterEach, describe, expect, test } from 'vitest';
import type { ServerOptions } from '../../src/api/index.ts';
import { costlyTest } from '../support/sample.ts';
import { type IdentityApi, openIdentityApi, type Reply } from './support/identity.ts';

let api: IdentityApi;
const open = async (
  settings: Readonly<Record<string, string>> = {},
  options: ServerOptions = { trustProxy: ['127.0.0.1'] },
) => {
  // Numbers that are not published test numbers, and therefore limited.
  api = await openIdentityApi(options, { INNSIGLI_SIMULATED_PERSONS: 'any', ...settings });
};
afterEach(() => api.close());

const from = (ip: string) => ({ 'x-forwarded-for': ip });
const start = (number: string, ip?: string, more: object = {}): Promise<Reply> =>
  api.post(
    '/api/auth/start',
    {
      flowKey: api.flowKey,
      ...(number.length === 10
        ? { authenticationContextType: 'App', ssn: number }
        : { authenticationContextType: 'Sim', phoneNumber: number }),
      ...more,
    },
    ip === undefined ? {} : from(ip),
  );
const poll = async (authRequestId: string) =>
  api.post('/api/auth/poll', { authRequestId, flowKey: api.flowKey });
const tooMany = {
  status: 429,
  body: { errorCode: 'authentication.start.too_frequent' },
  headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
};
/** The limit for strangers equals the total limit. */
const asOne = {
  INNSIGLI_LOGINS_BOUND_TEST_NUMBERS: 'true',
  INNSIGLI_LOGINS_STRANGERS_IN_TEN_MINUTES: '5',
};
const minutes = (count: number) => count * 60_000;

describe('logins of one number', () => {
  test('only one is open at a time, from any address, until the person responds', async () => {
    await open();
    const first = await start('5812345', '203.0.113.1');
    expect(first.status).toBe(200);
    for (const [number, ip] of [
      ['5812345', '203.0.113.1'],
      ['5812345', '198.51.100.7'],
      ['+354 581-2345', '198.51.100.7'],
      ['00354 5812345', '198.51.100.7'],
    ] as const) {
      const again = await start(number, ip);
      expect([number, again]).toMatchObject([number, tooMany]);
      expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(180);
    }
    // A different number is a different person.
    expect((await start('5812346')).status).toBe(200);
    // The provider is polled: the person has responded, although no client has polled yet.
    api.pass(3000);
    expect((await start('5812345')).status).toBe(200);
    expect((await poll(first.body.authRequestId)).body.customer.phoneNumber).toBe('5812345');
  }, 30_000);

  test('of concurrent starts one succeeds', async () => {
    await open();
    const all = await Promise.all([1, 2, 3, 4, 5, 6].map(() => start('5812345')));
    expect(all.map(({ status }) => status).sort()).toEqual([200, 429, 429, 429, 429, 429]);
  }, 30_000);

  test('at most five start in ten minutes and twenty a day', async () => {
    await open();
    const body = { flowKey: api.flowKey, authenticationContextType: 'Sim', phoneNumber: '5812345' };
    const ask = () => api.post('/api/auth/start', body, { authorization: api.basic });
    const count = async (times: number) => {
      let started = 0;
      for (let at = 0; at < times; at++) {
        started += (await ask()).status === 200 ? 1 : 0;
        api.pass(5000);
      }
      return started;
    };
    expect(await count(8)).toBe(5);
    const refused = await ask();
    expect(refused).toMatchObject(tooMany);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500);
    for (let round = 0; round < 3; round++) {
      api.pass(minutes(10));
      expect(await count(8)).toBe(5);
    }
    api.pass(minutes(10));
    expect(await count(3)).toBe(0);
    api.pass(24 * minutes(60));
    expect(await count(8)).toBe(5);
  }, 60_000);

  test('IPv6 networks of one customer count as one client', async () => {
    await open({
      INNSIGLI_LOGINS_IN_TEN_MINUTES: '40',
      INNSIGLI_LOGINS_STRANGERS_IN_TEN_MINUTES: '40',
      INNSIGLI_LOGINS_STRANGERS_A_DAY: '40',
      INNSIGLI_LOGINS_OPEN: '40',
    });
    let started = 0;
    for (let at = 0; at < 20; at++) {
      started += (await start('5812345', `2001:db8:1:${at}::1`)).status === 200 ? 1 : 0;
    }
    expect(started).toBe(10);
  }, 30_000);

  test('a login that is no longer polled is replaced, and can no longer be completed', async () => {
    await open(asOne);
    // This test person never responds.
    const silent = await start('0103901419');
    api.pass(20_000);
    expect((await poll(silent.body.authRequestId)).body.waitingForUserInput).toBe(true);
    api.pass(20_000);
    expect(await start('0103901419')).toMatchObject(tooMany);
    api.pass(11_000);
    const next = await start('0103901419');
    expect(next.status).toBe(200);
    const gone = await poll(silent.body.authRequestId);
    expect([gone.status, gone.body.errorCode]).toEqual([403, 'authentication.error.forbidden']);
    expect(gone.body.message).toContain('cancelled');
    expect((await poll(next.body.authRequestId)).body.waitingForUserInput).toBe(true);
    // A login that is polled stays open until its time limit.
    for (let at = 0; at < 16; at++) {
      api.pass(10_000);
      await poll(next.body.authRequestId);
      expect((await start('0103901419')).status).toBe(429);
    }
    api.pass(21_000);
    expect((await start('0103901419')).status).toBe(200);
  }, 30_000);

  test('a start rejected by the provider leaves nothing open, and counts', async () => {
    await open(asOne);
    const statuses = [];
    for (let at = 0; at < 6; at++) statuses.push((await start('0103901849')).status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 429]);
  }, 30_000);

  test('published test numbers have no limit in the simulator', async () => {
    await open();
    const statuses = [];
    for (let at = 0; at < 30; at++) statuses.push((await start('6666666')).status);
    expect(new Set(statuses)).toEqual(new Set([200]));
  }, 30_000);
});

describe('logins of a flow', () => {
  const many = async (count: number, ip?: (at: number) => string, headers = {}) => {
    let started = 0;
    for (let at = 0; at < count; at++) {
      const own = ip === undefined ? {} : from(ip(at));
      const body = {
        flowKey: api.flowKey,
        authenticationContextType: 'Sim',
        phoneNumber: String(6_100_000 + Math.floor(Math.random() * 800_000)),
      };
      const reply = await api.post('/api/auth/start', body, { ...own, ...headers });
      started += reply.status === 200 ? 1 : 0;
    }
    return started;
  };

  costlyTest(
    'at most sixty a minute by anyone, half of them by one client; the company has a separate limit',
    async () => {
      await open();
      expect(await many(40, () => '203.0.113.1')).toBe(30);
      expect(await many(40, (at) => `198.51.100.${at}`)).toBe(30);
      expect(await start('5812345', '192.0.2.1')).toMatchObject(tooMany);
      expect(await many(62, undefined, { authorization: api.basic })).toBe(60);
      // Credentials of another company count as none here.
      expect(await many(1, undefined, { authorization: api.foreign })).toBe(0);
      // Clients with links are not locked out by strangers.
      const place = await api.process({ name: 'A', phoneNumber: '5812999' });
      expect((await api.post(place.sign, { authenticationContextType: 'Sim' })).status).toBe(200);
      api.pass(minutes(1));
      expect(await many(1, () => '203.0.113.1')).toBe(1);
    },
    60_000,
  );

  test('the flow can set the limit', async () => {
    await open();
    const flow = await api.toolkit.flows.create({
      ...{ name: 'Busy', type: 'Auth', settings: { loginsPerMinute: 3 } },
    } as never);
    const statuses = [];
    for (let at = 0; at < 4; at++) {
      const { status } = await start(`581234${at}`, undefined, { flowKey: flow.key });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 429]);
  }, 30_000);

  test('a start without a flow and a number is limited per client', async () => {
    await open({ INNSIGLI_LOGINS_A_MINUTE_OF_FLOW: '4' });
    const begin = (ip: string) => api.post('/auth/eid-se/start/', {}, from(ip));
    const statuses = [];
    for (let at = 0; at < 5; at++) statuses.push((await begin('203.0.113.1')).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect((await begin('203.0.113.2')).status).toBe(200);
  }, 30_000);
});

test('a client that has only the key of a document is a stranger to its only signee', async () => {
  await open();
  const known = { name: 'Jóna', ssn: '1203894569' };
  const app = { authenticationContextType: 'App' };
  const keyOnly = async (ip: string, more: object = {}) => {
    const { processKey, signeeKey } = await api.process(known);
    const own = 'isOwn' in more ? { signeeKey } : {};
    return (await api.post(`/api/signing/${processKey}/auth`, { ...app, ...own }, from(ip))).status;
  };
  const statuses = [];
  for (let at = 1; at <= 8; at++) {
    // A separate document and address each time.
    statuses.push(await keyOnly(`203.0.113.${at}`));
    api.pass(minutes(1));
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(2);
  expect(await keyOnly('198.51.100.9', { isOwn: true })).toBe(200);
}, 30_000);

describe('every route that starts a login or signature by e-ID', () => {
  const known = { name: 'Jóna', ssn: '1203894569', phoneNumber: '5812345' };
  const app = { authenticationContextType: 'App' };
  const byLink = { processKey: '', signeeKey: '' };
  const ways: readonly (readonly [string, () => Promise<() => Promise<Reply>>])[] = [
    ['/auth/start', async () => () => start(known.ssn)],
    [
      'the old login, which waits',
      async () => () =>
        api.post('/api/auth', { flowKey: api.flowKey, phoneNumber: known.phoneNumber }),
    ],
    [
      'a device link',
      async () => () =>
        api.post(
          '/auth/devicelink/start',
          { flowKey: api.flowKey, loginHint: known.ssn },
          { authorization: api.basic },
        ),
    ],
    ['eid-se', async () => () => api.post('/auth/eid-se/start', { loginHint: known.ssn })],
    [
      'a signee',
      async () => {
        const { processKey, signeeKey } = await api.process(known);
        return () =>
          api.post('/api/signing/auth/start', { ...byLink, processKey, signeeKey, ...app });
      },
    ],
    [
      'a process',
      async () => {
        const { processKey } = await api.process(known);
        return () => api.post(`/api/signing/${processKey}/auth`, { ...app, loginHint: known.ssn });
      },
    ],
    [
      'a sequence',
      async () => {
        const { path } = await api.sequence([known]);
        return () => api.post(`${path}/auth`, { ...app, loginHint: known.ssn });
      },
    ],
    [
      'a sequence with eid-se',
      async () => {
        const { path, personKeys } = await api.sequence([known]);
        return () => api.post(`${path}/signee/${personKeys[0]}/auth/eid-se/start`, {});
      },
    ],
    [
      'a sequence with eid-se, without its person (being retired)',
      async () => {
        const { path } = await api.sequence([known]);
        return () => api.post(`${path}/auth/eid-se/start`, { loginHint: known.ssn });
      },
    ],
    [
      'a signature with eid-dk',
      async () => {
        const { sign } = await api.process(known);
        return () => api.post(`${sign}/eid-dk`, {});
      },
    ],
    [
      'a signature',
      async () => {
        const { sign } = await api.process(known);
        return () => api.post(sign, app);
      },
    ],
    [
      'a signature with eid-se',
      async () => {
        const { sign } = await api.process(known);
        return () => api.post(`${sign}/eid-se`, {});
      },
    ],
  ];
  test.each(ways)(
    'rejects a second start while one is open: %s',
    async (what, prepare) => {
      await open();
      const again = await prepare();
      const first = start(known.ssn);
      expect((await first).status).toBe(200);
      if (what === 'the old login, which waits') expect((await start('5812345')).status).toBe(200);
      expect(await again()).toMatchObject(tooMany);
    },
    30_000,
  );

  test('a rejected signature leaves the document free for others, and does not count as a start', async () => {
    await open();
    const other = { name: 'Karl', ssn: '1203894649', phoneNumber: '5812346' };
    const { processKey, signeeKeys } = await api.process([known, other]);
    const [first, second] = signeeKeys.map(
      (key) => `/api/signing/sign/${processKey}/signee/${key}`,
    );
    await start(known.ssn);
    expect(await api.post(first as string, app)).toMatchObject(tooMany);
    expect((await api.post(second as string, app)).status).toBe(200);
    api.pass(3000);
    // The other signee now has the lease on the document.
    for (let at = 0; at < 8; at++) {
      const reply = await api.post(first as string, app);
      expect([reply.status, reply.body.errorCode]).toEqual([403, '2002']);
    }
    api.pass(4 * minutes(1));
    expect((await api.post(first as string, app)).status).toBe(200);
  }, 30_000);
});
