import { chmodSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openSqliteStore, type SqliteStoreOptions } from '../../../../src/adapters/store/index.ts';
import { schemaVersion } from '../../../../src/adapters/store/migrate.ts';
import { mountType, networkFileSystem } from '../../../../src/adapters/store/sqlite/local-disk.ts';
import { openVault } from '../../../../src/adapters/vault/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import type { Message } from '../../../../src/domain/message/index.ts';
import {
  addTestFlow,
  testNowMs,
  testProcess,
  testSignee,
  testVault,
} from '../../../support/store.ts';
import { newSqlitePlace, type TestPlace } from './store-place.ts';
import { undoVersion4 } from './suite-facts.ts';

let place: TestPlace;
beforeEach(async () => {
  place = await newSqlitePlace();
});
afterEach(() => place.remove());

const open = (changes: Partial<SqliteStoreOptions> = {}): Promise<Store> =>
  openSqliteStore({ path: place.target, vault: testVault, now: () => testNowMs, ...changes });

async function filled(count: number): Promise<Store> {
  const store = await open();
  await store.write(async (unit) => {
    await addTestFlow(unit);
    for (let number = 1; number <= count; number++) await unit.processes.add(testProcess(number));
  });
  return store;
}

/** Runs as a user other than root, who may write everywhere. */
async function unprivileged<T>(work: () => Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return work();
  process.seteuid(65_534);
  try {
    return await work();
  } finally {
    process.seteuid(0);
  }
}

