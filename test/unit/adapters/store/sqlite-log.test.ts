import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { addTestFlow, testNowMs, testVault } from '../../../support/store.ts';
import { newSqlitePlace, type TestPlace } from './store-place.ts';
import { testScreening } from './suite-screenings.ts';

let place: TestPlace;
let store: Store;
const open = () => openSqliteStore({ path: place.target, vault: testVault, now: () => testNowMs });
beforeEach(async () => {
  place = await newSqlitePlace();
  store = await open();
  await store.checkpoint();
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

/** Pages after which a commit of SQLite would run a checkpoint by itself. */
const USUAL_PAGES = 1000;
const text = 'x'.repeat((USUAL_PAGES + 200) * 4096);
const put = (name: string) => store.write(({ facts }) => facts.put(name, text, testNowMs));
const fileBytes = () => statSync(place.target).size;

test('commits write to the log, and a checkpoint copies it into the file', async () => {
  const empty = fileBytes();
  await put('one');
  await put('two');
  expect(fileBytes()).toBe(empty);
  // As the jobs do it: over a separate connection.
  const other = await open();
  await other.checkpoint();
  await other.close();
  expect(fileBytes()).toBeGreaterThan(empty + 2 * text.length);
});

test('a commit copies a long log into the file if no checkpoint is running', async () => {
  const empty = fileBytes();
  for (const name of ['1', '2', '3', '4', '5', '6', '7']) await put(name);
  expect(fileBytes()).toBeGreaterThan(empty + 6 * text.length);
});

test('a checkpoint of a long log does not wait for writers', async () => {
  const other = await open();
  await put('one');
  await put('two');
  await store.write(async ({ facts }) => {
    await facts.put('three', text, testNowMs);
    const startedAt = performance.now();
    await other.checkpoint();
    expect(performance.now() - startedAt).toBeLessThan(1000);
  });
  await other.close();
  expect(await store.read(({ facts }) => facts.find('three'))).toBe(text);
});

test('a checkpoint during a transaction leaves it intact', async () => {
  await store.write(async ({ facts }) => {
    await facts.put('one', text, testNowMs);
    await store.checkpoint();
  });
  expect(await store.read(({ facts }) => facts.find('one'))).toBe(text);
});

test('screenings that share a commit write little more than their own pages', async () => {
  const COMMITS = 60;
  const TOGETHER = 4;
  await store.write(addTestFlow);
  await store.checkpoint();
  const pages = () => statSync(`${place.target}-wal`).size / 4120;
  let seq = 0;
  const commit = async () => {
    const added = Array.from({ length: TOGETHER }, () => {
      seq += 1;
      const row = testScreening(seq, `${1e12 + seq}`.padStart(32, '0'), 900);
      return store.write(({ screenings }) => screenings.add(row));
    });
    await Promise.all(added);
  };
  // The log restarts with the first commit after a checkpoint.
  await commit();
  const before = pages();
  for (let count = 0; count < COMMITS; count++) await commit();
  // Two rows of 1.4 KB fit on a page; both indexes and the first page are shared.
  const perScreening = (pages() - before) / (COMMITS * TOGETHER);
  expect(perScreening).toBeGreaterThan(0.5);
  expect(perScreening).toBeLessThan(1.6);
});
