import { afterAll, beforeAll, describe } from 'vitest';
import { openPostgresStore } from '../../src/adapters/store/index.ts';
import type { Store } from '../../src/app/ports/index.ts';
import { engines, sharedPostgres, whyNot } from '../support/engines.ts';
import { addTestFlow, openTestStore, testNowMs, testVault } from '../support/store.ts';
import { openTestService, type TestService } from './open-service.ts';

/**
 * Describes `title` on SQLite and on PostgreSQL; `tests` gets a function that returns the service.
 *
 * @param settings environment variables
 */
export function describeOnEngines(
  title: string,
  tests: (it: () => TestService) => void,
  settings: Readonly<Record<string, string>> = {},
): void {
  onEngines(
    title,
    (dsn) =>
      openTestService({ ...settings, ...(dsn === undefined ? {} : { INNSIGLI_DATABASE: dsn }) }),
    tests,
  );
}

/**
 * Like {@link describeOnEngines}, with a store that has the company and flow of the tests.
 *
 * @param leaseNow clock of leases. Default: a fixed time
 */
export function describeStores(
  title: string,
  tests: (store: () => Store) => void,
  leaseNow: () => number = () => testNowMs,
): void {
  const open = async (dsn: string | undefined) => {
    if (dsn === undefined) return openTestStore({ leaseNow });
    const common = { vault: testVault, now: () => testNowMs, leaseNow };
    const store = await openPostgresStore({ dsn, ...common });
    await store.write(addTestFlow);
    return { store, close: () => store.close() };
  };
  onEngines(title, open, (opened) => tests(() => opened().store));
}

function onEngines<Opened extends { close(): Promise<void> }>(
  title: string,
  open: (dsn: string | undefined) => Promise<Opened>,
  tests: (opened: () => Opened) => void,
): void {
  for (const engine of engines) {
    const why = whyNot(engine);
    describe.skipIf(why !== '')(`${title}, ${engine}${why}`, () => {
      let opened: Opened | undefined;
      beforeAll(async () => {
        const dsn = engine === 'postgresql' ? await sharedPostgres().newDatabase() : undefined;
        opened = await open(dsn);
      }, 120_000);
      afterAll(async () => {
        await opened?.close();
      });
      tests(() => opened as Opened);
    });
  }
}
