import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { engines, sharedPostgres, whyNot } from '../support/engines.ts';
import { newFolder, refusalOf, type TestHost, testHost } from './open-host.ts';
import { agreement } from './open-service.ts';

const ssn = '1203851234';
const email = 'anna@example.test';
const signees = [{ name: 'Anna', ssn, email, signatureType: 'ClickToSign' }] as const;

async function readSsn({ kit }: TestHost): Promise<string | undefined> {
  const service = await kit.service();
  const { processes } = await service.open();
  const [process] = await processes.list({});
  await service.close();
  return process?.signees[0]?.ssn;
}

describe.each(engines)('the vault key, %s', (engine) => {
  const isMissing = whyNot(engine) !== '';
  const folder = newFolder();
  let env: Record<string, string> = {};
  let host: TestHost;
  let keyFile = '';
  let key = '';
  beforeAll(async () => {
    if (isMissing) return;
    if (engine === 'postgresql') env = { INNSIGLI_DATABASE: await sharedPostgres().newDatabase() };
    host = testHost(join(folder.path, 'a'), env);
    await host.kit.initialise({ name: 'Acme ehf.' });
    const service = await host.kit.service();
    const toolkit = await service.open();
    const [flow] = await toolkit.flows.list();
    await toolkit.processes.create({ flowKey: flow?.flowKey ?? '', pdf: agreement, signees });
    await service.close();
    keyFile = join(host.dataDir, 'vault.key');
    key = readFileSync(keyFile, 'latin1');
  }, 60_000);
  afterAll(() => folder.remove());

  test.skipIf(isMissing)(
    'a lost key is never replaced, and works again when restored',
    async () => {
      rmSync(keyFile);
      expect(await refusalOf(host)).toBe('vault.key.missing');
      await expect(host.kit.initialise({ name: 'Another' })).rejects.toMatchObject({
        code: 'vault.key.missing',
        hint: expect.stringContaining(keyFile),
      });
      expect(await host.check('vault key')).toMatchObject({ status: 'failed' });
      expect(existsSync(keyFile)).toBe(false);
      writeFileSync(keyFile, key, { mode: 0o600 });
      expect(await readSsn(host)).toBe(ssn);
      expect(await host.check('vault key')).toMatchObject({ status: 'ok' });
    },
  );

  test.skipIf(isMissing)(
    'a different key is refused, and nothing is encrypted with it',
    async () => {
      writeFileSync(keyFile, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
      expect(await refusalOf(host)).toBe('vault.key.mismatch');
      expect(await host.check('vault key')).toMatchObject({
        status: 'failed',
        message: expect.stringContaining('vault.key.mismatch'),
      });
      writeFileSync(keyFile, key, { mode: 0o600 });
      expect(await readSsn(host)).toBe(ssn);
    },
  );

  test.skipIf(isMissing)(
    'a database of an earlier version is checked against its encrypted values',
    async () => {
      const forget = async () => {
        const { openStorage } = await import('../../src/wire/service/open-storage.ts');
        const { config } = await configOf(host, env);
        const io = { now: host.nowMs, random: () => Buffer.alloc(16), warn: () => undefined };
        const { ports } = await openStorage({ config, io });
        await ports.store.write(({ facts }) => facts.remove('vault.check'));
        await ports.store.close();
      };
      await forget();
      rmSync(keyFile);
      expect(await refusalOf(host)).toBe('vault.key.missing');
      writeFileSync(keyFile, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
      expect(await refusalOf(host)).toBe('vault.key.mismatch');
      writeFileSync(keyFile, key, { mode: 0o600 });
      expect(await readSsn(host)).toBe(ssn);
      writeFileSync(keyFile, `${'ab'.repeat(32)}\n`, { mode: 0o600 });
      expect(await refusalOf(host)).toBe('vault.key.mismatch');
      writeFileSync(keyFile, key, { mode: 0o600 });
    },
  );

  test.skipIf(isMissing)('a new host without the key is refused, and creates none', async () => {
    if (engine === 'sqlite') return;
    const other = testHost(join(folder.path, 'b'), env);
    await expect(other.kit.initialise({ name: 'B' })).rejects.toMatchObject({
      code: 'vault.key.missing',
    });
    expect(existsSync(join(other.dataDir, 'vault.key'))).toBe(false);
  });
});

async function configOf({ dataDir }: TestHost, env: Readonly<Record<string, string>>) {
  const { resolveConfig } = await import('../../src/wire/config/resolve.ts');
  return resolveConfig({
    flags: {},
    env: { HOME: dataDir, INNSIGLI_HOME: dataDir, ...env },
    cwd: dataDir,
  });
}

test('programs started concurrently create one key and one store', async () => {
  const folder = newFolder();
  const hosts = Array.from({ length: 6 }, () => testHost(join(folder.path, 'data')));
  const services = await Promise.all(hosts.map(({ kit }) => kit.service()));
  await services[0]?.createCompany({ name: 'Acme ehf.' });
  for (const service of services) expect(await service.companies()).toHaveLength(1);
  for (const service of services) await service.close();
  expect(await refusalOf(testHost(join(folder.path, 'data')))).toBe('');
  folder.remove();
});

test('an initialisation interrupted after the database or the key starts again', async () => {
  const folder = newFolder();
  const host = testHost(join(folder.path, 'data'));
  const { openStorage } = await import('../../src/wire/service/open-storage.ts');
  const { config } = await configOf(host, {});
  const io = { now: host.nowMs, random: () => Buffer.alloc(16), warn: () => undefined };
  const { ports } = await openStorage({ config, io });
  await ports.store.write(({ facts }) => facts.remove('vault.check'));
  await ports.store.close();
  rmSync(join(host.dataDir, 'vault.key'));
  expect(await refusalOf(host)).toBe('');
  folder.remove();
});
