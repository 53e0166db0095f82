import type { fdatasync } from 'node:fs';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openSqliteStore } from '../../../../src/adapters/store/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { addTestFlow, testNowMs, testProcess, testVault } from '../../../support/store.ts';
import { newSqlitePlace, type TestPlace } from './store-place.ts';

/** Completes a pending sync; with an error it fails. */
type Flush = (error: Error | null) => void;

const disk = vi.hoisted(() => ({ waiting: [] as Flush[] }));
vi.mock('node:fs', async (actual) => ({
  ...(await actual<object>()),
  fdatasync: ((_file, done) => void disk.waiting.push(done)) as typeof fdatasync,
}));

let place: TestPlace;
let store: Store;
beforeEach(async () => {
  place = await newSqlitePlace();
  store = await openSqliteStore({ path: place.target, vault: testVault, now: () => testNowMs });
  await store.write(addTestFlow);
});
afterEach(async () => {
  await store.close();
  await place.remove();
});

const { key } = testProcess(1);
const add = (number: number) =>
  store.writeOverlapped(({ processes }) => processes.add(testProcess(number)));
const find = () => store.read(({ processes }) => processes.find(key));
const flush = async (error: Error | null) => {
  await vi.waitFor(() => expect(disk.waiting).toHaveLength(1));
  disk.waiting.pop()?.(error);
};

test('a read that may have seen unflushed data waits for the flush', async () => {
  const events: string[] = [];
  const writing = add(1).then(() => events.push('written'));
  await vi.waitFor(() => expect(disk.waiting).toHaveLength(1));
  const reading = find().then((found) => events.push(found === undefined ? 'nothing' : 'read'));
  await new Promise(setImmediate);
  expect(events).toEqual([]);
  await flush(null);
  await Promise.all([writing, reading]);
  expect(events).toEqual(['written', 'read']);
});

test('after a failed flush nothing is written or read until the program restarts', async () => {
  const writing = add(1);
  await Promise.all([
    expect(writing).rejects.toMatchObject({ code: 'store.unavailable' }),
    flush(new Error('EIO')),
  ]);
  const refused = { code: 'store.unavailable', hint: expect.stringContaining('start') };
  await expect(add(2)).rejects.toMatchObject(refused);
  await expect(store.write(async () => 0)).rejects.toMatchObject(refused);
  await expect(find()).rejects.toMatchObject(refused);
  expect(() => store.requireInPlace()).toThrow('the disk lost written data');
});
