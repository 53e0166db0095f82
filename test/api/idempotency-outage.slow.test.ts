import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  postgresMissing,
  type ServerControl,
  startPostgres,
  type TestServer,
} from '../support/postgres.ts';
import { type PostgresProxy, startProxy } from '../support/postgres-proxy.ts';
import { agreement, openTestApi, type TestApi } from './support/open-api.ts';

const missing =
  postgresMissing ??
  (process.env['INNSIGLI_TEST_PG_DSN'] === undefined ? undefined : 'the server is a given one');
const why = missing === undefined ? '' : ` (skipped: ${missing})`;

describe.skipIf(missing !== undefined)(
  `Idempotency-Key during an outage of PostgreSQL${why}`,
  () => {
    let server: TestServer;
    let proxy: PostgresProxy;
    let api: TestApi;
    beforeAll(async () => {
      server = await startPostgres();
      proxy = await startProxy((server.control as ServerControl).folder);
      const dsn = proxy.through(await server.newDatabase());
      api = await openTestApi({}, { INNSIGLI_DATABASE: dsn, INNSIGLI_DATABASE_CONNECTIONS: '1' });
    }, 90_000);
    afterAll(async () => {
      await api?.close();
      await proxy?.close();
      await server?.stop();
    });

    const create = (key: string) =>
      api.app.inject({
        method: 'POST',
        url: '/api/management/signing',
        headers: { authorization: api.basic, 'idempotency-key': key },
        payload: {
          flowKey: api.flowKey,
          pdfDocument: agreement.toString('base64'),
          pdfFileName: `${key}.pdf`,
          createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
        },
      });
    const made = async (name: string) => {
      const list = await api.toolkit.processes.list({ skip: 0, take: 500, search: `${name}.pdf` });
      return list.map(({ key }) => key);
    };
    /** Repeats a request as a client does: as long as it is still reported as running. */
    const repeated = async (key: string) => {
      const statuses: number[] = [];
      for (let round = 0; round < 60; round++) {
        const answer = await create(key);
        statuses.push(answer.statusCode);
        if (answer.statusCode !== 409 && answer.statusCode !== 503) return { answer, statuses };
        await sleep(50);
      }
      throw new Error(`it never came to its end: ${statuses.join(' ')}`);
    };
    /** Statements of the request, in order. */
    const statements = async () => {
      await create('first');
      proxy.cutAt(-1, 'before');
      await create('count');
      return proxy.count;
    };

    test('connection lost at any statement: the repeat does the work once, and without delay', async () => {
      const count = await statements();
      expect(count).toBeGreaterThan(15);
      let commits = 0;
      for (let at = 1; at <= count; at++) {
        for (const when of ['before', 'after'] as const) {
          const key = `cut-${at}-${when}`;
          proxy.cutAt(at, when);
          const first = await create(key);
          const text = proxy.cutText ?? '';
          proxy.cutAt(-1, 'before');
          if (text === 'commit') commits += 1;
          expect([200, 503]).toContain(first.statusCode);
          if (first.statusCode === 503) expect(first.headers['retry-after']).toBe('2');
          const { answer, statuses } = await repeated(key);
          const told = [key, text, statuses.length <= 3, answer.statusCode];
          expect(told).toEqual([key, text, true, 200]);
          expect([key, text, await made(key)]).toEqual([key, text, [answer.json().key]]);
          if (first.statusCode === 200) expect(answer.json().key).toBe(first.json().key);
        }
      }
      expect(commits).toBeGreaterThanOrEqual(4);
    }, 60_000);

    const isWork = (text: string) => text.includes('insert into "process"');
    test.each([
      ['during its commit', 'commit', 'after', 200],
      ['before its commit', 'commit', 'before', 503],
      ['during its work', 'insert into "process"', 'before', 503],
      ['while storing the response', 'update "kept_answer" set "data"', 'before', 200],
    ] as const)(
      'database unavailable %s: the repeat does the work once',
      async (what, wanted, when, status) => {
        const key = `away-${what.replaceAll(' ', '-')}`;
        // The commit of the actual work.
        const choice = (text: string, earlier: readonly string[]) =>
          text.includes(wanted) && (wanted !== 'commit' || earlier.some(isWork));
        proxy.cutAt(choice, when);
        const running = create(key);
        while (proxy.cutText === undefined) await sleep(2);
        expect(proxy.cutText).toContain(wanted);
        proxy.isDown = true;
        proxy.cutAt(-1, 'before');
        await sleep(700);
        proxy.isDown = false;
        const upAt = performance.now();
        const first = await running;
        expect(first.statusCode).toBe(status);
        const { answer } = await repeated(key);
        expect(performance.now() - upAt).toBeLessThan(3000);
        expect(await made(key)).toEqual([answer.json().key]);
        if (status === 200) expect(answer.json().key).toBe(first.json().key);
        if (status === 200) expect(answer.headers['idempotency-replayed']).toBe('true');
      },
      30_000,
    );
  },
);
