import { describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../../src/adapters/store/index.ts';
import { schemaVersion } from '../../../../src/adapters/store/migrate.ts';
import { sharedPostgres, whyNot } from '../../../support/engines.ts';
import { testNowMs, testVault } from '../../../support/store.ts';
import { newPostgresPlace, openStoreAt } from './store-place.ts';
import { storeSuite } from './store-suite.ts';

const why = whyNot('postgresql');

describe.skipIf(why !== '')(`a store on PostgreSQL${why}`, () => {
  const server = sharedPostgres();

  storeSuite(() => newPostgresPlace(server));

  test('processes that open an empty database concurrently create one schema', async () => {
    const place = await newPostgresPlace(server);
    const stores = await Promise.all([1, 2, 3, 4].map(() => openStoreAt(place)));
    for (const store of stores) {
      expect(await store.health()).toMatchObject({ engine: 'postgresql', schemaVersion });
      await store.close();
    }
  });

  test('an unreachable server is unavailable', async () => {
    const dsn = 'postgres://innsigli@localhost/none?host=%2Fnonexistent';
    const opening = openPostgresStore({ dsn, vault: testVault, now: () => testNowMs });
    await expect(opening).rejects.toMatchObject({ code: 'store.unavailable' });
  });

  test('a missing database is unavailable', async () => {
    const dsn = (await server.newDatabase()).replace('/postgres?', '/none?');
    const opening = openPostgresStore({ dsn, vault: testVault, now: () => testNowMs });
    await expect(opening).rejects.toMatchObject({ code: 'store.unavailable' });
  });
});