describe('a SQLite store under faults', () => {
  test('reports a file that is no database as corrupt and leaves it unchanged', async () => {
    writeFileSync(place.target, 'this is no database '.repeat(100));
    await expect(open()).rejects.toMatchObject({ code: 'store.corrupt' });
    expect(readFileSync(place.target, 'latin1')).toBe('this is no database '.repeat(100));
  });

  test('reports overwritten pages as corrupt', async () => {
    await (await filled(200)).close();
    const bytes = readFileSync(place.target);
    bytes.fill(0xa5, 8192);
    writeFileSync(place.target, bytes);
    const store = await open().catch((error: unknown) => error);
    if (store instanceof Error) expect(store).toMatchObject({ code: 'store.corrupt' });
    else {
      const reading = (store as Store).read(({ processes }) => processes.find(testProcess(5).key));
      await expect(reading).rejects.toMatchObject({ code: 'store.corrupt' });
      await (store as Store).close();
    }
  });

  test('rejects a write on a full disk, keeps its data and continues when there is space', async () => {
    await (await filled(5)).close();
    const maxSizeBytes = statSync(place.target).size + 60_000;
    const cramped = await open({ maxSizeBytes });
    const big = (number: number) => testProcess(number, { meta: { text: 'x'.repeat(15_000) } });
    const write = (number: number) => cramped.write(({ processes }) => processes.add(big(number)));
    const together = await Promise.allSettled([11, 12, 13, 14].map(write));
    const refused = together.filter(({ status }) => status === 'rejected');
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(4);
    for (const each of refused) expect(each).toMatchObject({ reason: { code: 'store.full' } });
    await cramped.close();
    const roomy = await open();
    for (const [index, { status }] of together.entries()) {
      const { key } = testProcess(11 + index);
      const found = await roomy.read(({ processes }) => processes.find(key));
      expect(found !== undefined).toBe(status === 'fulfilled');
    }
    expect(await roomy.read(({ processes }) => processes.find(testProcess(5).key))).toBeDefined();
    await roomy.write(({ processes }) => processes.add(big(99)));
    await roomy.close();
  });

  test('reports a read-only folder', async () => {
    const folder = join(dirname(place.target), 'locked');
    mkdirSync(folder);
    chmodSync(dirname(place.target), 0o755);
    chmodSync(folder, 0o555);
    const path = join(folder, 'innsigli.db');
    await unprivileged(() =>
      expect(open({ path })).rejects.toMatchObject({ code: 'store.readonly' }),
    );
  });

  test('reports a read-only file', async () => {
    await (await filled(1)).close();
    chmodSync(dirname(place.target), 0o555);
    chmodSync(place.target, 0o444);
    await unprivileged(() => expect(open()).rejects.toMatchObject({ code: 'store.readonly' }));
  });

  test('is unavailable when its path leads through a file', async () => {
    writeFileSync(place.target, '');
    const path = join(place.target, 'below', 'innsigli.db');
    await expect(open({ path })).rejects.toMatchObject({ code: 'store.unavailable' });
  });

  test('leaves a schema of a newer version unchanged', async () => {
    await (await filled(1)).close();
    const raw = new Database(place.target);
    raw.exec('INSERT INTO schema_version VALUES (999, 1)');
    raw.close();
    await expect(open()).rejects.toMatchObject({ code: 'store.schema.newer' });
  });

  test('migrates a schema before the message lists and removes plaintext tokens', async () => {
    const { companyKey } = testProcess(1);
    const message = { id: 'ms1', template: 'Signup', channel: 'Email', to: 'a@b.is', attempts: 0 };
    const store = await filled(1);
    await store.write(({ messages }) =>
      messages.add({
        ...(message as Omit<Message, 'companyKey' | 'values' | 'state'>),
        companyKey,
        processKey: testProcess(1).key,
        values: {},
        state: 'waiting',
        includeUnsubscribe: false,
        createdAtMs: 5,
      }),
    );
    await store.close();
    const raw = new Database(place.target);
    raw.exec(`${undoVersion4}
      DROP INDEX message_list;
      UPDATE message SET data = json_set(data, '$.companyKey', company_key, '$.state', state);
      ALTER TABLE message DROP COLUMN company_key; ALTER TABLE message DROP COLUMN state;
      ALTER TABLE challenge RENAME COLUMN sha256 TO token;
      INSERT INTO challenge VALUES ('a token in clear', 1, '{}');
      DELETE FROM schema_version WHERE version >= 3`);
    raw.close();
    const newer = await open();
    const filter = { companyKey, states: ['waiting', 'failed'], take: 9 } as const;
    expect(await newer.read(({ messages }) => messages.list(filter))).toMatchObject([
      { ...message, companyKey, state: 'waiting' },
    ]);
    await newer.close();
    expect(readFileSync(place.target, 'latin1')).not.toContain('a token in clear');
  });

  test('cannot decrypt secrets with a different vault key', async () => {
    const store = await filled(1);
    const process = testProcess(2, { signees: [testSignee(2, { ssn: '1201743399' })] });
    await store.write(({ processes }) => processes.add(process));
    await store.close();
    const other = await open({ vault: openVault(Buffer.alloc(32, 8)) });
    const reading = other.read(({ processes }) => processes.find(process.key));
    await expect(reading).rejects.toMatchObject({ code: 'vault.invalid' });
    await other.close();
  });

  test('waits five seconds for the lock of a different program without blocking the thread', async () => {
    const store = await filled(1);
    const raw = new Database(place.target);
    raw.exec('BEGIN IMMEDIATE');
    const startedAt = performance.now();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    const writing = store.write(({ processes }) => processes.add(testProcess(2)));
    await expect(writing).rejects.toMatchObject({ code: 'store.busy' });
    clearInterval(timer);
    expect(performance.now() - startedAt).toBeGreaterThan(4900);
    expect(ticks).toBeGreaterThan(100);
    raw.exec('ROLLBACK');
    await store.write(({ processes }) => processes.add(testProcess(2)));
    raw.close();
    await store.close();
  });

  test('rejects a write nested in a write instead of waiting forever', async () => {
    const store = await filled(1);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const outer = store.write(async () => {
        await store.write(({ processes }) => processes.add(testProcess(2)));
      });
      const refused = expect(outer).rejects.toMatchObject({ code: 'store.busy' });
      await vi.advanceTimersByTimeAsync(30_000);
      await refused;
    } finally {
      vi.useRealTimers();
    }
    expect(await store.read(({ processes }) => processes.find(testProcess(2).key))).toBeUndefined();
    await store.write(({ processes }) => processes.add(testProcess(3)));
    await store.close();
  });

  test('can be created by several openers concurrently', async () => {
    const stores = await Promise.all([1, 2, 3, 4].map(() => open()));
    for (const store of stores) expect((await store.health()).schemaVersion).toBe(schemaVersion);
    await Promise.all(stores.map((store) => store.close()));
  });

  test('is readable by its owner only and contains neither secrets nor erased values', async () => {
    const store = await filled(1);
    const ssn = '1201743399';
    const process = testProcess(2, { signees: [testSignee(2, { ssn })] });
    const { companyKey, flowKey, key: processKey } = process;
    await store.write(async ({ processes, companies, webhooks, messages, activity }) => {
      await processes.add(process);
      await companies.setWebhookSignatureKey(companyKey, 'SIGNATURE-KEY');
      const body = [`{"Ssn":"${ssn}"}`, ''] as const;
      const common = { companyKey, flowKey, processKey, createdAtMs: 1 };
      await webhooks.addEvent({ ...common, id: 'e', seq: 1, type: 'Completed', body });
      await webhooks.add({
        ...common,
        type: 'Completed',
        url: 'https://example.is',
        isActive: true,
        schedule: 'published',
        secrets: ['whsec_SECRET'],
        isOrdered: false,
        updatedAtMs: 1,
        failureCount: 0,
      });
      await messages.add({
        ...common,
        id: 'm',
        template: 'OneTimeCode',
        channel: 'Sms',
        to: '1',
        includeUnsubscribe: false,
        values: { code: 'CODE-424242' },
        state: 'waiting',
        attempts: 0,
      });
      const row = { ...common, seq: 1, status: 'x', createdBy: 'y', commitments: {}, hash: 'h' };
      await activity.append([
        { row, personal: [{ name: 'ip', salt: '00', value: 'ADDRESS-192.0.2.77' }] },
      ]);
    });
    await store.write(({ activity }) => activity.erasePersonal(processKey));
    expect(statSync(place.target).mode & 0o777).toBe(0o600);
    await store.close();
    const text = readFileSync(place.target, 'latin1');
    expect(text).toContain(processKey);
    for (const secret of [ssn, 'SIGNATURE-KEY', 'whsec_', 'CODE-4242', 'ADDRESS-192']) {
      expect(text.includes(secret)).toBe(false);
    }
  });
});

