import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { sharedPostgres, whyNot } from '../support/engines.ts';
import { newFolder, type TestHost, testHost } from './open-host.ts';
import { agreement } from './open-service.ts';

vi.setConfig({ testTimeout: 60_000 });
const HOUR = 3_600_000;
const email = 'anna@example.test';
const signees = [{ name: 'Anna', email, signatureType: 'ClickToSign' }] as const;

let hostname = 'one';
vi.mock('node:os', async (original) => {
  const real = await original<typeof import('node:os')>();
  return { ...real, hostname: () => hostname };
});

/** The start of a serving program on a machine of that name. */
async function enter({ kit }: TestHost, name: string): Promise<string> {
  hostname = name;
  try {
    const service = await kit.service();
    try {
      await service.enter();
    } finally {
      await service.close();
    }
    return '';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

const checkOn = ({ check }: TestHost, name: string, what: string) => {
  hostname = name;
  return check(what);
};

const why = whyNot('postgresql');
describe.skipIf(why !== '')(`several hosts with one database${why}`, () => {
  let folder: ReturnType<typeof newFolder>;
  let one: TestHost;
  let two: TestHost;
  beforeEach(async () => {
    folder = newFolder();
    const env = { INNSIGLI_DATABASE: await sharedPostgres().newDatabase() };
    one = testHost(join(folder.path, 'one'), env);
    two = testHost(join(folder.path, 'two'), env);
    await one.kit.initialise({ name: 'Acme ehf.' });
    const service = await one.kit.service();
    const toolkit = await service.open();
    const [flow] = await toolkit.flows.list();
    await toolkit.processes.create({ flowKey: flow?.flowKey ?? '', pdf: agreement, signees });
    await service.close();
    mkdirSync(two.dataDir, { recursive: true, mode: 0o700 });
  }, 60_000);
  afterEach(() => folder.remove());
  const give = (name: string) =>
    cpSync(join(one.dataDir, name), join(two.dataDir, name), { recursive: true });
  const share = () => symlinkSync(join(one.dataDir, 'objects'), join(two.dataDir, 'objects'));

  test('a host with the key, the trust and the contents is admitted', async () => {
    for (const name of ['vault.key', 'trust']) give(name);
    share();
    expect(await enter(one, 'one')).toBe('');
    expect(await enter(two, 'two')).toBe('');
    expect(await enter(one, 'one')).toBe('');
    expect((await (await one.kit.storage()).show()).hosts.toSorted()).toEqual(['one', 'two']);
    for (const check of ['vault key', 'contents', 'seal trust']) {
      expect(await checkOn(two, 'two', check)).toMatchObject({ name: check, status: 'ok' });
    }
  });

  test.each([
    ['without the key', ['trust'], true, 'vault.key.missing', 'vault key'],
    ['without the trust', ['vault.key'], true, 'trust.mismatch', 'seal trust'],
    ['without the contents', ['vault.key', 'trust'], false, 'store.mismatch', 'contents'],
  ])('a host %s is refused, and doctor states why', async (_, given, shares, code, check) => {
    for (const name of given) give(name);
    if (shares) share();
    expect(await enter(one, 'one')).toBe('');
    expect(await enter(two, 'two')).toBe(code);
    expect(await checkOn(two, 'two', check)).toMatchObject({
      status: 'failed',
      message: expect.stringContaining(code),
    });
    expect(await enter(one, 'one')).toBe('');
  });

  test('a host with a development trust of its own is refused', async () => {
    give('vault.key');
    share();
    const { openDevelopmentTrust } = await import('../../src/adapters/devtrust/index.ts');
    const random = (count: number) => new Uint8Array(count).fill(3);
    await openDevelopmentTrust({ directory: two.dataDir, now: Date.now, random });
    expect(await enter(two, 'two')).toBe('trust.mismatch');
  });

  test('a host with a copy of the contents is detected by every host', async () => {
    expect(await enter(one, 'one')).toBe('');
    for (const name of ['vault.key', 'trust', 'objects']) give(name);
    expect(await enter(two, 'two')).toBe('');
    expect(await checkOn(one, 'one', 'contents')).toMatchObject({
      status: 'failed',
      message: expect.stringContaining('expected the mark of host two'),
    });
    // The first host continues, and its mark in the copy stays unchanged.
    one.pass(HOUR);
    expect(await checkOn(one, 'one', 'contents')).toMatchObject({ status: 'failed' });
    expect(await enter(two, 'two')).toBe('contents.unshared');
  });

  test('a host with separate contents does not affect the others', async () => {
    for (const name of ['vault.key', 'trust', 'objects']) give(name);
    expect(await enter(one, 'one')).toBe('');
    one.pass(HOUR);
    expect(await enter(one, 'one')).toBe('');
    expect(await enter(two, 'two')).toBe('contents.unshared');
    expect(await enter(one, 'one')).toBe('');
  });

  test('hosts that are gone do not block the others, and are forgotten', async () => {
    for (const name of ['vault.key', 'trust']) give(name);
    share();
    expect(await enter(two, 'two')).toBe('');
    hostname = 'one';
    one.pass(100 * 24 * HOUR);
    expect(await enter(one, 'one')).toBe('');
    await (await one.kit.storage()).collect({});
    expect((await (await one.kit.storage()).show()).hosts).toEqual(['one']);
  });
});
