import { cpSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newFolder, refusalOf, type TestHost, testHost } from './open-host.ts';
import { agreement } from './open-service.ts';

const DAY = 86_400_000;

describe('a content folder', () => {
  let folder: ReturnType<typeof newFolder>;
  let host: TestHost;
  beforeEach(async () => {
    folder = newFolder();
    host = testHost(join(folder.path, 'a'));
    await host.kit.initialise({ name: 'Acme ehf.' });
    await create(host, 'first');
  });
  afterEach(() => folder.remove());

  async function create({ kit }: TestHost, name: string): Promise<string> {
    const service = await kit.service();
    const toolkit = await service.open();
    const [flow] = await toolkit.flows.list();
    const { key } = await toolkit.processes.create({
      flowKey: flow?.flowKey ?? '',
      pdf: Buffer.concat([agreement, Buffer.from(`\n% ${name}\n`)]),
      signees: [{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' }],
    });
    await service.close();
    return key;
  }
  const collect = async (request = {}) => (await host.kit.storage()).collect(request);

  test('shared with a copy of the database loses nothing', async () => {
    await collect();
    const copy = testHost(join(folder.path, 'b'));
    cpSync(host.dataDir, copy.dataDir, { recursive: true });
    rmSync(join(copy.dataDir, 'objects'), { recursive: true });
    symlinkSync(join(host.dataDir, 'objects'), join(copy.dataDir, 'objects'));
    const keys: string[] = [];
    for (let number = 0; number < 5; number++) keys.push(await create(copy, `copy ${number}`));
    // The copy is idle; the first one collects for weeks.
    const service = await host.kit.service();
    const told = new Set<string>();
    for (let day = 0; day < 40; day++) {
      host.pass(DAY);
      for (const { code } of (await service.work(['anchor'])).failed) told.add(code);
    }
    await service.close();
    expect([...told]).toContain('store.collect.refused');
    expect(await host.check('contents')).toMatchObject({ status: 'warning' });
    const other = await (await copy.kit.service()).open();
    for (const key of keys) {
      expect((await other.processes.document(key)).length).toBeGreaterThan(agreement.length);
    }
    const { removed } = await collect({ confirmed: true });
    expect(removed).toBeGreaterThan(0);
    expect(await host.check('contents')).toMatchObject({ status: 'ok' });
  }, 60_000);

  test('of a single database is collected', async () => {
    const orphan = await (await host.kit.storage()).collect({ dryRun: true });
    expect(orphan).toMatchObject({ orphans: 0 });
    const stray = 'ab'.repeat(32);
    mkdirSync(join(host.dataDir, 'objects', 'ab'), { recursive: true });
    writeFileSync(join(host.dataDir, 'objects', 'ab', stray), 'x');
    utimesSync(join(host.dataDir, 'objects', 'ab', stray), 1, 1);
    for (let week = 0; week < 4; week++) {
      await create(host, `week ${week}`);
      await collect();
      host.pass(8 * DAY);
    }
    expect(await collect({ dryRun: true })).toMatchObject({ due: 1 });
    expect(await collect()).toMatchObject({ removed: 1 });
  }, 60_000);

  test('may contain other files', async () => {
    const objects = join(host.dataDir, 'objects');
    mkdirSync(join(objects, 'lost+found'), { mode: 0o000 });
    mkdirSync(join(objects, 'zz'));
    writeFileSync(join(objects, 'zz', 'a'.repeat(64)), 'x');
    mkdirSync(join(objects, 'ab', `ab${'0'.repeat(62)}`), { recursive: true });
    expect(await collect({ dryRun: true })).toMatchObject({ contents: 1, orphans: 0 });
    expect(await refusalOf(host)).toBe('');
  });
});
