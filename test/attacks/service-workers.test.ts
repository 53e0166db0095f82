import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runDueJobs } from '../../src/app/service/index.ts';
import { agreement, openTestService } from '../service/open-service.ts';
import { openTestStore, type TestStore } from '../support/store.ts';

let opened: TestStore | undefined;
afterEach(async () => {
  await opened?.close();
  opened = undefined;
});

describe('a worker whose leases expire', () => {
  it('does not start jobs that another worker has taken over', async () => {
    let nowMs = 1_000_000;
    opened = await openTestStore({ leaseNow: () => nowMs });
    const { store } = opened;
    const ports = { store, now: () => nowMs };
    const refs = ['a', 'b', 'c'];
    await store.write(async (unit) => {
      for (const ref of refs) await unit.jobs.put({ kind: 'message', ref, runAtMs: 1 });
    });
    const begun: string[] = [];
    const worker = (owner: string, act: () => Promise<unknown>) =>
      runDueJobs(
        ports,
        [
          {
            kind: 'message',
            run: async (job) => {
              begun.push(job.ref);
              await act();
              await store.write((unit) => unit.jobs.finish(job.kind, job.ref, job.owner));
            },
          },
        ],
        { owner, leaseMs: 60_000, limit: 8, failed: () => undefined },
      );
    await worker('slow', async () => {
      nowMs += 61_000;
      await worker('fast', async () => undefined);
    });
    await worker('fast', async () => undefined);
    // The first job was started and then taken over; the others belong to one worker each.
    expect(begun.filter((ref) => ref !== begun[0]).sort()).toEqual(
      refs.filter((ref) => ref !== begun[0]),
    );
  });
});

describe('several workers in one program', () => {
  it('send each message once', async () => {
    const test = await openTestService();
    const { toolkit, flowKey, folder } = test;
    for (let at = 0; at < 12; at++) {
      const signees = [
        {
          name: 'A',
          email: `a${at}@example.test`,
          delivery: 'Email' as const,
          signatureType: 'ClickToSign' as const,
        },
      ];
      await toolkit.processes.create({ flowKey, pdf: agreement, signees });
    }
    const reports = await Promise.all(Array.from({ length: 6 }, () => toolkit.runDueJobs()));
    expect(reports.flatMap(({ failed }) => failed)).toEqual([]);
    expect(reports.reduce((sum, { done }) => sum + done, 0)).toBe(12);
    expect(readdirSync(join(folder, 'data/outbox/mail')).length).toBe(12);
    await test.close();
  }, 60_000);
});
