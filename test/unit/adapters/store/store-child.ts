import { setTimeout as sleep } from 'node:timers/promises';
import { asKey } from '../../../../src/domain/keys.ts';
import { testNowMs, testProcess } from '../../../support/store.ts';
import { openStoreAt, type StorePlace } from './store-place.ts';

// One of several OS processes on the same store:
//
//     store-child TASK ENGINE TARGET OWNER COUNT
//
// Says `ready`, waits for a line on stdin, does its task and prints what came out as JSON.
const [task, engine, target = '', owner = '', countText] = process.argv.slice(2);
const count = Number(countText);
const store = await openStoreAt({ engine: engine as StorePlace['engine'], target });
const key = testProcess(1).key;

const tasks: Readonly<Record<string, () => Promise<unknown>>> = {
  /** Claims jobs until there are none. */
  async claim() {
    const refs: string[] = [];
    for (;;) {
      const claim = { owner, kinds: ['message'] as const, nowMs: 1, leaseMs: 1e9, limit: count };
      const jobs = await store.claimJobs(claim);
      if (jobs.length === 0) return refs;
      refs.push(...jobs.map(({ ref }) => ref));
      const ended = jobs.map(({ kind, ref }) =>
        store.write((unit) => unit.jobs.finish(kind, ref, owner)),
      );
      if (!(await Promise.all(ended)).every(Boolean)) throw new Error('a job was taken away');
    }
  },
  /** Increments the revision under its lock. */
  async raise() {
    for (let round = 0; round < count; round++) {
      await store.write(async ({ processes }) => {
        const found = await processes.lock(key);
        if (found === undefined) throw new Error('no process');
        const isSaved = await processes.save({ ...found, rev: found.rev + 1 });
        if (!isSaved) throw new Error('rev was taken');
      });
    }
    return count;
  },
  /** Tries once per process to be the one that completes it. */
  async complete() {
    const won: number[] = [];
    for (let number = 1; number <= count; number++) {
      const next = testProcess(number, { rev: 2, status: 'Completed', reason: owner });
      if (await store.write(({ processes }) => processes.save(next))) won.push(number);
    }
    return won;
  },
  /** Writes 50 pages again and again. */
  async fill() {
    for (let round = 0; round < count; round++) {
      const value = `${round}`.repeat(200_000).slice(0, 200_000);
      await store.writeInBackground(({ facts }) =>
        facts.put(`${owner} ${round}`, value, testNowMs),
      );
      await sleep(2);
    }
    return count;
  },
  /** Is killed in the middle of a transaction. */
  async hang() {
    await store.write(async ({ processes, activity, jobs }) => {
      await processes.add(testProcess(7));
      await jobs.put({ kind: 'expire', ref: testProcess(7).key, runAtMs: testNowMs });
      const row = {
        processKey: testProcess(7).key,
        seq: 1,
        companyKey: testProcess(7).companyKey,
        flowKey: asKey('flow', 'f'),
        status: 'Created',
        createdAtMs: testNowMs,
        createdBy: 'System',
        commitments: {},
        hash: 'h',
      };
      await activity.append([{ row, personal: [] }]);
      process.stdout.write('inside\n');
      await new Promise(() => setInterval(() => {}, 1000));
    });
  },
};

process.stdout.write('ready\n');
await new Promise((resolve) => process.stdin.once('data', resolve));
process.stdin.unref();
const outcome = await tasks[task ?? '']?.();
process.stdout.write(`${JSON.stringify(outcome)}\n`);
await store.close();
