/** The worker must not act on processes edited and jobs added by an attacker with database access. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SigningProcess } from '../../src/domain/process/index.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';
import {
  addJob,
  addRow,
  dataOf,
  editData,
  editRows,
  jobTime,
  openDatabase,
  rebuildChain,
} from './tampered-database.ts';

const dayMs = 86_400_000;
const anna = { name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' } as const;

let it: TestService;
const database = <T>(work: (db: Database.Database) => T): T => openDatabase(it, work);

const due = (kind: string, ref: string) => database((db) => addJob(db, kind, ref, it.nowMs() - 1));

async function made(more: object = {}): Promise<SigningProcess> {
  const { processes } = it.toolkit;
  return processes.create({ flowKey: it.flowKey, pdf: agreement, signees: [anna], ...more });
}

async function completed(more: object = {}): Promise<SigningProcess> {
  const { key, signees } = await made(more);
  await it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
  await it.service.work(['finalize', 'message']);
  const process = await it.toolkit.processes.show({ key });
  expect(process.status).toBe('Completed');
  return process;
}

/** Jobs that the worker could not do. */
async function work(...kinds: ('purge' | 'expire' | 'finalize' | 'message')[]) {
  const { failed } = await it.service.work(kinds);
  return failed.map(({ kind, ref, code }) => ({ kind, ref, code }));
}

async function verified() {
  const { isIntact, isVouched, chainFindings } = await it.toolkit.activity.verify();
  const faults = chainFindings.map(({ fault }) => fault);
  return { exit: isIntact ? (isVouched ? 0 : 9) : 7, faults };
}

const intact = { exit: 0, faults: [] };
const changed = { exit: 7, faults: ['process.changed'] };
const isThere = async (key: string) => (await it.toolkit.processes.document(key)).length > 0;
const rowsOf = (key: string) =>
  database((db) =>
    db.prepare('SELECT data FROM activity WHERE process_key = ? ORDER BY seq').all(key),
  ).map((row) => JSON.parse((row as { data: string }).data));
const gone = { code: 'process.file.not_found' };
const broken = (kind: string, ref: string) => [{ kind, ref, code: 'activity.chain.broken' }];

beforeEach(async () => {
  it = await openTestService();
}, 60_000);
afterEach(() => it.close());

describe('a scheduled purge', () => {
  test('is refused if retention or end were edited, and done on time once they are restored', async () => {
    const { key, endedAtMs = 0 } = await completed();
    const stored = database((db) => dataOf(db, key));
    database((db) =>
      editData(db, key, (data) => {
        Object.assign(data, { policy: { ...data.policy, retentionDays: 1 }, endedAtMs: 1 });
      }),
    );
    due('purge', key);
    expect(await work('purge')).toEqual(broken('purge', key));
    expect(await isThere(key)).toBe(true);
    expect(await verified()).toEqual(changed);
    // It is reported once a day.
    expect(await work('purge')).toEqual([]);
    it.pass(dayMs / 2);
    expect(await work('purge')).toEqual([]);
    it.pass(dayMs / 2 + 1000);
    expect(await work('purge')).toEqual(broken('purge', key));
    database((db) => editData(db, key, (data) => Object.assign(data, stored)));
    it.pass(dayMs + 1000);
    expect((await it.service.work(['purge'])).failed).toMatchObject([
      { code: 'process.state.refused', isFinal: false },
    ]);
    expect(database((db) => jobTime(db, 'purge', key))).toBe(endedAtMs + 30 * dayMs);
    it.pass(28 * dayMs);
    expect(await work('purge')).toEqual([]);
    await expect(isThere(key)).rejects.toMatchObject(gone);
    expect((await verified()).faults).toEqual([]);
  });

  test('that was never due is refused, and its job has no other effect', async () => {
    const { key } = await made();
    due('purge', key);
    expect((await it.service.work(['purge'])).failed).toMatchObject([
      { code: 'process.state.refused', isFinal: true },
    ]);
    expect(database((db) => jobTime(db, 'purge', key))).toBeUndefined();
    database((db) => {
      const edit = "UPDATE process SET status = 'Canceled', phase = 'Done' WHERE key = ?";
      db.prepare(edit).run(key);
      editData(db, key, (data) => Object.assign(data, { endedAtMs: 1 }));
    });
    due('purge', key);
    expect(await work('purge')).toEqual(broken('purge', key));
    expect(await isThere(key)).toBe(true);
  });

  test.each(['expire', 'cancel', 'decline'] as const)('happens on time after %s', async (how) => {
    const settings = { retentionDays: 3, mayDecline: true, expiresAfterDays: 1 };
    await it.toolkit.flows.update(it.flowKey, { settings });
    const { key, signees } = await made();
    const place = { processKey: key, signeeKey: signees[0]?.key ?? '' };
    if (how === 'cancel') await it.toolkit.processes.cancel({ key, by: 'System' });
    if (how === 'decline') await it.toolkit.signing.decline(place, 'no');
    if (how === 'expire') it.pass(dayMs + 1000);
    expect(await work('expire')).toEqual([]);
    expect(await verified()).toEqual(intact);
    it.pass(3 * dayMs - 60_000);
    expect(await work('purge')).toEqual([]);
    expect(await isThere(key)).toBe(true);
    it.pass(120_000);
    expect(await work('purge')).toEqual([]);
    await expect(isThere(key)).rejects.toMatchObject(gone);
    expect((await verified()).faults).toEqual([]);
  });

  test('accepts an end recorded by a slow clock', async () => {
    const { key } = await made();
    it.pass(-7_200_000);
    await it.toolkit.processes.cancel({ key, by: 'System' });
    expect(rowsOf(key).at(-1)).toMatchObject({ description: expect.stringMatching(/ms behind/) });
    expect(await verified()).toEqual(intact);
    it.pass(30 * dayMs + 60_000);
    expect(await work('purge')).toEqual([]);
    await expect(isThere(key)).rejects.toMatchObject(gone);
    expect((await verified()).faults).toEqual([]);
  });

  test('removes nothing that only an edited process refers to', async () => {
    const other = await completed({ pdf: Buffer.concat([agreement, Buffer.from('\n')]) });
    await it.toolkit.flows.update(it.flowKey, { settings: { retentionDays: 1 } });
    const { key } = await made();
    await it.toolkit.processes.cancel({ key, by: 'System' });
    const sha256 = other.document?.sha256 ?? '';
    database((db) => {
      db.prepare('DELETE FROM process_content WHERE sha256 = ?').run(sha256);
      editData(db, key, ({ signees }) => Object.assign(signees[0] ?? {}, { shownSha256: sha256 }));
    });
    it.pass(dayMs + 60_000);
    expect(await work('purge')).toEqual([]);
    await expect(isThere(key)).rejects.toMatchObject(gone);
    expect(await isThere(other.key)).toBe(true);
  });
});

