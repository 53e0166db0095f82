import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApi } from '../../src/api/index.ts';
import type { StoreHealth } from '../../src/app/ports/index.ts';
import { InnsigliError } from '../../src/base/errors.ts';
import { apiPorts } from '../../src/wire/serve/api-ports.ts';
import type { Service } from '../../src/wire/service/service.types.ts';
import type { Diagnosis, DiagnosisOptions, Toolkit } from '../../src/wire/toolkit.types.ts';
import { inNoTime } from '../support/in-no-time.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';

const stranger = '203.0.113.7';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

test('/healthz reports that the program is running', async () => {
  const answer = await api.app.inject({ url: '/healthz', remoteAddress: stranger });
  expect([answer.statusCode, answer.json()]).toEqual([200, { ok: true }]);
});

test('/readyz returns only ready or not to strangers, and the checks to this machine', async () => {
  const own = await api.app.inject({ url: '/readyz' });
  expect(own.statusCode).toBe(200);
  const { ready, checks } = own.json();
  expect(ready).toBe(true);
  const names = checks.map(({ name }: { name: string }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['seal key', 'time-stamp authority', 'database writes', 'jobs']),
  );
  expect(own.body).not.toContain(api.dataDir);
  const other = await api.app.inject({ url: '/readyz', remoteAddress: stranger });
  expect([other.statusCode, other.json()]).toEqual([200, { ready: true }]);
});

