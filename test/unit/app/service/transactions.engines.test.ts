import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportActivity } from '../../../../src/app/activity/export-log.ts';
import { appendActivities, appendActivity } from '../../../../src/app/activity/index.ts';
import { bindOperations } from '../../../../src/app/operation.ts';
import type { Job, Store } from '../../../../src/app/ports/index.ts';
import { changeOperations } from '../../../../src/app/process/change.ts';
import { purgeProcess } from '../../../../src/app/process/index.ts';
import { unsubscribe } from '../../../../src/app/reminder/index.ts';
import { applyCommand, runCommand } from '../../../../src/app/service/index.ts';
import { signingOperations } from '../../../../src/app/signing/index.ts';
import { resultRecorder } from '../../../../src/app/webhook/record-results.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import { groupPersons, type Sequence } from '../../../../src/domain/sequence.ts';
import { ended, type WebhookDelivery } from '../../../../src/domain/webhook/index.ts';
import { engines, sharedPostgres, whyNot } from '../../../support/engines.ts';
import { openSigningWorld, person, signeeKeyOf } from '../../../support/signing.ts';
import {
  addTestFlow,
  testCompany,
  testDrafts,
  testNowMs,
  testProcess,
  testSignee,
} from '../../../support/store.ts';
import {
  newPostgresPlace,
  newSqlitePlace,
  openStoreAt,
  type TestPlace,
} from '../../adapters/store/store-place.ts';
import { watched } from './watched-store.ts';

const DAY = 86_400_000;
const by = 'owner@example.is';
const times = (calls: readonly string[], name: string) =>
  calls.filter((each) => each === name).length;