describe('a purge requested by the company', () => {
  test('needs no waiting time, and the log still verifies', async () => {
    const { key } = await completed();
    await it.toolkit.processes.purge({ key, by: 'System' });
    expect(await verified()).toEqual(intact);
    expect(rowsOf(key).at(-1)).toMatchObject({ status: 'Purged', description: 'on request' });
  });

  test('is detected if it is disguised as a scheduled purge before its time', async () => {
    const { key } = await completed();
    await it.toolkit.processes.purge({ key, by: 'System' });
    database((db) => {
      editRows(db, key, 'Purged', (row) => Object.assign(row, { description: undefined }));
      rebuildChain(db, key);
    });
    expect(await verified()).toEqual(changed);
  });

  test('removes the contents of the process despite an edited content table', async () => {
    const other = await completed({ pdf: Buffer.concat([agreement, Buffer.from('\n')]) });
    const { key } = await completed();
    const sha256 = other.document?.sha256 ?? '';
    it.pass(dayMs);
    database((db) => {
      const move = 'UPDATE process_content SET process_key = ? WHERE sha256 = ?';
      db.prepare(move).run(key, sha256);
    });
    await it.toolkit.processes.purge({ key, by: 'System' });
    expect(await isThere(other.key)).toBe(true);
  });
});

