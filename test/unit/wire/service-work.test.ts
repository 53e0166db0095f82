import { createHash, randomBytes } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobClaim, Store } from '../../../src/app/ports/index.ts';
import { adoptStore } from '../../../src/app/storage/index.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import type { JobKind } from '../../../src/domain/process/index.ts';
import type { WiredPorts } from '../../../src/wire/service/ports.ts';
import { openWork } from '../../../src/wire/service/work.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testNowMs,
  testProcess,
} from '../../support/store.ts';

const sha256 = createHash('sha256').update('nobody needs this').digest('hex');

let opened: TestStore;
let nowMs: number;
beforeEach(async () => {
  opened = await openTestStore();
  nowMs = testNowMs;
  await opened.blobs.put(Buffer.from('nobody needs this'));
  const path = join(opened.folder, 'objects', sha256.slice(0, 2), sha256);
  utimesSync(path, nowMs / 1000 - 7200, nowMs / 1000 - 7200);
});
afterEach(() => opened.close());

const portsOf = (store: Store) =>
  ({
    ...opened,
    store,
    now: () => nowMs,
    random: (count: number) => randomBytes(count),
    timestamps: async () => undefined,
  }) as unknown as WiredPorts;
const DAY_MS = 86_400_000;
const bind = () => adoptStore(portsOf(opened.store));
const anchorIsDue = () =>
  opened.store.write((unit) =>
    unit.jobs.put({ kind: 'anchor', ref: testCompany.key, runAtMs: nowMs }),
  );
/** A store in which claiming jobs of one kind fails, after the other kinds were claimed. */
const without = (kind: JobKind): Store => ({
  ...opened.store,
  claimJobs: async (claim: JobClaim) => {
    if (!claim.kinds.includes(kind)) return opened.store.claimJobs(claim);
    await new Promise((resolve) => setTimeout(resolve, 100));
    throw new Error('the disk is full');
  },
});

const marks = async () => {
  const id = (await opened.store.read(({ facts }) => facts.find('store.id'))) ?? '';
  return opened.store.read(({ contents }) => contents.marksOf(id, [sha256]));
};

test('unreferenced blobs are marked even if a lane throws, and deleted 30 days later', async () => {
  await bind();
  await anchorIsDue();
  const work = openWork(portsOf(without('expire')));
  await expect(work(['anchor', 'expire'])).rejects.toThrow('the disk is full');
  expect(await marks()).toEqual([{ sha256, markedAtMs: nowMs }]);
  nowMs += 29 * DAY_MS;
  await openWork(portsOf(opened.store))(['anchor']);
  expect(await opened.blobs.has(sha256)).toBe(true);
  nowMs += DAY_MS;
  await openWork(portsOf(opened.store))(['anchor']);
  expect(await opened.blobs.has(sha256)).toBe(false);
  expect(await marks()).toEqual([]);
});

test('tidying that failed is repeated the same day', async () => {
  await bind();
  await anchorIsDue();
  let isBusy = true;
  const write: Store['write'] = (change) =>
    opened.store.write(async (unit) => {
      const removeUnbound = async (beforeMs: number) => {
        if (isBusy) throw new Error('busy');
        await unit.webhooks.removeUnbound(beforeMs);
      };
      const webhooks = { value: { ...unit.webhooks, removeUnbound } };
      return change(Object.create(unit, { webhooks }) as typeof unit);
    });
  const work = openWork(portsOf({ ...opened.store, write }));
  await work(['anchor']);
  expect(await marks()).toEqual([]);
  isBusy = false;
  nowMs += 3_600_000;
  await anchorIsDue();
  await work(['anchor']);
  expect(await marks()).toHaveLength(1);
});

test('a collection that failed is repeated the same day, also by a different worker', async () => {
  await bind();
  await anchorIsDue();
  const blobs = {
    ...opened.blobs,
    list: () => {
      throw new Error('stale file handle');
    },
  };
  const { failed } = await openWork({ ...portsOf(opened.store), blobs })(['anchor']);
  expect(failed).toMatchObject([{ kind: 'anchor', code: 'internal.unexpected' }]);
  nowMs += 3_600_000;
  await anchorIsDue();
  await openWork(portsOf(opened.store))(['anchor']);
  expect(await marks()).toHaveLength(1);
});

test('several workers collect once a day', async () => {
  await bind();
  let listed = 0;
  const ports = portsOf(opened.store);
  const blobs = {
    ...opened.blobs,
    list: () => {
      listed += 1;
      return opened.blobs.list();
    },
  };
  for (let worker = 0; worker < 3; worker++) {
    await anchorIsDue();
    await openWork({ ...ports, blobs })(['anchor']);
  }
  expect(listed).toBe(1);
});

test('a collection that would delete too much fails and deletes nothing', async () => {
  await bind();
  const names: string[] = [];
  for (let number = 0; number < 11; number++) {
    names.push(await opened.blobs.put(Buffer.from(`unknown ${number}`)));
  }
  const oldS = nowMs / 1000 - 7200;
  for (const name of names) {
    utimesSync(join(opened.folder, 'objects', name.slice(0, 2), name), oldS, oldS);
  }
  await anchorIsDue();
  expect((await openWork(portsOf(opened.store))(['anchor'])).failed).toEqual([]);
  nowMs += 31 * DAY_MS;
  const { failed } = await openWork(portsOf(opened.store))(['anchor']);
  expect(failed).toEqual([
    {
      kind: 'anchor',
      ref: testCompany.key,
      code: 'store.collect.refused',
      why: '12 of 12 contents would be removed, expected at most 10; nothing was removed',
      isFinal: false,
    },
  ]);
  for (const name of [...names, sha256]) expect(await opened.blobs.has(name)).toBe(true);
});

test('a failed job is reported immediately, even if a lane throws later', async () => {
  await bind();
  // Its log is missing.
  const process = testProcess(1);
  await opened.store.write(async (unit) => {
    await unit.processes.add(process);
    await unit.jobs.put({ kind: 'purge', ref: process.key, runAtMs: nowMs });
  });
  const told: string[] = [];
  const work = openWork(portsOf(without('expire')));
  const running = work(['purge', 'expire'], undefined, ({ kind, ref, code }) =>
    told.push(`${kind} ${ref} ${code}`),
  );
  await expect(running).rejects.toThrow('the disk is full');
  expect(told).toEqual([`purge ${process.key} activity.chain.broken`]);
});

test('no daily work runs while the clock is in doubt', async () => {
  await bind();
  await anchorIsDue();
  let isSound = false;
  const clockWatch = { mayWork: async () => isSound, requireTrusted: async () => undefined };
  const work = openWork({ ...portsOf(opened.store), clockWatch });
  expect(await work(['anchor', 'expire', 'purge', 'message'])).toMatchObject({
    done: 0,
    failed: [],
  });
  isSound = true;
  expect((await work(['anchor'])).done).toBe(1);
});

test('no day is closed under a clock with which the authority disagrees', async () => {
  await bind();
  await anchorIsDue();
  const requireTrusted = () => Promise.reject(new InnsigliError('clock.untrusted', 'far away'));
  const work = openWork({
    ...portsOf(opened.store),
    clockWatch: { mayWork: async () => true, requireTrusted },
  });
  const { failed } = await work(['anchor']);
  expect(failed).toMatchObject([{ kind: 'anchor', code: 'clock.untrusted', isFinal: false }]);
  // It is retried and not given up.
  nowMs += 600_000;
  expect((await openWork(portsOf(opened.store))(['anchor'])).failed).toEqual([]);
});
