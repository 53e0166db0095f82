import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { newFolder, putEmptyDatabase, refusalOf, type TestHost, testHost } from './open-host.ts';
import { agreement } from './open-service.ts';

const DAY = 86_400_000;
const email = 'anna@example.test';
const signees = [{ name: 'Anna', email, signatureType: 'ClickToSign' }] as const;

let folder: ReturnType<typeof newFolder>;
let host: TestHost;
beforeEach(async () => {
  folder = newFolder();
  host = testHost(join(folder.path, 'a'));
  await host.kit.initialise({ name: 'Acme ehf.' });
  await addProcess();
});
afterEach(() => folder.remove());

async function addProcess(): Promise<void> {
  const service = await host.kit.service();
  const toolkit = await service.open();
  const [flow] = await toolkit.flows.list();
  await toolkit.processes.create({ flowKey: flow?.flowKey ?? '', pdf: agreement, signees });
  await service.close();
}

const place = (name: string) => join(host.dataDir, name);
const contents = () =>
  readdirSync(place('objects'), { recursive: true }).filter((name) =>
    /[0-9a-f]{64}$/.test(String(name)),
  ).length;
/** Removes the database, or the contents of the content folder. */
const without = (name: 'innsigli.db' | 'objects') => {
  for (const suffix of name === 'objects' ? [''] : ['', '-wal', '-shm']) {
    rmSync(place(`${name}${suffix}`), { recursive: true, force: true });
  }
};
const keep = (name: string) => cpSync(place(name), join(folder.path, 'kept'), { recursive: true });
const putBack = (name: string) => {
  rmSync(place(name), { recursive: true, force: true });
  cpSync(join(folder.path, 'kept'), place(name), { recursive: true });
};

test('database and content folder share one ID, readable only by their owner', async () => {
  const figures = await (await host.kit.storage()).show();
  expect(figures.databaseId).toMatch(/^[0-9a-f]{32}$/);
  expect(figures.folderId).toBe(figures.databaseId);
  expect(readFileSync(place('objects/.store'), 'utf8')).toBe(`${figures.databaseId}\n`);
  expect(figures).toMatchObject({ contents: 1, unknown: 0, sampled: 1, missing: 0, marked: 0 });
  expect(await host.check('contents')).toMatchObject({ status: 'ok' });
});

test('a different database is refused for the folder, and can be joined explicitly', async () => {
  keep('innsigli.db');
  without('innsigli.db');
  // A lost part is not recreated next to the remaining one.
  expect(await refusalOf(host)).toBe('config.datadir.missing');
  await putEmptyDatabase(host);
  expect(await refusalOf(host)).toBe('store.mismatch');
  expect(await host.check('contents')).toMatchObject({ status: 'failed' });
  expect(contents()).toBe(1);
  const storage = await host.kit.storage();
  const id = await storage.adopt();
  expect(await storage.show()).toMatchObject({ databaseId: id, folderId: id, unknown: 1 });
  expect(await refusalOf(host)).toBe('');
  // The former database no longer belongs to the folder.
  without('innsigli.db');
  putBack('innsigli.db');
  expect(await refusalOf(host)).toBe('store.mismatch');
});

test('an empty file is not accepted as database', async () => {
  without('innsigli.db');
  writeFileSync(place('innsigli.db'), '');
  expect(await refusalOf(host)).toBe('config.datadir.missing');
  expect(statSync(place('innsigli.db')).size).toBe(0);
});

test('inspecting the store reports a lost database', async () => {
  without('innsigli.db');
  const storage = await host.kit.storage();
  await expect(storage.show()).rejects.toMatchObject({
    code: 'config.datadir.missing',
    message: expect.stringContaining('found only its companion'),
    hint: expect.stringContaining('restore the database from a backup'),
  });
});

test('a key placed in a new data directory is used', async () => {
  const next = testHost(join(folder.path, 'b'));
  const key = `${'ab'.repeat(32)}\n`;
  mkdirSync(next.dataDir, { mode: 0o700 });
  writeFileSync(join(next.dataDir, 'vault.key'), key, { mode: 0o600 });
  await next.kit.initialise({ name: 'Acme ehf.' });
  expect(readFileSync(join(next.dataDir, 'vault.key'), 'utf8')).toBe(key);
  expect(await refusalOf(next)).toBe('');
});

test.skipIf(process.platform === 'win32').each([
  ['objects/.store', 'store.unavailable'],
  ['vault.key', 'config.datadir.unusable'],
])('a pipe in place of %s does not block the program', async (name, code) => {
  rmSync(place(name));
  execFileSync('mkfifo', ['-m', '600', place(name)]);
  expect(await refusalOf(host)).toBe(code);
});

test('a different content folder is refused for the database, even an empty one', async () => {
  keep('objects');
  without('objects');
  expect(await refusalOf(host)).toBe('store.mismatch');
  expect(existsSync(place('objects/.store'))).toBe(false);
  putBack('objects');
  expect(await refusalOf(host)).toBe('');
  writeFileSync(place('objects/.store'), `${'ab'.repeat(16)}\n`);
  expect(await refusalOf(host)).toBe('store.mismatch');
});

