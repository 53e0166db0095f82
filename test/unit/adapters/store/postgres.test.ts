import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../../src/adapters/store/index.ts';
import { schemaVersion } from '../../../../src/adapters/store/migrate.ts';
import { postgresMissing, startPostgres, type TestServer } from '../../../support/postgres.ts';
import { testNowMs, testVault } from '../../../support/store.ts';
import { newPostgresPlace, openStoreAt } from './store-place.ts';
import { storeSuite } from './store-suite.ts';

const title = `a store on PostgreSQL${postgresMissing === undefined ? '' : `: ${postgresMissing}`}`;

describe.skipIf(postgresMissing !== undefined)(title, () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);
  afterAll(() => server?.stop());

  storeSuite(() => newPostgresPlace(server));

  test('processes that open an empty database at the same time make one schema', async () => {
    const place = await newPostgresPlace(server);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStoreAt(place)));
    for (const store of stores) {
      expect(await store.health()).toMatchObject({ engine: 'postgresql', schemaVersion });
      await store.close();
    }
  });

  test('a server that is not there is unavailable', async () => {
    const dsn = 'postgres://innsigli@localhost/none?host=%2Fnonexistent';
    const opening = openPostgresStore({ dsn, vault: testVault, now: () => testNowMs });
    await expect(opening).rejects.toMatchObject({ code: 'store.unavailable' });
  });

  test('a database that is not there is unavailable', async () => {
    const dsn = (await server.newDatabase()).replace('/postgres?', '/none?');
    const opening = openPostgresStore({ dsn, vault: testVault, now: () => testNowMs });
    await expect(opening).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});
