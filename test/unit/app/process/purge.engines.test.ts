/** A program that is killed while it deletes the remains of a purged process. */
import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openFileBlobs } from '../../../../src/adapters/blobs/index.ts';
import { appendActivity } from '../../../../src/app/activity/index.ts';
import { queueMessage } from '../../../../src/app/message/index.ts';
import { bindOperations } from '../../../../src/app/operation.ts';
import type { Job, Store } from '../../../../src/app/ports/index.ts';
import { processOperations, purgeProcess } from '../../../../src/app/process/index.ts';
import type { SigningProcess } from '../../../../src/domain/process/index.ts';
import { describeStores } from '../../../service/on-engines.ts';
import { testCompany, testDrafts, testNowMs, testProcess } from '../../../support/store.ts';

const by = 'owner@example.is';
const random = (bytes: number) => randomBytes(bytes);
const endedAtMs = testNowMs + 60_000;
const nowMs = endedAtMs + 30 * 86_400_000;

describeStores('a purge interrupted before the files are deleted', (store) => {
  let count = 0;
  /** Messages whose files were deleted. */
  let forgotten: readonly string[] = [];
  let isDying = false;
  const portsOf = (on: Store) => ({
    store: on,
    blobs: openFileBlobs('/nowhere'),
    now: () => nowMs,
    random,
    frontEnd: 'https://sign.example.is',
    mailer: {
      forget: async (ids: readonly string[]) => {
        if (isDying) throw new Error('killed');
        forgotten = ids;
      },
    },
    sms: {},
  });
  const canceled = { status: 'Canceled', phase: 'Done', endedAtMs } as const;
  const open = async (changes: Partial<SigningProcess> = canceled) => {
    count += 1;
    forgotten = [];
    const process = testProcess(count, changes);
    const signeeKey = process.signees[0]?.key as never;
    const draft = { template: 'Signup', channel: 'Email', signeeKey } as const;
    const id = await store().write(async (unit) => {
      await unit.processes.add(process);
      await appendActivity(unit, { random }, process, testDrafts(process), endedAtMs);
      const message = await queueMessage(unit, { random }, process, draft, {}, nowMs);
      await unit.jobs.finish('message', message);
      return message;
    });
    return { key: process.key, id };
  };
  const claim = async (): Promise<Job | undefined> => {
    const terms = { owner: `w${count}`, kinds: ['purge'], nowMs, leaseMs: 1000, limit: 9 } as const;
    const jobs = await store().claimJobs(terms);
    expect(jobs.length).toBeLessThan(2);
    return jobs[0];
  };
  const jobOf = (ref: string) => store().read((unit) => unit.jobs.find('purge', ref));

  test('in a worker, leaves the job until the files are deleted', async () => {
    const { key, id } = await open();
    await store().write((unit) => unit.jobs.put({ kind: 'purge', ref: key, runAtMs: nowMs }));
    const job = (await claim()) as Job;
    isDying = true;
    await expect(purgeProcess(job, portsOf(store()) as never)).rejects.toThrow('killed');
    isDying = false;
    const purged = await store().read((unit) => unit.processes.find(key));
    expect(purged?.purgedAtMs).toBe(nowMs);
    expect(await jobOf(key)).toBeDefined();
    await purgeProcess(job, portsOf(store()) as never);
    expect(forgotten).toEqual([id]);
    expect(await jobOf(key)).toBeUndefined();
  });

  test('in a request, is completed by a worker', async () => {
    const { key, id } = await open();
    const { purge } = bindOperations(processOperations, portsOf(store()) as never, testCompany.key);
    isDying = true;
    await expect(purge({ key, by })).rejects.toThrow('killed');
    isDying = false;
    await purgeProcess((await claim()) as Job, portsOf(store()) as never);
    expect(forgotten).toEqual([id]);
    expect(await jobOf(key)).toBeUndefined();
    expect((await purge({ key, by })).purgedAtMs).toBe(nowMs);
    expect(await jobOf(key)).toBeUndefined();
  });

  test('does not start for a process that has not ended', async () => {
    const { key } = await open({ expiresAtMs: nowMs + 1 });
    const { purge } = bindOperations(processOperations, portsOf(store()) as never, testCompany.key);
    await expect(purge({ key, by })).rejects.toMatchObject({ code: 'process.state.refused' });
    expect(await jobOf(key)).toBeUndefined();
    await store().write((unit) => unit.jobs.put({ kind: 'purge', ref: key, runAtMs: nowMs }));
    expect(await purgeProcess((await claim()) as Job, portsOf(store()) as never)).toMatchObject({
      code: 'process.state.refused',
      isFinal: true,
    });
    expect(forgotten).toEqual([]);
    expect(await jobOf(key)).toBeUndefined();
  });
});