describe('GET /readyz', () => {
  const database: StoreHealth = { engine: 'sqlite', schemaVersion: 1, version: '3' };
  let nowMs = 1_000_000_000;
  let diagnoses: readonly Diagnosis[] = [];
  let health: () => ReturnType<Service['health']>;
  const calls = { diagnose: 0, health: 0 };
  let isAway = false;
  let hang: { check: string } | undefined;
  let storage = async () => ({ freeBytes: 2 ** 30 });
  const toolkit = {
    trustService: () => undefined,
    diagnose: async ({ begun }: DiagnosisOptions) => {
      calls.diagnose += 1;
      if (hang !== undefined) {
        begun?.(hang.check);
        await new Promise(() => undefined);
      }
      return diagnoses;
    },
  } as unknown as Toolkit;
  const service = {
    worked: { done: 0, failed: 0 },
    held: async () => [],
    identity: {},
    storage: () => storage(),
    health: () => {
      calls.health += 1;
      return health();
    },
    requireInPlace: () => {
      if (isAway) throw new InnsigliError('store.replaced', 'expected the open database: /secret');
    },
  } as unknown as Service;
  const io = { now: () => nowMs, random: (count: number) => randomBytes(count) };
  const ask = async () => {
    nowMs += 60_000;
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    const answer = await app.inject({ url: '/readyz' });
    await app.close();
    return answer;
  };

  test.each([
    ['an expired key', [{ name: 'seal key', status: 'failed', message: '/secret' }], 0, 503],
    ['a skipped check', [{ name: 'mail', status: 'skipped', message: 'x' }], 0, 200],
    ['a warning', [{ name: 'seal key', status: 'warning', message: '/secret' }], 0, 200],
    ['jobs overdue by minutes', [], 11 * 60_000, 503],
    ['jobs that have just become due', [], 5000, 200],
  ] as const)('answers with the status for this state: %s', async (_what, found, lagMs, status) => {
    diagnoses = found;
    health = async () => ({
      store: database,
      due: [{ kind: 'message', count: 3, sinceMs: nowMs - lagMs }],
    });
    const answer = await ask();
    expect(answer.statusCode).toBe(status);
    expect(answer.json().ready).toBe(status === 200);
    expect(answer.body).not.toContain('skipped');
    expect(answer.body).not.toContain('/secret');
  });

  test('a warning names its reason', async () => {
    const reason = 'TEST ONLY key';
    diagnoses = [{ name: 'seal key', status: 'warning', message: '/secret', reason }];
    health = async () => ({ store: database, due: [] });
    const message = `warning: ${reason}`;
    expect((await ask()).json().checks).toContainEqual({ name: 'seal key', ok: true, message });
  });

  test.each([
    [29_000, undefined],
    [300_000, 'the clock of this host is 300 s behind that of the database'],
  ])(
    'a database whose clock is %d ms ahead does not make the host unready',
    async (byMs, message) => {
      diagnoses = [];
      health = async () => ({ store: { ...database, nowMs: nowMs + byMs }, due: [] });
      const answer = await ask();
      expect(answer.statusCode).toBe(200);
      const checks: { name: string; message: string }[] = answer.json().checks;
      const clock = checks.find(({ name }) => name === 'clock of the database');
      expect(clock?.message).toBe(message);
    },
  );

  test('answers 503 if the database cannot be written', async () => {
    diagnoses = [];
    health = async () => {
      throw new InnsigliError('store.readonly', 'the file /secret is read-only');
    };
    const answer = await ask();
    expect(answer.statusCode).toBe(503);
    expect(answer.json().checks).toEqual([
      { name: 'database writes', ok: false, message: 'store.readonly' },
      { name: 'document storage', ok: true, message: 'it is writable' },
    ]);
  });

  test('reports an unexpected error as a failed check', async () => {
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    const app = await buildApi(
      apiPorts(
        {
          ...toolkit,
          diagnose: async () => {
            throw new TypeError('/secret');
          },
        },
        service,
        io,
        '1',
      ),
    );
    const answer = await app.inject({ url: '/readyz' });
    await app.close();
    expect(answer.statusCode).toBe(503);
    expect(answer.json().checks[0]).toEqual({
      name: 'keys and authorities',
      ok: false,
      message: 'internal.unexpected',
    });
    expect(answer.body).not.toContain('/secret');
  });

  test('is ready again within a second when the database is back', async () => {
    diagnoses = [];
    health = async () => {
      throw new InnsigliError('store.unavailable', 'away');
    };
    nowMs += 60_000;
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    const statusAfter = async (timeMs: number) => {
      nowMs += timeMs;
      return (await app.inject({ url: '/readyz' })).statusCode;
    };
    expect(await statusAfter(0)).toBe(503);
    health = async () => ({ store: database, due: [] });
    // Frequent requests do not cause frequent checks.
    expect(await statusAfter(100)).toBe(503);
    expect(await statusAfter(900)).toBe(200);
    await app.close();
  });

  test.each([
    ['16 KB are free', async () => ({ freeBytes: 16 * 1024 }), 'store.full'],
    [
      'the folder cannot be written',
      async () => {
        throw new InnsigliError('store.readonly', 'cannot write documents to /secret');
      },
      'store.readonly',
    ],
  ] as const)('answers 503 if documents cannot be stored: %s', async (_what, found, message) => {
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    storage = found as typeof storage;
    const answer = await ask();
    storage = async () => ({ freeBytes: 2 ** 30 });
    expect(answer.statusCode).toBe(503);
    expect(answer.json().checks.at(-1)).toEqual({ name: 'document storage', ok: false, message });
  });

  test.each([
    ['time-stamp authority', () => (hang = { check: 'time-stamp authority' })],
    ['database writes', () => (health = () => new Promise(() => undefined))],
    ['document storage', () => (storage = () => new Promise(() => undefined))],
  ] as const)('answers in time and names the check if %s hangs', async (name, begin) => {
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    begin();
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    let tookMs = 0;
    const answers = await inNoTime(
      () => Promise.all([1, 2, 3].map(() => app.inject({ url: '/readyz' }))),
      (ms) => {
        tookMs += ms;
      },
    );
    await app.close();
    hang = undefined;
    storage = async () => ({ freeBytes: 2 ** 30 });
    expect(tookMs).toBeLessThan(2500);
    for (const answer of answers) {
      expect(answer.statusCode).toBe(503);
      const bad = answer.json().checks.filter(({ ok }: { readonly ok: boolean }) => !ok);
      expect(bad).toEqual([{ name, ok: false, message: 'no response within 1500 ms' }]);
    }
  });

  test('reports an outage of the database immediately, and clears it when the database is back', async () => {
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    nowMs += 60_000;
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    const status = async () => {
      const answer = await app.inject({ url: '/readyz' });
      const { checks } = answer.json();
      return [answer.statusCode, checks.filter(({ ok }: { readonly ok: boolean }) => !ok)];
    };
    const gone = [503, [{ name: 'database writes', ok: false, message: 'store.replaced' }]];
    expect(await status()).toEqual([200, []]);
    isAway = true;
    Object.assign(calls, { diagnose: 0, health: 0 });
    expect(await status()).toEqual(gone);
    nowMs += 60_000;
    // A check of the database would open it, and is not run.
    expect(await status()).toEqual(gone);
    expect(calls).toEqual({ diagnose: 0, health: 0 });
    isAway = false;
    expect(await status()).toEqual([200, []]);
    // The database becomes unavailable during a check, which then fails.
    nowMs += 60_000;
    health = async () => {
      isAway = true;
      throw new InnsigliError('store.unavailable', 'no file');
    };
    diagnoses = [{ name: 'database', status: 'failed', message: 'no file' }];
    expect(await status()).toEqual(gone);
    isAway = false;
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    expect(await status()).toEqual([200, []]);
    await app.close();
  });

  test('repeats a failed check after a few seconds', async () => {
    diagnoses = [{ name: 'database', status: 'failed', message: 'no file' }];
    health = async () => ({ store: database, due: [] });
    nowMs += 60_000;
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    const status = async () => (await app.inject({ url: '/readyz' })).statusCode;
    expect(await status()).toBe(503);
    diagnoses = [];
    nowMs += 2000;
    expect(await status()).toBe(503);
    nowMs += 2000;
    expect(await status()).toBe(200);
    await app.close();
  });

  test('does not repeat a check that hangs, and tolerates a slow authority for a while', async () => {
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    Object.assign(calls, { diagnose: 0, health: 0 });
    nowMs += 60_000;
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    const status = async () =>
      (await inNoTime(async () => app.inject({ url: '/readyz' }))).statusCode;
    expect(await status()).toBe(200);
    hang = { check: 'time-stamp authority' };
    nowMs += 31_000;
    expect(await status()).toBe(200);
    nowMs += 15_000;
    expect(await status()).toBe(503);
    expect(await status()).toBe(503);
    expect(calls.diagnose).toBe(2);
    hang = undefined;
    await app.close();
  });

  test('shares one result among frequent requests', async () => {
    diagnoses = [];
    health = async () => ({ store: database, due: [] });
    Object.assign(calls, { diagnose: 0, health: 0 });
    nowMs += 60_000;
    const app = await buildApi(apiPorts(toolkit, service, io, '1'));
    await Promise.all(Array.from({ length: 50 }, () => app.inject({ url: '/readyz' })));
    expect(calls).toEqual({ diagnose: 1, health: 1 });
    nowMs += 5000;
    await app.inject({ url: '/readyz' });
    expect(calls).toEqual({ diagnose: 1, health: 2 });
    nowMs += 30_000;
    await app.inject({ url: '/readyz' });
    expect(calls).toEqual({ diagnose: 2, health: 3 });
    await app.close();
  });
});

test('a service whose database is closed answers 503 to strangers', async () => {
  const own = await openTestApi();
  await own.service.close();
  const answer = await own.app.inject({ url: '/readyz', remoteAddress: stranger });
  expect([answer.statusCode, answer.json()]).toEqual([503, { ready: false }]);
  await own.app.close();
  rmSync(own.dataDir, { recursive: true, force: true });
}, 60_000);
