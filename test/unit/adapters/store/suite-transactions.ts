import { expect, test } from 'vitest';
import type { Store, StoreUnit } from '../../../../src/app/ports/index.ts';
import { InnsigliError } from '../../../../src/base/errors.ts';
import { testProcess } from '../../../support/store.ts';
import { type NewPlace, openStoreAt, withStore } from './store-place.ts';

const first = testProcess(1);

const revOf = (store: Store) =>
  store.read(async ({ processes }) => (await processes.find(first.key))?.rev);

const raise = async ({ processes }: StoreUnit): Promise<void> => {
  const found = await processes.lock(first.key);
  if (found === undefined) throw new Error('no process');
  if (!(await processes.save({ ...found, rev: found.rev + 1 }))) throw new Error('rev was taken');
};

/** Transactions are atomic and isolated. */
export function transactionCases(newPlace: NewPlace): void {
  test('a transaction that throws is rolled back and its error is rethrown', () =>
    withStore(newPlace, async (store) => {
      const refusal = new InnsigliError('process.state.refused', 'no');
      const failing = store.write(async ({ processes, jobs }) => {
        await processes.add(first);
        await jobs.put({ kind: 'expire', ref: first.key, runAtMs: 1 });
        throw refusal;
      });
      await expect(failing).rejects.toBe(refusal);
      expect(await revOf(store)).toBeUndefined();
      expect(await store.read(({ jobs }) => jobs.due(9))).toBe(0);
    }));

  test('of concurrent writes those that throw do not affect the others', () =>
    withStore(newPlace, async (store) => {
      const writes = Array.from({ length: 20 }, (_, number) =>
        store.write(async ({ processes }) => {
          await processes.add(testProcess(number));
          if (number % 3 === 0) throw new Error(`no ${number}`);
          return number;
        }),
      );
      const settled = await Promise.allSettled(writes);
      for (const [number, { status }] of settled.entries()) {
        expect(status).toBe(number % 3 === 0 ? 'rejected' : 'fulfilled');
        const key = testProcess(number).key;
        const found = await store.read(({ processes }) => processes.find(key));
        expect(found === undefined).toBe(number % 3 === 0);
      }
    }));

  test('a rejected row fails only its own transaction', () =>
    withStore(newPlace, async (store) => {
      await store.write(({ processes }) => processes.add(first));
      const twice = store.write(({ processes }) => processes.add(first));
      const other = store.write(({ processes }) => processes.add(testProcess(2)));
      await expect(twice).rejects.toMatchObject({ code: 'internal.unexpected' });
      await other;
      expect(await store.read(({ processes }) => processes.find(testProcess(2).key))).toBeDefined();
    }));

  test('a read sees one snapshot and does not wait for a writer', () =>
    withStore(newPlace, async (store) => {
      await store.write(({ processes }) => processes.add(first));
      await store.read(async ({ processes }) => {
        expect((await processes.find(first.key))?.rev).toBe(1);
        await store.write(raise);
        expect((await processes.find(first.key))?.rev).toBe(1);
      });
      await store.write(async (unit) => {
        await raise(unit);
        expect(await revOf(store)).toBe(2);
      });
      expect(await revOf(store)).toBe(3);
    }));

  test('concurrent reads return the same revision', () =>
    withStore(newPlace, async (store) => {
      await store.write(({ processes }) => processes.add(first));
      const revs = await Promise.all(Array.from({ length: 40 }, () => revOf(store)));
      expect(new Set(revs)).toEqual(new Set([1]));
    }));

  test('a read that writes is rejected', () =>
    withStore(newPlace, async (store) => {
      const writing = store.read(({ processes }) => processes.add(first));
      await expect(writing).rejects.toMatchObject({ code: 'store.readonly' });
      expect(await revOf(store)).toBeUndefined();
    }));

  test('of two connections that read the same revision one saves', () =>
    withStore(newPlace, async (store, place) => {
      const other = await openStoreAt(place);
      try {
        await store.write(({ processes }) => processes.add(first));
        const next = { ...first, rev: 2 };
        const saves = [store, other, store, other].map((each, index) =>
          each.write(({ processes }) => processes.save({ ...next, fileName: `${index}.pdf` })),
        );
        const outcomes = await Promise.all(saves);
        expect(outcomes.filter(Boolean)).toHaveLength(1);
        const found = await other.read(({ processes }) => processes.find(first.key));
        expect(found?.fileName).toBe(`${outcomes.indexOf(true)}.pdf`);
      } finally {
        await other.close();
      }
    }));

  test('writers on two connections that lock first lose no change', () =>
    withStore(newPlace, async (store, place) => {
      const other = await openStoreAt(place);
      try {
        await store.write(({ processes }) => processes.add(first));
        const all = Array.from({ length: 40 }, (_, index) => (index % 2 ? store : other));
        await Promise.all(all.map((each) => each.write(raise)));
        expect(await revOf(store)).toBe(41);
      } finally {
        await other.close();
      }
    }));

  test('a query after the end of its transaction throws and writes nothing', () =>
    withStore(newPlace, async (store) => {
      const kept = await store.write(async (unit) => unit);
      await expect(kept.processes.add(first)).rejects.toThrow();
      expect(await revOf(store)).toBeUndefined();
    }));

  test('timers run between consecutive writes and reads', () =>
    withStore(newPlace, async (store) => {
      let isOver = false;
      const timer = setTimeout(() => {
        isOver = true;
      }, 30);
      const giveUpAt = performance.now() + 3000;
      while (!isOver && performance.now() < giveUpAt) {
        await store.write(async ({ jobs }) => jobs.put({ kind: 'purge', ref: 'x', runAtMs: 1 }));
      }
      expect(isOver).toBe(true);
      isOver = false;
      timer.refresh();
      while (!isOver && performance.now() < giveUpAt + 3000) await revOf(store);
      expect(isOver).toBe(true);
    }));

  test('closing waits for transactions under way', () =>
    withStore(newPlace, async (store, place) => {
      const passing = await openStoreAt(place);
      const writes = [1, 2, 3].map((number) =>
        passing.write(({ processes }) => processes.add(testProcess(number))),
      );
      await passing.close();
      await Promise.all(writes);
      await passing.close();
      expect(await store.read(({ processes }) => processes.find(testProcess(3).key))).toBeDefined();
    }));
}
