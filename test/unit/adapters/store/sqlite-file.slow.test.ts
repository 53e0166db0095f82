import {
  chmodSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { foreignSqlite } from '../../../support/foreign-sqlite.ts';
import {
  addTestFlow,
  testCompany,
  testNowMs,
  testProcess,
  testVault,
} from '../../../support/store.ts';
import { newSqlitePlace, type TestPlace } from './store-place.ts';

/** Called once, between the check of the file and its opening. */
let afterPrepared: (() => void) | undefined;
vi.mock('../../../../src/adapters/store/sqlite/sqlite-file.ts', async (original) => {
  const real =
    await original<typeof import('../../../../src/adapters/store/sqlite/sqlite-file.ts')>();
  return {
    ...real,
    prepareSqliteFile: (...given: Parameters<typeof real.prepareSqliteFile>) => {
      const made = real.prepareSqliteFile(...given);
      afterPrepared?.();
      afterPrepared = undefined;
      return made;
    },
  };
});

const hasLockList = existsSync('/proc/locks');
if (!hasLockList) console.warn('SKIPPED test of /proc/locks: this system has none');

const foreign = foreignSqlite();
if (foreign === undefined) console.warn('SKIPPED tests with a foreign SQLite: none is here');

/** Opens the database in a different process, runs `sql`, and closes it. */
function elsewhere(path: string, sql: string): string {
  return foreign?.(path, sql) ?? '';
}

const all = { companyKey: testCompany.key };

/** Locks that this process holds on a file. */
function ownLocks(path: string): readonly string[] {
  const { ino } = statSync(path);
  return readFileSync('/proc/locks', 'utf8')
    .split('\n')
    .filter((line) => line.includes(` ${process.pid} `) && line.includes(`:${ino} `));
}

describe('the file of a SQLite store', () => {
  let place: TestPlace;
  const opened: Store[] = [];
  const open = async () => {
    const store = await openSqliteStore({
      path: place.target,
      vault: testVault,
      now: () => testNowMs,
    });
    opened.push(store);
    return store;
  };
  const add = (store: Store, number: number) =>
    store.write(({ processes }) => processes.add(testProcess(number)));
  const count = () => elsewhere(place.target, 'SELECT count(*) FROM process');
  beforeEach(async () => {
    place = await newSqlitePlace();
  });
  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
    await place.remove();
  });

  test.skipIf(!hasLockList)('stays locked when the same process opens it again', async () => {
    const first = await open();
    await first.write(addTestFlow);
    expect(ownLocks(place.target)).not.toEqual([]);
    const second = await open();
    expect(ownLocks(place.target)).not.toEqual([]);
    await second.close();
    expect(ownLocks(place.target)).not.toEqual([]);
  });

  test.skipIf(foreign === undefined)(
    'keeps its -wal and -shm files while a different program opens, writes and closes it',
    async () => {
      const first = await open();
      await first.write(addTestFlow);
      const second = await open();
      await add(first, 1);
      expect(count()).toBe('1');
      expect(existsSync(`${place.target}-wal`)).toBe(true);
      elsewhere(place.target, `UPDATE company SET data = data`);
      await add(second, 2);
      await add(first, 3);
      expect(count()).toBe('3');
    },
  );

  test('is monitored at its real path, also through a link', async () => {
    const linked = join(dirname(place.target), 'real.db');
    const first = await open();
    await first.write(addTestFlow);
    await opened.pop()?.close();
    renameSync(place.target, linked);
    symlinkSync(linked, place.target);
    const store = await open();
    await add(store, 1);
    renameSync(`${linked}-wal`, `${linked}-wal.away`);
    await expect(add(store, 2)).rejects.toMatchObject({ code: 'store.replaced' });
    renameSync(`${linked}-wal.away`, `${linked}-wal`);
    await add(store, 2);
  });

  test('is readable by its owner only, even if it was not before', async () => {
    const first = await open();
    expect(statSync(place.target).mode & 0o777).toBe(0o600);
    await first.write(addTestFlow);
    for (const end of ['', '-wal', '-shm']) chmodSync(place.target + end, 0o644);
    await open();
    for (const end of ['', '-wal', '-shm']) {
      expect(statSync(place.target + end).mode & 0o777, end).toBe(0o600);
    }
  });

  test('accepts no changes after it was moved or replaced', async () => {
    const store = await open();
    await store.write(addTestFlow);
    await add(store, 1);
    renameSync(place.target, `${place.target}.away`);
    const gone = { code: 'store.replaced' };
    await expect(add(store, 2)).rejects.toMatchObject(gone);
    await expect(store.health()).rejects.toMatchObject(gone);
    writeFileSync(place.target, '');
    await expect(add(store, 2)).rejects.toMatchObject(gone);
    await expect(store.read(({ companies }) => companies.list())).rejects.toMatchObject(gone);
    renameSync(`${place.target}.away`, place.target);
    await add(store, 2);
    renameSync(`${place.target}-wal`, `${place.target}-wal.away`);
    await expect(add(store, 3)).rejects.toMatchObject(gone);
    renameSync(`${place.target}-wal.away`, `${place.target}-wal`);
    await add(store, 3);
    renameSync(`${place.target}-shm`, `${place.target}-shm.away`);
    await expect(add(store, 4)).rejects.toMatchObject(gone);
    renameSync(`${place.target}-shm.away`, `${place.target}-shm`);
    expect(await store.read(({ processes }) => processes.count(all))).toBe(3);
  });

  describe('when it is missing', () => {
    const away = (end: string) => renameSync(place.target + end, `${place.target}${end}.away`);
    const back = (end: string) => renameSync(`${place.target}${end}.away`, place.target + end);
    const logs = () => ['-wal', '-shm'].map((end) => statSync(place.target + end).ino);
    let store: Store;
    let before: readonly number[];
    beforeEach(async () => {
      store = await open();
      await store.write(addTestFlow);
      await add(store, 1);
      before = logs();
    });
    const isWhole = async () => {
      expect(logs()).toEqual(before);
      await add(store, 2);
      expect(await store.read(({ processes }) => processes.count(all))).toBe(2);
    };

    test('is not created if the file disappears during opening', async () => {
      afterPrepared = () => away('');
      await expect(open()).rejects.toMatchObject({ code: 'store.unavailable' });
      expect(existsSync(place.target)).toBe(false);
      back('');
      await isWhole();
    });

    test.each([
      ['an empty file has replaced it', () => writeFileSync(place.target, '')],
      ['nothing has replaced it', () => undefined],
    ])('keeps its log if %s', async (_, put) => {
      away('');
      put();
      await expect(open()).rejects.toMatchObject({ code: 'store.replaced' });
      rmSync(place.target, { force: true });
      back('');
      await isWhole();
    });

    test('is rejected if the log is missing next to its index', async () => {
      away('-wal');
      await expect(open()).rejects.toMatchObject({
        code: 'store.replaced',
        message: `expected ${place.target}-wal, found only ${place.target}-shm`,
      });
      expect(existsSync(`${place.target}-wal`)).toBe(false);
      back('-wal');
      await isWhole();
    });
  });
});