for (const engine of engines) {
  const why = whyNot(engine);
  describe.skipIf(why !== '')(`one transaction, ${engine}${why}`, () => {
    let place: TestPlace;
    let store: Store;
    let nowMs = testNowMs;
    let count = 100;
    const next = () => {
      count += 1;
      return count;
    };
    beforeAll(async () => {
      place = await (engine === 'sqlite' ? newSqlitePlace() : newPostgresPlace(sharedPostgres()));
      store = await openStoreAt(place);
      await store.write(addTestFlow);
    }, 60_000);
    afterAll(async () => {
      await store?.close();
      await place?.remove();
    });

    const portsOf = (on: Store) => ({
      store: on,
      now: () => nowMs,
      random: (bytes: number) => randomBytes(bytes),
      frontEnd: 'https://sign.example.is',
    });
    const rowsOf = ({ key }: { readonly key: ReturnType<typeof testProcess>['key'] }) =>
      store.read((unit) => unit.activity.rows(key));

    /** Documents signed by the same persons. */
    const sequenceOf = async (documents: number, persons: number): Promise<Sequence> => {
      const key = asKey('sequence', `pg${next()}`);
      const processes = Array.from({ length: documents }, () => {
        const number = next();
        const signees = Array.from({ length: persons }, (_, at) => {
          const name = { name: `P ${at}`, email: `p${at}@example.is` };
          return testSignee(number * 1000 + at, { ...name, invitedAtMs: nowMs });
        });
        return testProcess(number, { sequenceKey: key, signees });
      });
      const sequence: Sequence = {
        key,
        companyKey: testCompany.key,
        rev: 1,
        user: by,
        requiresAuth: false,
        signInOrder: false,
        processKeys: processes.map((each) => each.key),
        persons: groupPersons(processes, () => asKey('person', `pe${next()}`)),
        createdAtMs: nowMs,
        isEndTold: false,
      };
      await store.write(async (unit) => {
        await unit.sequences.add(sequence);
        for (const process of processes) await unit.processes.add(process);
      });
      return sequence;
    };

    test('a change that waited for another is logged after it', async () => {
      const process = testProcess(next());
      await store.write((unit) => unit.processes.add(process));
      const ports = portsOf(store);
      const longer = { type: 'extend', by, expiresAtMs: nowMs + 20 * DAY } as const;
      let open = () => {};
      let begin = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      const begun = new Promise<void>((resolve) => {
        begin = resolve;
      });
      const slow = store.write(async (unit) => {
        await unit.processes.lock(process.key);
        begin();
        await gate;
        await applyCommand(unit, ports, process.key, longer);
      });
      await begun;
      const waiting = runCommand(ports, process.key, { type: 'block', by });
      // It has progressed as far as it can.
      await new Promise((resolve) => setTimeout(resolve, 50));
      nowMs += 2500;
      open();
      await Promise.all([slow, waiting]);
      const rows = await rowsOf(process);
      expect(rows.map(({ status, description = '' }) => [status, description])).toEqual([
        ['Extended', new Date(longer.expiresAtMs).toISOString()],
        ['Blocked', ''],
      ]);
      expect(rows.map(({ createdAtMs }) => createdAtMs)).toEqual([nowMs, nowMs]);
    });

    test('cancels a sequence and reads its documents in one call', async () => {
      const { key } = await sequenceOf(8, 3);
      const { store: seen, calls } = watched(store);
      await changeOperations.cancelSequence.run(portsOf(seen) as never, testCompany.key, {
        key,
        by,
      });
      expect(times(calls, 'write')).toBe(1);
      expect(times(calls, 'sequences.lock')).toBe(1);
      expect(times(calls, 'processes.lockAll')).toBe(1);
      expect(times(calls, 'processes.lock')).toBe(0);
      expect(times(calls, 'processes.find') + times(calls, 'messages.ofProcess')).toBe(0);
      // One message for each person, whatever the number of documents.
      expect(times(calls, 'messages.add')).toBe(3);
    });

    test('unsubscribes a person from all documents', async () => {
      const { key, persons, processKeys } = await sequenceOf(4, 2);
      const { store: seen, calls } = watched(store);
      const target = { sequenceKey: key, personKey: persons[0]?.key ?? '' };
      await unsubscribe(portsOf(seen), testCompany.key, target);
      expect(times(calls, 'write')).toBe(1);
      expect(times(calls, 'processes.lockAll')).toBe(1);
      expect(times(calls, 'processes.lock')).toBe(0);
      for (const each of processKeys) {
        const process = await store.read((unit) => unit.processes.find(each));
        expect(process?.signees.map(({ unsubscribed }) => unsubscribed)).toEqual([true, undefined]);
      }
    });

    test('exports the log while another transaction locks processes in key order', async () => {
      // The export starts with the newest process.
      const older = testProcess(next(), { createdAtMs: nowMs - 2 });
      const newer = testProcess(next(), { createdAtMs: nowMs - 1 });
      await store.write(async (unit) => {
        await unit.processes.add(older);
        await unit.processes.add(newer);
      });
      const { store: seen, calls } = watched(store);
      const filter = { fromMs: 0, toMs: nowMs + DAY };
      const request = { filter, format: 'jsonl', isAnonymous: false, by } as const;
      const exportAll = async () => {
        for await (const line of exportActivity(portsOf(seen), testCompany.key, request)) {
          expect(line).toMatch(/\n$/);
        }
      };
      let lines: Promise<void> | undefined;
      let runs = 0;
      await store.write(async (unit) => {
        runs += 1;
        await unit.processes.lock(older.key);
        lines ??= exportAll();
        // The export has progressed as far as it can.
        await new Promise((resolve) => setTimeout(resolve, 300));
        nowMs += 2500;
        await unit.processes.lock(newer.key);
      });
      await lines;
      expect([runs, times(calls, 'processes.list')]).toEqual([1, 1]);
      const [row] = await rowsOf(older);
      expect(row).toMatchObject({ status: 'ActivityExported', createdAtMs: nowMs });
    });

    test('logs the result of a webhook with the time at which its process was unlocked', async () => {
      const process = testProcess(next());
      const id = `wd${next()}`;
      await store.write(async (unit) => {
        await unit.processes.add(process);
        await unit.jobs.put({ kind: 'webhook', ref: id, runAtMs: nowMs });
      });
      const claim = { owner: 'w', kinds: ['webhook'], nowMs, leaseMs: DAY, limit: 1 } as const;
      const [job] = await store.claimJobs(claim);
      const delivery = { id, processKey: process.key, webhookId: 7 } as WebhookDelivery;
      const result = { job: job as Job, ...ended(delivery, 'dead', 'network.offline', nowMs) };
      const ports = { ...portsOf(store), append: appendActivities };
      let recorded: Promise<void> | undefined;
      await store.write(async (unit) => {
        await unit.processes.lock(process.key);
        recorded ??= resultRecorder(ports)(result);
        // It has progressed as far as it can.
        await new Promise((resolve) => setTimeout(resolve, 100));
        nowMs += 2500;
      });
      await recorded;
      expect(await rowsOf(process)).toMatchObject([
        { status: 'WebhookFailed', createdAtMs: nowMs },
      ]);
    });

    test('locks a process before the job that purges it', async () => {
      const endedAtMs = nowMs - 30 * DAY;
      const ended = { status: 'Canceled', phase: 'Done', endedAtMs } as const;
      const process = testProcess(next(), ended);
      const job = { kind: 'purge', ref: process.key, runAtMs: nowMs } as const;
      await store.write(async (unit) => {
        await unit.processes.add(process);
        await appendActivity(unit, portsOf(store), process, testDrafts(process), endedAtMs);
        await unit.jobs.put(job);
      });
      const claim = { owner: 'w', kinds: ['purge'], nowMs, leaseMs: 1000, limit: 1 } as const;
      const [claimed] = await store.claimJobs(claim);
      const { store: seen, calls } = watched(store);
      const blobs = { remove: async () => true };
      const ports = { ...portsOf(seen), blobs, mailer: {}, sms: {} };
      await purgeProcess(claimed as Job, ports as never);
      const order = calls.filter((each) => /^(processes\.lock|jobs\.finish)$/.test(each));
      expect(order).toEqual(['processes.lock', 'jobs.finish']);
      expect((await rowsOf(process)).at(-1)?.status).toBe('Purged');
    });
  });
}

test('a click reads the process before the work, and again under its lock', async () => {
  const world = await openSigningWorld();
  try {
    const { key, companyKey } = await world.open([person(1)]);
    const { store, calls } = watched(world.ports.store);
    const place = { processKey: key, signeeKey: signeeKeyOf(0) };
    await bindOperations(signingOperations, { ...world.ports, store }, companyKey).signByClick(
      place,
    );
    const reads = calls.filter((each) => /^processes\.(find|lock)$/.test(each));
    expect(reads).toEqual(['processes.find', 'processes.lock']);
    const other = bindOperations(signingOperations, world.ports, asKey('company', '000000000000'));
    await expect(other.decline(place, 'no')).rejects.toMatchObject({ code: 'process.not_found' });
    await expect(other.pollAuth(place, 'x')).rejects.toMatchObject({ code: 'process.not_found' });
    await expect(other.sendCode(place)).rejects.toMatchObject({ code: 'process.not_found' });
    await expect(other.signByCode(place, 'x', '1')).rejects.toMatchObject({
      code: 'process.not_found',
    });
  } finally {
    await world.close();
  }
});