describe('network file systems', () => {
  test.each([
    [0x6969, undefined, 'NFS'],
    [0xff534d42, undefined, 'CIFS'],
    [0xff534d42 | 0, undefined, 'CIFS'],
    [0xfe534d42, undefined, 'SMB2'],
    [0x65735546, 'fuse.sshfs', 'fuse.sshfs'],
    [0x65735546, undefined, 'FUSE'],
    [0x65735546, 'fuseblk', undefined],
    [0xef53, undefined, undefined],
    [0x01021994, undefined, undefined],
    [0x9123683e, undefined, undefined],
  ])('type %i mounted as %s is %s', (type, mounted, expected) => {
    expect(networkFileSystem(type, mounted)).toBe(expected);
  });

  test('the mount point of a path is found', () => {
    const text = [
      '22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/vda rw',
      '23 22 0:50 / /home/me/far\\040away rw - fuse.sshfs host: rw',
      '24 22 0:51 / /mnt rw shared:2 master:3 - nfs4 host:/ rw',
      '25 24 0:52 / /mnt rw - fuseblk /dev/sdb1 rw',
    ].join('\n');
    expect(mountType(text, '/home/me/far away/data')).toBe('fuse.sshfs');
    expect(mountType(text, '/home/me/far')).toBe('ext4');
    expect(mountType(text, '/mnt/data')).toBe('fuseblk');
    expect(mountType('', '/mnt')).toBeUndefined();
  });
});
