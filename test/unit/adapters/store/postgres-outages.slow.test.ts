import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  openPostgresStore,
  type PostgresStoreOptions,
} from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import {
  postgresMissing,
  type ServerControl,
  startPostgres,
  type TestServer,
} from '../../../support/postgres.ts';
import { type PostgresProxy, startProxy } from '../../../support/postgres-proxy.ts';
import { addTestFlow, testNowMs, testProcess, testVault } from '../../../support/store.ts';

const missing =
  postgresMissing ??
  (process.env['INNSIGLI_TEST_PG_DSN'] === undefined ? undefined : 'the server is a given one');
const why = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(`outages of PostgreSQL${why}`, () => {
  let server: TestServer;
  let control: ServerControl;
  let proxy: PostgresProxy;
  let dsn: string;
  let store: Store;
  let number = 0;
  beforeAll(async () => {
    server = await startPostgres({ maxConnections: 12 });
    control = server.control as ServerControl;
    proxy = await startProxy(control.folder);
  }, 60_000);
  afterAll(async () => {
    await proxy?.close();
    await server?.stop();
  });
  const open = (changes: Partial<PostgresStoreOptions> = {}) =>
    openPostgresStore({ dsn, vault: testVault, now: () => testNowMs, ...changes });
  beforeEach(async () => {
    dsn = await server.newDatabase();
    store = await open();
    await store.write(addTestFlow);
  });
  afterEach(() => store.close());

  const add = (to = store) => to.write(({ processes }) => processes.add(testProcess(++number)));
  const ask = async (text: string) => {
    const client = new pg.Client({ connectionString: dsn });
    await client.connect();
    try {
      return (await client.query(text)).rows as readonly Record<string, unknown>[];
    } finally {
      await client.end();
    }
  };
  const isThere = (key: string) =>
    store.read(async ({ processes }) => (await processes.find(key as never)) !== undefined);

  /** Waits until the server has closed the connections of earlier tests. */
  const othersAreGone = async () => {
    const others = `SELECT count(*)::int AS n FROM pg_stat_activity
      WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
    const left = async () => (await ask(others).catch(() => [{ n: 99 }]))[0]?.['n'];
    await expect.poll(left, { timeout: 8000 }).toBeLessThanOrEqual(2);
  };

  test.each(['fast', 'immediate'] as const)(
    'a %s restart fails only the transactions under way',
    async (how) => {
      const begun = Array.from({ length: 6 }, () => testProcess(++number));
      let waiting = begun.length;
      let goOn = () => {};
      const restarted = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const writes = begun.map((process) =>
        store.write(async ({ processes }) => {
          await processes.add(process);
          waiting -= 1;
          await restarted;
          await processes.find(process.key);
        }),
      );
      const outcomes = Promise.allSettled(writes);
      while (waiting > 0) await sleep(5);
      await control.down(how);
      await expect(add()).rejects.toMatchObject({ code: 'store.unavailable' });
      await control.up();
      goOn();
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({
          status: 'rejected',
          reason: { code: 'store.unavailable' },
        });
      }
      await add();
      for (const { key } of begun) expect(await isThere(key)).toBe(false);
    },
    30_000,
  );

  test('a backend terminated between two statements fails only its transaction', async () => {
    const process = testProcess(++number);
    const writing = store.write(async ({ processes }) => {
      await processes.add(process);
      await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'innsigli'`);
      // The error of the connection arrives now, while no statement is running.
      await sleep(100);
      await processes.find(process.key);
    });
    await expect(writing).rejects.toMatchObject({ code: 'store.unavailable' });
    await add();
    expect(await isThere(process.key)).toBe(false);
  });

  test('a frozen server times out and is used again when it resumes', async () => {
    const limits = { queryTimeoutMs: 400, connectTimeoutMs: 400, connections: 2 };
    const hasty = await open(limits);
    await add(hasty);
    control.freeze();
    try {
      const beganAt = performance.now();
      const all = await Promise.allSettled([add(hasty), add(hasty), add(hasty), hasty.health()]);
      expect(performance.now() - beganAt).toBeLessThan(2500);
      for (const each of all) {
        expect(each).toMatchObject({ status: 'rejected' });
        const { code } = (each as PromiseRejectedResult).reason as { readonly code: string };
        expect(code).toMatch(/^store\.(unavailable|busy)$/);
      }
    } finally {
      control.thaw();
    }
    await add(hasty);
    await hasty.close();
  }, 20_000);

  test('several stores wait for free connections of a full server', async () => {
    await othersAreGone();
    const others = await Promise.all([open(), open(), open()]);
    const all = others.flatMap((each) => Array.from({ length: 12 }, () => add(each)));
    await Promise.all(all);
    for (const each of others) await each.close();
  }, 30_000);

  test('a server without free connections times out, and the store opens when one is free', async () => {
    await store.close();
    await othersAreGone();
    const clients: pg.Client[] = [];
    for (let free = true; free; ) {
      const client = new pg.Client({ connectionString: dsn });
      free = await client.connect().then(
        () => true,
        () => false,
      );
      if (free) clients.push(client);
    }
    try {
      const beganAt = performance.now();
      await expect(open({ connectTimeoutMs: 500 })).rejects.toMatchObject({ code: 'store.busy' });
      expect(performance.now() - beganAt).toBeGreaterThan(300);
      expect(performance.now() - beganAt).toBeLessThan(2000);
      const opening = open({ connectTimeoutMs: 5000 });
      await sleep(300);
      await clients.pop()?.end();
      store = await opening;
    } finally {
      for (const client of clients) await client.end();
    }
  }, 20_000);

  test.each([
    ['before', false],
    ['after', true],
  ] as const)(
    'a connection lost %s the commit is reported as an unknown outcome',
    async (when, there) => {
      const proxied = await open({ dsn: proxy.through(dsn), connections: 1 });
      const job = { kind: 'expire', ref: when, runAtMs: 1 } as const;
      proxy.cutAt(3, when);
      const writing = proxied.write(({ jobs }) => jobs.put(job));
      await expect(writing).rejects.toMatchObject({
        code: 'store.unavailable',
        details: { outcome: 'unknown' },
      });
      expect(proxy.cutText).toBe('commit');
      const found = await store.read(({ jobs }) => jobs.find(job.kind, job.ref));
      expect(found).toEqual(there ? job : undefined);
      await proxied.close();
    },
  );

  test('a connection that broke while idle fails no request', async () => {
    const proxied = await open({ dsn: proxy.through(dsn), connections: 1 });
    proxy.cutAt(1, 'before');
    await add(proxied);
    expect(proxy.cutText).toContain('start transaction');
    proxy.cutAt(2, 'after');
    expect(await proxied.read(({ companies }) => companies.list())).toHaveLength(1);
    expect(proxy.cutText).toContain('select');
    await proxied.close();
  });

  test('a standby rejects changes with a message that names the database', async () => {
    const standby = new URL(dsn);
    const options = `${standby.searchParams.get('options')} -c default_transaction_read_only=on`;
    standby.searchParams.set('options', options);
    const copy = await open({ dsn: standby.href.replaceAll('+', '%20') });
    const refused = { code: 'store.readonly', message: expect.stringContaining('standby') };
    await expect(add(copy)).rejects.toMatchObject(refused);
    expect(await copy.read(({ companies }) => companies.list())).toHaveLength(1);
    await copy.close();
  });

  test('connections carry the application name', async () => {
    const rows = await ask('SELECT DISTINCT application_name AS name FROM pg_stat_activity');
    expect(rows.map(({ name }) => name)).toContain('innsigli');
  });
});
