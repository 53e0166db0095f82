import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Store, StoreUnit } from '../../src/app/ports/index.ts';
import { asKey } from '../../src/domain/keys.ts';
import { testProcess } from '../support/store.ts';
import { newFolder, putEmptyDatabase, refusalOf, type TestHost, testHost } from './open-host.ts';

const DAY = 86_400_000;
/** The figures of docs/adr/0020 are for 3000; fewer files show the same in less time. */
const COUNT = Number(process.env['COLLECTOR_CONTENTS'] ?? 600);
const HALF = COUNT / 2;

let folder: ReturnType<typeof newFolder>;
let host: TestHost;
beforeAll(async () => {
  folder = newFolder();
  host = testHost(join(folder.path, 'first'));
  await host.kit.initialise({ name: 'Acme ehf.' });
  addContents(0, HALF);
  await withStore(host, (unit) => addProcesses(unit, 0, HALF));
  cpSync(join(host.dataDir, 'innsigli.db'), join(folder.path, 'older.db'));
  addContents(HALF, COUNT);
  await withStore(host, (unit) => addProcesses(unit, HALF, COUNT));
}, 60_000);
afterAll(() => folder.remove());

const digestOf = (number: number) =>
  createHash('sha256').update(`document ${number}`).digest('hex');

/** Files a day old, as the service writes them. */
function addContents(from: number, to: number): void {
  const atS = (Date.now() - DAY) / 1000;
  for (let number = from; number < to; number++) {
    const sha256 = digestOf(number);
    const place = join(host.dataDir, 'objects', sha256.slice(0, 2));
    mkdirSync(place, { recursive: true, mode: 0o700 });
    const path = join(place, sha256);
    writeFileSync(path, `document ${number}`, { mode: 0o600 });
    utimesSync(path, atS, atS);
  }
}

async function withStore(
  { dataDir, nowMs }: TestHost,
  work: (unit: StoreUnit) => Promise<void>,
): Promise<void> {
  const { openStorage } = await import('../../src/wire/service/open-storage.ts');
  const { resolveConfig } = await import('../../src/wire/config/resolve.ts');
  const env = { HOME: dataDir, INNSIGLI_HOME: dataDir };
  const { config } = resolveConfig({ flags: {}, env, cwd: dataDir });
  const io = { now: nowMs, random: () => Buffer.alloc(16), warn: () => undefined };
  const { ports } = await openStorage({ config, io });
  const store: Store = ports.store;
  await store.write(work);
  await store.close();
}

async function addProcesses(unit: StoreUnit, from: number, to: number): Promise<void> {
  const [company] = await unit.companies.list();
  const companyKey = company?.key ?? asKey('company', '');
  const [flow] = await unit.flows.list(companyKey);
  const flowKey = flow?.key ?? asKey('flow', '');
  for (let number = from; number < to; number++) {
    const document = { sha256: digestOf(number), lengthBytes: 1 };
    await unit.processes.add(testProcess(number + 1, { companyKey, flowKey, document }));
  }
}

const left = ({ dataDir }: TestHost) =>
  readdirSync(join(dataDir, 'objects'), { recursive: true }).filter((name) =>
    /[0-9a-f]{64}$/.test(String(name)),
  ).length;

/** Two months of a worker that does the due jobs each day. */
async function work(each: TestHost): Promise<ReadonlySet<string>> {
  const codes = new Set<string>();
  const service = await each.kit.service();
  for (let day = 0; day < 64; day += 8) {
    each.pass(8 * DAY);
    const { failed } = await service.work(['anchor', 'purge']);
    for (const { code } of failed) codes.add(code);
  }
  await service.close();
  return codes;
}

test('a copied content folder with an empty database loses nothing', async () => {
  const copy = testHost(join(folder.path, 'copy'));
  cpSync(join(host.dataDir, 'objects'), join(copy.dataDir, 'objects'), { recursive: true });
  await putEmptyDatabase(copy);
  await expect(copy.kit.initialise({ name: 'Copy' })).rejects.toMatchObject({
    code: 'store.mismatch',
  });
  expect(await refusalOf(copy)).toBe('store.mismatch');
  expect(left(copy)).toBe(COUNT);
  // A folder joined explicitly loses nothing either: too much would be removed.
  await (await copy.kit.storage()).adopt();
  await copy.kit.initialise({ name: 'Copy' });
  expect([...(await work(copy))]).toContain('store.collect.refused');
  expect(left(copy)).toBe(COUNT);
  expect(await copy.check('contents')).toMatchObject({
    status: 'warning',
    message: `${COUNT} of ${COUNT} contents are due for removal: too many for one collection`,
  });
}, 60_000);

test('a folder with an older database loses nothing, and the newer database finds everything', async () => {
  const older = testHost(join(folder.path, 'restored'));
  cpSync(host.dataDir, older.dataDir, { recursive: true });
  const database = join(older.dataDir, 'innsigli.db');
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
  cpSync(join(folder.path, 'older.db'), database);
  expect([...(await work(older))]).toContain('store.collect.refused');
  expect(left(older)).toBe(COUNT);
  const storage = await older.kit.storage();
  await expect(storage.collect({})).rejects.toMatchObject({
    code: 'store.collect.refused',
    details: { due: HALF, contents: COUNT, expected: Math.max(10, COUNT / 100) },
  });
  expect(await storage.show()).toMatchObject({ unknown: HALF, missing: 0, refused: HALF });
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${database}${suffix}`, { force: true });
  cpSync(join(host.dataDir, 'innsigli.db'), database);
  expect(await storage.collect({})).toMatchObject({ contents: COUNT, orphans: 0, removed: 0 });
  expect(await storage.show()).toMatchObject({ unknown: 0, marked: 0 });
}, 60_000);

test('the operator can confirm such a folder, which is then collected', async () => {
  const copy = testHost(join(folder.path, 'confirmed'));
  cpSync(join(host.dataDir, 'objects'), join(copy.dataDir, 'objects'), { recursive: true });
  await putEmptyDatabase(copy);
  await copy.kit.initialise({ name: 'Copy' }).catch(() => undefined);
  const storage = await copy.kit.storage();
  await storage.adopt();
  copy.pass(DAY);
  expect(await storage.collect({})).toMatchObject({ marked: COUNT, due: 0 });
  copy.pass(31 * DAY);
  expect(await storage.collect({ dryRun: true })).toMatchObject({ due: COUNT, removed: 0 });
  expect(await storage.collect({ confirmed: true })).toMatchObject({ removed: COUNT });
  expect(left(copy)).toBe(0);
}, 60_000);
