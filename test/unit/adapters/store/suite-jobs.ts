import { expect, test } from 'vitest';
import type { JobClaim, Store } from '../../../../src/app/ports/index.ts';
import { type NewPlace, withStore } from './store-place.ts';

const claimOf = (owner: string, nowMs: number, changes: Partial<JobClaim> = {}): JobClaim => ({
  owner,
  kinds: ['message', 'webhook'],
  nowMs,
  leaseMs: 100,
  limit: 10,
  ...changes,
});

const put = (store: Store, ref: string, runAtMs: number, kind: 'message' | 'purge' = 'message') =>
  store.write(({ jobs }) => jobs.put({ kind, ref, runAtMs }));

/** Jobs, leases and their fences. */
export function jobCases(newPlace: NewPlace): void {
  test('due jobs of the wanted kinds are claimed, oldest first', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'late', 30);
      await put(store, 'early', 10);
      await put(store, 'future', 50);
      await put(store, 'other', 5, 'purge');
      expect(await store.read(({ jobs }) => jobs.due(30))).toBe(3);
      const byKind = await store.read(({ jobs }) => jobs.dueByKind(30));
      expect([...byKind].sort((a, b) => a.sinceMs - b.sinceMs)).toEqual([
        { kind: 'purge', count: 1, sinceMs: 5 },
        { kind: 'message', count: 2, sinceMs: 10 },
      ]);
      expect(await store.claimJobs(claimOf('a', 9))).toEqual([]);
      expect(await store.claimJobs(claimOf('a', 30, { kinds: [] }))).toEqual([]);
      expect(await store.claimJobs(claimOf('a', 30, { limit: 0 }))).toEqual([]);
      const job = { kind: 'message', attempts: 1, owner: 'a' };
      expect(await store.claimJobs(claimOf('a', 30))).toEqual([
        { ...job, ref: 'early', runAtMs: 10 },
        { ...job, ref: 'late', runAtMs: 30 },
      ]);
      expect(await store.claimJobs(claimOf('b', 30))).toEqual([]);
    }));

  test('no more than the limit', () =>
    withStore(newPlace, async (store) => {
      for (const ref of ['a', 'b', 'c']) await put(store, ref, 1);
      expect(await store.claimJobs(claimOf('x', 1, { limit: 2 }))).toHaveLength(2);
      expect(await store.claimJobs(claimOf('x', 1, { limit: 2 }))).toHaveLength(1);
    }));

  test('those of certain references only', () =>
    withStore(newPlace, async (store) => {
      for (const ref of ['a', 'b', 'c']) await put(store, ref, 1);
      const some = await store.claimJobs(claimOf('x', 1, { refs: ['c', 'a', 'none'] }));
      expect(some.map(({ ref }) => ref).sort()).toEqual(['a', 'c']);
      expect(await store.claimJobs(claimOf('x', 1, { refs: [] }))).toEqual([]);
      expect(await store.claimJobs(claimOf('x', 1))).toMatchObject([{ ref: 'b' }]);
    }));

  test('what a clock that has gone back since planned or took is due now', () =>
    withStore(newPlace, async (store) => {
      const ahead = 10 * 365 * 86_400_000;
      await put(store, 'planned', ahead);
      await put(store, 'soon', 500);
      await put(store, 'taken', 1);
      await put(store, 'due', 2);
      const [taken] = await store.claimJobs(claimOf('ahead', ahead - 1, { limit: 1 }));
      expect(taken?.ref).toBe('taken');
      expect((await store.claimJobs(claimOf('a', 10, { limit: 9 }))).map((job) => job.ref)).toEqual(
        ['due'],
      );
      const again = await store.claimJobs(claimOf('b', 10, { horizonMs: 1000 }));
      expect(again.map(({ ref }) => ref)).toEqual(['taken', 'planned']);
      expect(await store.claimJobs(claimOf('c', 10, { horizonMs: 1000 }))).toEqual([]);
      expect(await store.write(({ jobs }) => jobs.finish('message', 'taken', 'ahead'))).toBe(false);
    }));

  test('a lease that ran out goes to another, and the first one can no longer end the job', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('slow', 10));
      expect(await store.claimJobs(claimOf('next', 109))).toEqual([]);
      const [again] = await store.claimJobs(claimOf('next', 110));
      expect(again).toMatchObject({ ref: 'm', attempts: 2, owner: 'next', runAtMs: 1 });
      await store.write(async ({ jobs }) => {
        expect(await jobs.finish('message', 'm', 'slow')).toBe(false);
        expect(await jobs.release('message', 'm', 'slow', 500)).toBe(false);
        expect(await jobs.finish('message', 'm', 'next')).toBe(true);
        expect(await jobs.finish('message', 'm', 'next')).toBe(false);
        expect(await jobs.find('message', 'm')).toBeUndefined();
      });
    }));

  test('who holds a job may end it after its lease while nobody took it', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('slow', 10));
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm', 'slow'))).toBe(true);
    }));

  test('a released job comes again at its time and remembers its attempts', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('a', 1));
      await store.write(async ({ jobs }) => {
        expect(await jobs.release('message', 'm', 'a', 50)).toBe(true);
        expect(await jobs.release('message', 'm', 'a', 60)).toBe(false);
        expect(await jobs.find('message', 'm')).toEqual({ kind: 'message', ref: 'm', runAtMs: 50 });
      });
      expect(await store.claimJobs(claimOf('b', 49))).toEqual([]);
      const [job] = await store.claimJobs(claimOf('b', 50));
      expect(job).toMatchObject({ attempts: 2, runAtMs: 50 });
    }));

  test('a job that is put again moves, and whoever held it holds it no longer', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('a', 1));
      await put(store, 'm', 40);
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm', 'a'))).toBe(false);
      expect(await store.claimJobs(claimOf('b', 39))).toEqual([]);
      expect(await store.claimJobs(claimOf('b', 40))).toMatchObject([{ attempts: 1, runAtMs: 40 }]);
    }));

  test('many are released and ended at once, by who holds them', () =>
    withStore(newPlace, async (store) => {
      for (const ref of ['a', 'b', 'c', 'd\'"\\þ']) await put(store, ref, 1);
      await store.claimJobs(claimOf('x', 1, { limit: 3 }));
      const jobs = ['a', 'b', 'd\'"\\þ'].map((ref) => ({ ref, owner: 'x', runAtMs: 77 }));
      const held = await store.write((unit) => unit.jobs.releaseAll('message', jobs));
      expect([...held].sort()).toEqual(['a', 'b']);
      expect(await store.read((unit) => unit.jobs.find('message', 'a'))).toMatchObject({
        runAtMs: 77,
      });
      const ended = await store.write((unit) => unit.jobs.finishAll('message', ['a', 'c'], 'x'));
      expect(ended).toEqual(['c']);
      expect(await store.write((unit) => unit.jobs.releaseAll('message', []))).toEqual([]);
    }));

  test('a job without an owner is removed by anyone', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('a', 1));
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm'))).toBe(true);
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm'))).toBe(false);
    }));
}
