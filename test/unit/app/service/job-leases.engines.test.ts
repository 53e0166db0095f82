import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openLeases } from '../../../../src/app/job-leases.ts';
import { writeResult } from '../../../../src/app/patient-store.ts';
import type { JobClaim, Store } from '../../../../src/app/ports/index.ts';
import { type JobHandler, runDueJobs } from '../../../../src/app/service/index.ts';
import { type DeliverPorts, deliverDueWebhooks } from '../../../../src/app/webhook/index.ts';
import { InnsigliError } from '../../../../src/base/errors.ts';
import { describeStores } from '../../../service/on-engines.ts';
import { testNowMs } from '../../../support/store.ts';

const away = (details = {}) => new InnsigliError('store.unavailable', 'away', { details });
const turnMs = 20;

let nowMs = testNowMs;

describeStores(
  'job leases',
  (store) => {
    let count = 0;
    const now = () => nowMs;
    const terms = { owner: 'a', kinds: ['finalize'], leaseMs: 60_000, limit: 9 } as const;
    const put = async () => {
      const ref = `job-${++count}`;
      await store().write(({ jobs }) => jobs.put({ kind: 'finalize', ref, runAtMs: nowMs }));
      return ref;
    };
    const claim = (changes: Partial<JobClaim> = {}): JobClaim => ({ ...terms, nowMs, ...changes });
    const claimedBy = async (owner: string) =>
      (await store().claimJobs(claim({ owner }))).map(({ ref, attempts }) => [ref, attempts]);
    /** A store whose calls fail as long as `isAway`. */
    const faulty = () => {
      const state = { isAway: false, isClaimLost: false };
      const made: Store = {
        ...store(),
        write: (work) => (state.isAway ? Promise.reject(away()) : store().write(work)),
        claimJobs: async (each) => {
          if (state.isAway) throw away();
          const jobs = await store().claimJobs(each);
          if (state.isClaimLost) throw away();
          return jobs;
        },
      };
      return { state, store: made };
    };

    test('leases last as long as their worker is alive and expire within a minute afterwards', async () => {
      const ref = await put();
      const leases = openLeases({ store: store() }, turnMs);
      const [job] = await leases.claim(claim());
      for (let round = 0; round < 4; round++) {
        nowMs += 50_000;
        await sleep(5 * turnMs);
        expect(await claimedBy('b')).toEqual([]);
      }
      if (job !== undefined) leases.forget(job);
      await sleep(2 * turnMs);
      nowMs += 60_001;
      expect(await claimedBy('b')).toEqual([[ref, 2]]);
      await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('a job whose handler takes minutes is not given to another worker meanwhile', async () => {
      const ref = await put();
      const done: string[] = [];
      const leases = openLeases({ store: store() }, turnMs);
      const handler: JobHandler = {
        kind: 'finalize',
        run: async (job) => {
          for (let round = 0; round < 4; round++) {
            nowMs += 45_000;
            await sleep(5 * turnMs);
            expect(await claimedBy('other')).toEqual([]);
          }
          const isOurs = await store().write(({ jobs }) =>
            jobs.finish(job.kind, job.ref, job.owner),
          );
          done.push(`${job.ref} ${isOurs}`);
        },
      };
      const failed = () => undefined;
      await runDueJobs({ store: store(), now }, [handler], { ...terms, leases, failed });
      expect(done).toEqual([`${ref} true`]);
    });

    test('jobs are released when the store is available again', async () => {
      const [one, two] = [await put(), await put()];
      const { state, store: unsteady } = faulty();
      const leases = openLeases({ store: unsteady }, 1e6);
      const handler: JobHandler = {
        kind: 'finalize',
        run: async () => {
          state.isAway = true;
          throw away();
        },
      };
      const failures: string[] = [];
      await runDueJobs({ store: unsteady, now }, [handler], {
        ...terms,
        leases,
        failed: ({ ref }) => failures.push(ref),
      });
      expect(failures.sort()).toEqual([one, two].sort());
      await expect(leases.settle()).rejects.toMatchObject({ code: 'store.unavailable' });
      state.isAway = false;
      await leases.settle();
      nowMs += 1000;
      // A failure of the store does not count as an attempt of the jobs.
      expect((await claimedBy('b')).sort()).toEqual(
        [
          [one, 1],
          [two, 1],
        ].sort(),
      );
      for (const ref of [one, two]) await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('deliveries that could not be planned are released', async () => {
      const ref = `job-${++count}`;
      await store().write(({ jobs }) => jobs.put({ kind: 'webhook', ref, runAtMs: nowMs }));
      const broken = { ...store(), read: () => Promise.reject(away()) };
      const leases = openLeases({ store: store() }, 1e6);
      const ports = { store: broken, now } as unknown as DeliverPorts;
      const delivering = deliverDueWebhooks(ports, { owner: 'a', limit: 9, leases });
      await expect(delivering).rejects.toMatchObject({ code: 'store.unavailable' });
      const kinds = ['webhook'] as const;
      const [taken] = await store().claimJobs(claim({ owner: 'b', kinds, nowMs: nowMs + 1 }));
      expect(taken).toMatchObject({ ref, attempts: 1 });
      await store().write(({ jobs }) => jobs.finish('webhook', ref));
    });

    test('a delivery whose result does not fit into a full store is retried later', async () => {
      const ref = `job-${++count}`;
      await store().write(({ jobs }) => jobs.put({ kind: 'webhook', ref, runAtMs: nowMs }));
      const full = new InnsigliError('store.full', 'no room');
      const leases = openLeases({ store: store() }, 1e6);
      const cramped = { ...store(), write: () => Promise.reject(full) };
      const ports = { store: cramped, now } as unknown as DeliverPorts;
      const failed = () => undefined;
      await deliverDueWebhooks(ports, { owner: 'a', limit: 9, leases, failed });
      const job = await store().read(({ jobs }) => jobs.find('webhook', ref));
      expect(job?.runAtMs).toBe(nowMs + 600_000);
      await store().write(({ jobs }) => jobs.finish('webhook', ref));
    });

    test('the lease of a job that hangs ends', async () => {
      const ref = await put();
      const leases = openLeases({ store: store() }, turnMs, 0, turnMs, 5 * turnMs);
      await leases.claim(claim());
      await sleep(10 * turnMs);
      nowMs += 60_001;
      await sleep(2 * turnMs);
      expect(await claimedBy('b')).toEqual([[ref, 2]]);
      await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('after an outage jobs stay with workers that may still write their results', async () => {
      const [held, ref] = [await put(), await put()];
      await store().claimJobs(claim({ owner: 'other', limit: 1 }));
      const { state, store: unsteady } = faulty();
      const waryMs = 400;
      const ownFact = async () => {
        // The first call during the outage.
        if (state.isAway) throw away();
        await store().write(({ facts }) => facts.put('own', 'yes', nowMs));
        return { name: 'own', value: 'yes' };
      };
      const leases = openLeases({ store: unsteady, ownFact }, 1e6, waryMs);
      state.isAway = true;
      await expect(leases.claim(claim())).rejects.toMatchObject({ code: 'store.unavailable' });
      // The lease of the other worker ended meanwhile.
      nowMs += 90_000;
      state.isAway = false;
      const taken = async () => (await leases.claim(claim())).map((job) => job.ref);
      expect(await taken()).toEqual([ref]);
      expect(await taken()).toEqual([]);
      await sleep(waryMs + 50);
      expect(await taken()).toEqual([held]);
      for (const each of [held, ref]) {
        await store().write(({ jobs }) => jobs.finish('finalize', each));
      }
    });

    test('a lease that could not be renewed is renewed soon after the outage', async () => {
      const ref = await put();
      const { state, store: unsteady } = faulty();
      const leases = openLeases({ store: unsteady }, 50 * turnMs, 0, turnMs);
      const [job] = await leases.claim(claim());
      state.isAway = true;
      await sleep(60 * turnMs);
      nowMs += 90_000;
      state.isAway = false;
      await sleep(10 * turnMs);
      expect(await claimedBy('b')).toEqual([]);
      if (job !== undefined) leases.forget(job);
      await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('no job is claimed from a different store in the place of the original', async () => {
      const ref = await put();
      const name = 'store.id';
      const identify = (value: string) =>
        store().write(({ facts }) => facts.put(name, value, nowMs));
      const ownFact = async () => ({ name, value: 'ours' });
      const leases = openLeases({ store: store(), ownFact }, 1e6);
      const taken = async () => (await leases.claim(claim())).map((job) => job.ref);
      expect(await taken()).toEqual([]);
      await identify('theirs');
      expect(await taken()).toEqual([]);
      await identify('ours');
      expect(await taken()).toEqual([ref]);
      await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('a claim without a response is released', async () => {
      const ref = await put();
      const { state, store: unsteady } = faulty();
      const leases = openLeases({ store: unsteady }, 1e6);
      state.isClaimLost = true;
      await expect(leases.claim(claim())).rejects.toMatchObject({ code: 'store.unavailable' });
      expect(await claimedBy('b')).toEqual([]);
      await leases.settle();
      expect(await claimedBy('b')).toEqual([[ref, 1]]);
      await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('a job that failed because of a full disk is not retried immediately: it would send twice', async () => {
      const full = new InnsigliError('store.full', 'no room');
      const ref = await put();
      const handler: JobHandler = { kind: 'finalize', run: () => Promise.reject(full) };
      const failed = () => undefined;
      await runDueJobs({ store: store(), now }, [handler], { ...terms, failed });
      const job = await store().read(({ jobs }) => jobs.find('finalize', ref));
      expect(job?.runAtMs).toBe(nowMs + 600_000);
      nowMs += 600_000;
      // No process is given up because of it.
      expect(await claimedBy('b')).toEqual([[ref, 1]]);
      await store().write(({ jobs }) => jobs.finish('finalize', ref));
    });

    test('a result is written once, when the store is available again', async () => {
      const faults = ['before', 'before', 'after', 'before'];
      let writes = 0;
      const unsteady: Pick<Store, 'write'> = {
        write: async (work) => {
          const fault = faults.shift();
          if (fault === 'before') throw away();
          const result = await store().write(work);
          if (fault === 'after') throw away({ outcome: 'unknown' });
          return result;
        },
      };
      const ref = await put();
      const [job] = await store().claimJobs(claim());
      const written = await writeResult(unsteady, async ({ jobs }) => {
        if (!(await jobs.finish('finalize', ref, job?.owner))) {
          throw new InnsigliError('process.conflict', 'another worker has it');
        }
        writes += 1;
        return 'written';
      });
      expect([writes, written]).toEqual([1, undefined]);
      await expect(
        writeResult(store(), () => Promise.reject(new InnsigliError('process.conflict', 'taken'))),
      ).rejects.toMatchObject({ code: 'process.conflict' });
    });
  },
  () => nowMs,
);
