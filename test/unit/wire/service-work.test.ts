import { createHash, randomBytes } from 'node:crypto';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JobClaim, Store } from '../../../src/app/ports/index.ts';
import type { JobKind } from '../../../src/domain/process/index.ts';
import type { WiredPorts } from '../../../src/wire/service-ports.ts';
import { openWork } from '../../../src/wire/service-work.ts';
import { openTestStore, type TestStore, testCompany, testNowMs } from '../../support/store.ts';

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
const anchorIsDue = () =>
  opened.store.write((unit) =>
    unit.jobs.put({ kind: 'anchor', ref: testCompany.key, runAtMs: nowMs }),
  );
/** A store whose jobs of one kind cannot be taken, once the others were looked for. */
const without = (kind: JobKind): Store => ({
  ...opened.store,
  claimJobs: async (claim: JobClaim) => {
    if (!claim.kinds.includes(kind)) return opened.store.claimJobs(claim);
    await new Promise((resolve) => setTimeout(resolve, 100));
    throw new Error('the disk is full');
  },
});

test('contents that nobody needs are removed although a lane throws', async () => {
  await anchorIsDue();
  const work = openWork(portsOf(without('expire')));
  await expect(work(['anchor', 'expire'])).rejects.toThrow('the disk is full');
  expect(await opened.blobs.has(sha256)).toBe(false);
});

test('tidying that failed is done again the same day', async () => {
  await anchorIsDue();
  let isBusy = true;
  const write: Store['write'] = (change) =>
    opened.store.write(async (unit) => {
      const removeUnbound = async (beforeMs: number) => {
        if (isBusy) throw new Error('busy');
        await unit.webhooks.removeUnbound(beforeMs);
      };
      return change({ ...unit, webhooks: { ...unit.webhooks, removeUnbound } });
    });
  const work = openWork(portsOf({ ...opened.store, write }));
  await work(['anchor']);
  expect(await opened.blobs.has(sha256)).toBe(true);
  isBusy = false;
  nowMs += 3_600_000;
  await anchorIsDue();
  await work(['anchor']);
  expect(await opened.blobs.has(sha256)).toBe(false);
});

test('a job that failed is told of at once, also when a lane throws later', async () => {
  await opened.store.write((unit) => unit.jobs.put({ kind: 'purge', ref: sha256, runAtMs: nowMs }));
  const told: string[] = [];
  const remove = async () => {
    throw new Error('the disk is read only');
  };
  const ports = { ...portsOf(without('expire')), blobs: { ...opened.blobs, remove } };
  const work = openWork(ports);
  const running = work(['purge', 'expire'], undefined, ({ kind, ref }) =>
    told.push(`${kind} ${ref}`),
  );
  await expect(running).rejects.toThrow('the disk is full');
  expect(told).toEqual([`purge ${sha256}`]);
});
