import { statSync } from 'node:fs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { testNowMs, testVault } from '../../../support/store.ts';
import { newSqlitePlace, type TestPlace } from './store-place.ts';

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

/** Pages that a commit of SQLite would bring into the file by itself. */
const USUAL_PAGES = 1000;
const text = 'x'.repeat((USUAL_PAGES + 200) * 4096);
const put = (name: string) => store.write(({ facts }) => facts.put(name, text, testNowMs));
const fileBytes = () => statSync(place.target).size;

test('commits leave what they wrote in the log, and a checkpoint brings it into the file', async () => {
  const empty = fileBytes();
  await put('one');
  await put('two');
  expect(fileBytes()).toBe(empty);
  // As the jobs do it: over a connection of their own.
  const other = await open();
  await other.checkpoint();
  await other.close();
  expect(fileBytes()).toBeGreaterThan(empty + 2 * text.length);
});

test('a log that nobody looks after is brought into the file by a commit', async () => {
  const empty = fileBytes();
  for (const name of ['one', 'two', 'three', 'four']) await put(name);
  expect(fileBytes()).toBeGreaterThan(empty + 3 * text.length);
});

test('a checkpoint amid a transaction leaves it alone', async () => {
  await store.write(async ({ facts }) => {
    await facts.put('one', text, testNowMs);
    await store.checkpoint();
  });
  expect(await store.read(({ facts }) => facts.find('one'))).toBe(text);
});
