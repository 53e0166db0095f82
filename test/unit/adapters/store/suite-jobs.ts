import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { JobClaim, Store } from '../../../../src/app/ports/index.ts';
import { execute, type NewPlace, openStoreAt, withLeases, withStore } from './store-place.ts';
import { undoVersion16 } from './suite-facts.ts';

/** Longer than a test takes: most tests use the clock of the database. */
const LEASE_MS = 60_000;

const claimOf = (owner: string, nowMs: number, changes: Partial<JobClaim> = {}): JobClaim => ({
  owner,
  kinds: ['message', 'webhook'],
  nowMs,
  leaseMs: LEASE_MS,
  limit: 10,
  ...changes,
});

const put = (store: Store, ref: string, runAtMs: number, kind: 'message' | 'purge' = 'message') =>
  store.write(({ jobs }) => jobs.put({ kind, ref, runAtMs }));

/** Jobs, leases and their fencing. */
export function jobCases(newPlace: NewPlace): void {
  test('due jobs of the requested kinds are claimed, oldest first', () =>
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

  test('a claim takes no more jobs than its limit', () =>
    withStore(newPlace, async (store) => {
      for (const ref of ['a', 'b', 'c']) await put(store, ref, 1);
      expect(await store.claimJobs(claimOf('x', 1, { limit: 2 }))).toHaveLength(2);
      expect(await store.claimJobs(claimOf('x', 1, { limit: 2 }))).toHaveLength(1);
    }));

  test('a claim can be restricted to references', () =>
    withStore(newPlace, async (store) => {
      for (const ref of ['a', 'b', 'c']) await put(store, ref, 1);
      const some = await store.claimJobs(claimOf('x', 1, { refs: ['c', 'a', 'none'] }));
      expect(some.map(({ ref }) => ref).sort()).toEqual(['a', 'c']);
      expect(await store.claimJobs(claimOf('x', 1, { refs: [] }))).toEqual([]);
      expect(await store.claimJobs(claimOf('x', 1))).toMatchObject([{ ref: 'b' }]);
    }));

  test('jobs planned by a clock that has since been set back are due now', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'planned', 10 * 365 * 86_400_000);
      await put(store, 'soon', 500);
      // Planned by a host whose clock is ahead.
      await put(store, 'later', 1000 + 600_000);
      expect(await store.claimJobs(claimOf('a', 10))).toEqual([]);
      const again = await store.claimJobs(claimOf('b', 10, { horizonMs: 1000 }));
      expect(again.map(({ ref }) => ref)).toEqual(['planned']);
      expect(await store.claimJobs(claimOf('c', 10, { horizonMs: 1000 }))).toEqual([]);
    }));

  test('a lease from before the clock of the store was set back has ended', () =>
    withLeases(newPlace, async (store, clock) => {
      await put(store, 'm', 1);
      clock.ms = 1e12;
      await store.claimJobs(claimOf('before', 10));
      clock.ms -= LEASE_MS;
      // A difference this small is not a clock step, but that between two servers.
      expect(await store.claimJobs(claimOf('a', 10))).toEqual([]);
      clock.ms = 5;
      expect(await store.claimJobs(claimOf('b', 10))).toMatchObject([{ ref: 'm', attempts: 2 }]);
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm', 'before'))).toBe(false);
    }));

  for (const aheadMs of [600_000, -600_000, 3_600_000]) {
    test(`a host whose clock is ${aheadMs} ms ahead takes over no leased job`, () =>
      withStore(newPlace, async (store, place) => {
        const nowMs = Date.now();
        const other = await openStoreAt(place);
        const lease = { leaseMs: 60_000 };
        for (const ref of ['a', 'b']) await put(store, ref, 1);
        const claimed = await store.claimJobs(claimOf('right', nowMs, { ...lease, limit: 1 }));
        expect(claimed).toHaveLength(1);
        const theirs = await other.claimJobs(claimOf('wrong', nowMs + aheadMs, lease));
        expect(theirs).toMatchObject([{ ref: 'b' }]);
        await other.write(({ jobs }) => jobs.renew('message', ['b'], 'wrong', 60_000));
        expect(await store.claimJobs(claimOf('right', nowMs, lease))).toEqual([]);
        await other.write(({ jobs }) => jobs.renew('message', ['b'], 'wrong', 1));
        await sleep(20);
        expect(await store.claimJobs(claimOf('right', nowMs, lease))).toMatchObject([{ ref: 'b' }]);
        await other.close();
      }));
  }

  test('jobs of version 15 stay planned, and held ones are free', async () => {
    const place = await newPlace();
    const older = await openStoreAt(place);
    for (const [ref, runAtMs] of [
      ['held', 1],
      ['free', 2],
      ['later', 50],
    ] as const) {
      await put(older, ref, runAtMs);
    }
    await older.claimJobs(claimOf('older', 10, { limit: 1 }));
    await older.close();
    const held = "UPDATE job SET due_at = 9000000000000 WHERE ref = 'held'";
    await execute(place, `${undoVersion16} ${held}`);
    const newer = await openStoreAt(place);
    const claimed = await newer.claimJobs(claimOf('newer', 10));
    expect(claimed.map(({ ref, attempts }) => [ref, attempts])).toEqual([
      ['held', 2],
      ['free', 1],
    ]);
    await newer.close();
    await place.remove();
  });

  test('whether a job is still held can be queried', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      const [job] = await store.claimJobs(claimOf('a', 10));
      if (job === undefined) throw new Error('expected the job');
      expect(await store.read(({ jobs }) => jobs.isHeld(job))).toBe(true);
      await put(store, 'm', 1);
      expect(await store.read(({ jobs }) => jobs.isHeld(job))).toBe(false);
    }));

  test('a held job is not counted as due until its lease ends', () =>
    withLeases(newPlace, async (store, clock) => {
      await put(store, 'm', 7);
      await store.claimJobs(claimOf('a', 10));
      expect(await store.read(({ jobs }) => jobs.due(1e6))).toBe(0);
      clock.ms += LEASE_MS;
      expect(await store.read(({ jobs }) => jobs.dueByKind(1e6))).toEqual([
        { kind: 'message', count: 1, sinceMs: 7 },
      ]);
    }));

  test('an expired lease passes to a different worker, and the first can no longer finish the job', () =>
    withLeases(newPlace, async (store, clock) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('slow', 10));
      clock.ms += LEASE_MS - 1;
      expect(await store.claimJobs(claimOf('next', 110))).toEqual([]);
      clock.ms += 1;
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

  test('a worker may finish its job after the lease if no one else took it', () =>
    withLeases(newPlace, async (store, clock) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('slow', 10));
      clock.ms += 10 * LEASE_MS;
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm', 'slow'))).toBe(true);
    }));

  test('a released job becomes due at its time and keeps its attempt count', () =>
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

  test('putting a job again reschedules it and ends its lease', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('a', 1));
      await put(store, 'm', 40);
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm', 'a'))).toBe(false);
      expect(await store.claimJobs(claimOf('b', 39))).toEqual([]);
      expect(await store.claimJobs(claimOf('b', 40))).toMatchObject([{ attempts: 1, runAtMs: 40 }]);
    }));

  test('jobs are released and finished in bulk by the worker that holds them', () =>
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

  test('a job can be finished without naming a holder', () =>
    withStore(newPlace, async (store) => {
      await put(store, 'm', 1);
      await store.claimJobs(claimOf('a', 1));
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm'))).toBe(true);
      expect(await store.write(({ jobs }) => jobs.finish('message', 'm'))).toBe(false);
    }));
}