async function forgetIds(): Promise<void> {
  const { openStorage } = await import('../../src/wire/service/open-storage.ts');
  const { resolveConfig } = await import('../../src/wire/config/resolve.ts');
  const env = { HOME: host.dataDir, INNSIGLI_HOME: host.dataDir };
  const { config } = resolveConfig({ flags: {}, env, cwd: host.dataDir });
  const io = { now: host.nowMs, random: () => Buffer.alloc(16), warn: () => undefined };
  const { ports } = await openStorage({ config, io });
  await ports.store.write(async ({ facts }) => {
    for (const { name } of await facts.list('store.')) await facts.remove(name);
    for (const { name } of await facts.list('host.')) await facts.remove(name);
  });
  await ports.store.close();
  for (const name of readdirSync(place('objects'))) {
    if (name.startsWith('.')) rmSync(place(`objects/${name}`));
  }
}

test('stores of earlier versions are joined if the contents are present', async () => {
  await forgetIds();
  expect(await refusalOf(host)).toBe('');
  expect((await (await host.kit.storage()).show()).databaseId).toMatch(/^[0-9a-f]{32}$/);
});

test('stores of earlier versions are refused if the contents differ', async () => {
  await forgetIds();
  keep('objects');
  without('objects');
  expect(await refusalOf(host)).toBe('store.mismatch');
  putBack('objects');
  without('innsigli.db');
  expect(await refusalOf(host)).toBe('config.datadir.missing');
  expect(existsSync(place('innsigli.db'))).toBe(false);
  expect(existsSync(place('objects/.store'))).toBe(false);
});

test('an initialisation interrupted between both IDs is completed by the next program', async () => {
  const id = (await (await host.kit.storage()).show()).databaseId ?? '';
  await forgetIds();
  const { openStorage } = await import('../../src/wire/service/open-storage.ts');
  const { resolveConfig } = await import('../../src/wire/config/resolve.ts');
  const env = { HOME: host.dataDir, INNSIGLI_HOME: host.dataDir };
  const { config } = resolveConfig({ flags: {}, env, cwd: host.dataDir });
  const io = { now: host.nowMs, random: () => Buffer.alloc(16), warn: () => undefined };
  const { ports } = await openStorage({ config, io });
  await ports.store.write(({ facts }) => facts.putOnce('store.proposed', id, 1));
  await ports.store.close();
  writeFileSync(place('objects/.store'), `${id}\n`);
  expect(await refusalOf(host)).toBe('');
  expect(await (await host.kit.storage()).show()).toMatchObject({ databaseId: id, folderId: id });
});

test('an older backup of the database loses nothing stored later', async () => {
  const storage = await host.kit.storage();
  await storage.collect({});
  keep('innsigli.db');
  for (let number = 0; number < 3; number++) {
    const content = Buffer.concat([agreement, Buffer.from(`\n% ${number}\n`)]);
    const service = await host.kit.service();
    const toolkit = await service.open();
    const [flow] = await toolkit.flows.list();
    await toolkit.processes.create({ flowKey: flow?.flowKey ?? '', pdf: content, signees });
    await service.close();
  }
  host.pass(2 * DAY);
  await storage.collect({});
  without('innsigli.db');
  putBack('innsigli.db');
  host.pass(40 * DAY);
  expect(await storage.collect({ dryRun: true })).toMatchObject({ orphans: 3, due: 0 });
  const first = await storage.collect({});
  expect(first).toMatchObject({ orphans: 3, marked: 3, due: 0, removed: 0, restarted: true });
  host.pass(29 * DAY);
  expect(await storage.collect({})).toMatchObject({ orphans: 3, removed: 0, restarted: false });
  expect(contents()).toBe(4);
  host.pass(DAY);
  // Only a person can know that no other database has stored them.
  await expect(storage.collect({})).rejects.toMatchObject({ code: 'store.collect.refused' });
  expect(contents()).toBe(4);
  expect(await storage.collect({ confirmed: true })).toMatchObject({ due: 3, removed: 3 });
  expect(contents()).toBe(1);
});

test('two databases with one ID never remove anything from a shared folder', async () => {
  const storage = await host.kit.storage();
  await storage.collect({});
  const copy = testHost(join(folder.path, 'b'));
  cpSync(host.dataDir, copy.dataDir, { recursive: true });
  rmSync(join(copy.dataDir, 'objects'), { recursive: true });
  const { symlinkSync } = await import('node:fs');
  symlinkSync(place('objects'), join(copy.dataDir, 'objects'));
  const service = await host.kit.service();
  const toolkit = await service.open();
  const [flow] = await toolkit.flows.list();
  const pdf = Buffer.concat([agreement, Buffer.from('\n% new\n')]);
  await toolkit.processes.create({ flowKey: flow?.flowKey ?? '', pdf, signees });
  await service.close();
  for (let day = 0; day < 3; day++) {
    for (const each of [host, copy]) each.pass(35 * DAY);
    await storage.collect({});
    expect(await (await copy.kit.storage()).collect({})).toMatchObject({ removed: 0 });
  }
  expect(contents()).toBe(2);
});
