import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEidCli } from './support/eid-cli.ts';

type Cli = Awaited<ReturnType<typeof openEidCli>>;

async function keysOf(cli: Cli): Promise<readonly string[]> {
  const { stdout } = await cli.run(['company', 'show', '--json']);
  const { company } = JSON.parse(stdout) as { company: { apiKeys: readonly { id: string }[] } };
  return company.apiKeys.map(({ id }) => id);
}

const create = ['company', 'key', 'create', '--label', 'billing'];

test('a key that was printed is kept', async () => {
  const cli = await openEidCli();
  const before = await keysOf(cli);
  const { exitCode, stdout } = await cli.run(create);
  expect({ exitCode, lines: stdout.trim().split('\n').length }).toEqual({ exitCode: 0, lines: 1 });
  expect(await keysOf(cli)).toHaveLength(before.length + 1);
});

test.each([[[]], [['--json']]])(
  'a key is revoked if stdout was closed before it was printed %j',
  async (more) => {
    const cli = await openEidCli();
    const before = await keysOf(cli);
    const { exitCode, stderr } = await cli.run([...create, ...more], { brokenPipe: true });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(/API key \w+ was revoked, because it could not be shown/);
    expect(await keysOf(cli)).toEqual(before);
  },
);

test('no key is created if stdout cannot be written', async () => {
  const cli = await openEidCli();
  const before = await keysOf(cli);
  const { exitCode, stderr } = await cli.run(create, { isNowhere: true });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('error[io.output.unwritable]: stdout cannot be written');
  expect(await keysOf(cli)).toEqual(before);
});

const found = ['company', 'create', '--name', 'Second ehf.'];

async function companiesOf(cli: Cli): Promise<readonly { key: string; name: string }[]> {
  const { stdout } = await cli.run(['company', 'list', '--json']);
  return (JSON.parse(stdout) as { companies: { key: string; name: string }[] }).companies;
}

test('a company whose keys were printed keeps its API key', async () => {
  const cli = await openEidCli();
  expect(await cli.run(found)).toMatchObject({ exitCode: 0 });
  const key = (await companiesOf(cli)).find(({ name }) => name === 'Second ehf.')?.key as string;
  const { stdout } = await cli.run(['company', 'show', '--json', '--company', key]);
  expect(JSON.parse(stdout)).toMatchObject({ company: { apiKeys: [{}] } });
});

test('the API key of a new company is revoked if stdout was closed before it was printed', async () => {
  const cli = await openEidCli();
  const { exitCode, stderr } = await cli.run(found, { brokenPipe: true });
  expect(exitCode).toBe(1);
  const [, key = ''] = /company (\w+) was created and its API key revoked/.exec(stderr) ?? [];
  const { stdout } = await cli.run(['company', 'show', '--json', '--company', key]);
  expect(JSON.parse(stdout)).toMatchObject({ company: { name: 'Second ehf.', apiKeys: [] } });
});

test('no company is created if stdout cannot be written', async () => {
  const cli = await openEidCli();
  const before = await companiesOf(cli);
  const { exitCode, stderr } = await cli.run(found, { isNowhere: true });
  expect(exitCode).toBe(1);
  expect(stderr).toContain('error[io.output.unwritable]: stdout cannot be written');
  expect(await companiesOf(cli)).toEqual(before);
});

/** The command line with a data directory that does not exist yet. */
async function openNew() {
  const cli = await openEidCli();
  const env = { INNSIGLI_HOME: join(cli.folder, '.new') };
  const run = (args: readonly string[], setup: Parameters<Cli['run']>[1] = {}) =>
    cli.run(args, { ...setup, env });
  return { run, dataDir: env.INNSIGLI_HOME };
}

test('init keeps the API key if it was printed', async () => {
  const { run } = await openNew();
  expect(await run(['init'])).toMatchObject({ exitCode: 0 });
  const { stdout } = await run(['company', 'show', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ company: { apiKeys: [{}] } });
});

test.each([[[]], [['--json']]])(
  'init revokes the API key if stdout was closed before it was printed %j',
  async (more) => {
    const { run } = await openNew();
    const { exitCode, stderr } = await run(['init', ...more], { brokenPipe: true });
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /company \w+ was created and its API key revoked, because it could not be shown/,
    );
    const { stdout } = await run(['company', 'show', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({ company: { name: 'Company', apiKeys: [] } });
  },
);

test('init creates a company without an API key and warns if stdout cannot be written', async () => {
  const { run } = await openNew();
  const { exitCode, stderr } = await run(['init'], { isNowhere: true });
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /warning: company \w+ was created and its API key revoked, because it could not be shown/,
  );
  const { stdout } = await run(['company', 'show', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ company: { name: 'Company', apiKeys: [] } });
  expect(await run(['flow', 'list'])).toMatchObject({ exitCode: 0 });
});

test.each([
  ['cannot be written', { isNowhere: true }],
  ['is closed', { brokenPipe: true }],
] as const)('init of an existing company succeeds although stdout %s', async (_, setup) => {
  const { run } = await openNew();
  await run(['init']);
  expect(await run(['init'], setup)).toMatchObject({ exitCode: 0 });
  const { stdout } = await run(['company', 'show', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ company: { apiKeys: [{}] } });
});