describe('a forged job, or a job of an edited process', () => {
  test('that names a blob removes nothing', async () => {
    const { key, document } = await completed();
    const sha256 = document?.sha256 ?? '';
    it.pass(dayMs);
    database((db) => db.prepare('DELETE FROM process_content WHERE sha256 = ?').run(sha256));
    due('purge', sha256);
    expect(await work('purge')).toEqual([]);
    expect(await isThere(key)).toBe(true);
    expect(database((db) => jobTime(db, 'purge', sha256))).toBeUndefined();
  });

  test('that names a purged process removes nothing that only an edited log refers to', async () => {
    const other = await completed({ pdf: Buffer.concat([agreement, Buffer.from('\n')]) });
    const { key } = await completed();
    await it.toolkit.processes.purge({ key, by: 'System' });
    it.pass(dayMs);
    database((db) => {
      const sha256 = other.document?.sha256 ?? '';
      db.prepare('DELETE FROM process_content WHERE sha256 = ?').run(sha256);
      editRows(db, key, 'Purged', (row) =>
        Object.assign(row, { digests: { 'removed:1': sha256 } }),
      );
    });
    due('purge', key);
    expect(await work('purge')).toEqual(broken('purge', key));
    expect(await isThere(other.key)).toBe(true);
  });

  test('does not expire a process before its deadline', async () => {
    const { key, signees } = await made();
    const place = { processKey: key, signeeKey: signees[0]?.key ?? '' };
    database((db) => db.prepare('UPDATE process SET expires_at = 1 WHERE key = ?').run(key));
    due('expire', key);
    expect(await work('expire')).toEqual(broken('expire', key));
    expect(await work('expire')).toEqual([]);
    await expect(it.toolkit.signing.signByClick(place)).rejects.toMatchObject({
      code: 'signing.forbidden.expired',
    });
    const cancel = it.toolkit.processes.cancel({ key, by: 'System' });
    await expect(cancel).rejects.toMatchObject({ code: 'signing.forbidden.expired' });
    expect((await it.toolkit.processes.show({ key })).status).toBe('Active');
    expect(await verified()).toEqual(changed);
  });

  test('sends a message although the deadline of the process was edited', async () => {
    const { key } = await made({ signees: [{ ...anna, delivery: 'Email' }] });
    database((db) => db.prepare('UPDATE process SET expires_at = 1 WHERE key = ?').run(key));
    expect(await work('message')).toEqual([]);
    expect(rowsOf(key).at(-1)).toMatchObject({ status: 'SignupSent' });
    expect((await it.toolkit.processes.show({ key })).status).toBe('Active');
  });

  test('an edited deadline also prevents unblocking', async () => {
    const { key } = await made();
    await it.toolkit.processes.block({ key, by: 'System' });
    database((db) => db.prepare('UPDATE process SET expires_at = 1 WHERE key = ?').run(key));
    await expect(it.toolkit.processes.unblock({ key, by: 'System' })).rejects.toMatchObject({
      code: 'activity.chain.broken',
    });
    expect((await it.toolkit.processes.show({ key })).status).toBe('Blocked');
  });

  test('does not seal a document that no one has signed', async () => {
    const { key } = await made();
    database((db) => db.prepare("UPDATE process SET phase = 'Finalizing' WHERE key = ?").run(key));
    due('finalize', key);
    expect(await work('finalize', 'message')).toEqual([
      { kind: 'finalize', ref: key, code: 'process.finalize.failed' },
    ]);
    expect((await it.toolkit.processes.show({ key })).status).toBe('Active');
    expect(await verified()).toEqual(changed);
  });
});

test('an extended deadline is proved by a row of the log', async () => {
  const { key } = await made();
  await it.toolkit.processes.extend({ key, expiresAtMs: it.nowMs() + 60 * dayMs, by: 'System' });
  expect(await verified()).toEqual(intact);
  database((db) =>
    db.prepare('UPDATE process SET expires_at = expires_at - 1 WHERE key = ?').run(key),
  );
  expect(await verified()).toEqual(changed);
});

test('processes with log rows of earlier versions expire and are purged as usual', async () => {
  const [done, open] = [await completed(), await made()];
  await it.toolkit.processes.extend({
    key: open.key,
    expiresAtMs: it.nowMs() + 2 * dayMs,
    by: 'System',
  });
  database((db) => {
    for (const { key } of [done, open]) {
      for (const status of ['Created', 'Extended']) {
        editRows(db, key, status, (row) => Object.assign(row, { terms: undefined }));
      }
      rebuildChain(db, key);
    }
  });
  const evidence = { exit: 7, faults: ['evidence.other'] };
  expect(await verified()).toEqual(evidence);
  it.pass(3 * dayMs);
  expect(await work('expire')).toEqual([]);
  expect((await it.toolkit.processes.show({ key: open.key })).status).toBe('Expired');
  it.pass(31 * dayMs);
  expect(await work('purge')).toEqual([]);
  for (const { key } of [done, open]) await expect(isThere(key)).rejects.toMatchObject(gone);
  expect((await verified()).faults).toEqual([]);
});

test('a missing document is reported', async () => {
  const { key, document } = await completed();
  const sha256 = document?.sha256 ?? '';
  rmSync(join(it.folder, 'data', 'objects', sha256.slice(0, 2), sha256));
  expect(await verified()).toEqual({ exit: 9, faults: ['contents.missing'] });
  await it.toolkit.processes.purge({ key, by: 'System' });
  expect(await verified()).toEqual(intact);
});

test('a forged row that ends a process earlier is detected by the root of its day', async () => {
  const { key } = await made();
  it.pass(dayMs);
  await it.service.work(['anchor']);
  database((db) => {
    const atMs = it.nowMs() - dayMs;
    addRow(db, key, { status: 'Canceled' }, atMs);
    const edit = "UPDATE process SET status = 'Canceled', phase = 'Done' WHERE key = ?";
    db.prepare(edit).run(key);
    editData(db, key, (data) => Object.assign(data, { endedAtMs: atMs }));
  });
  const { isIntact, dayFindings } = await it.toolkit.activity.verify();
  expect({ isIntact, dayFindings }).toMatchObject({
    isIntact: false,
    dayFindings: [{ fault: 'rows.added' }],
  });
});
