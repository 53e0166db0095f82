import { chmodSync, cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openEidCli } from './support/eid-cli.ts';

const login = ['auth', 'login', '--method', 'app', '--hint', '6000101994', '--as', 'operator'];
const name = 'Ödön Kőrösi (operator, TEST)';

/**
 * A process that can be blocked and unblocked, and the users that the log names for blocking it.
 */
async function openProcess() {
  const cli = await openEidCli();
  const signee = 'Jón,email=jon@example.test,type=ClickToSign';
  const key = (await cli.run(['process', 'create', 'a.pdf', '--signee', signee])).stdout.trim();
  const blockedBy = async (...more: readonly string[]) => {
    const run = await cli.run(['process', 'block', key, ...more]);
    expect(run.exitCode, run.stderr).toBe(0);
    const log = await cli.run(['activity', 'list', '--process', key, '--json']);
    await cli.run(['process', 'unblock', key]);
    const rows = JSON.stringify(JSON.parse(log.stdout));
    return [name, 'me@example.test', 'Somebody'].filter((who) => rows.includes(who));
  };
  return { ...cli, key, blockedBy, file: join(cli.dataDir, 'operator.json') };
}

describe('auth login --as operator', { timeout: 60_000 }, () => {
  test('the log names the operator unless --user names someone else', async () => {
    const { run, blockedBy, file } = await openProcess();
    expect((await run(['auth', 'status'])).exitCode).toBe(4);
    expect((await run(login)).exitCode).toBe(0);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toContain('6000101994');
    const status = await run(['auth', 'status']);
    expect([status.exitCode, status.stdout]).toEqual([0, expect.stringContaining('TEST')]);
    expect(await blockedBy('--user', 'me@example.test')).toEqual(['me@example.test']);
    expect(await blockedBy()).toEqual([name, 'me@example.test']);
  });

  test('auth logout ends the session and can be repeated', async () => {
    const { run, blockedBy, file } = await openProcess();
    await run(login);
    for (const time of ['first', 'second']) {
      const { exitCode, stderr } = await run(['auth', 'logout']);
      expect([exitCode, stderr], time).toEqual([0, expect.stringContaining('logged out')]);
    }
    expect(existsSync(file)).toBe(false);
    expect(await blockedBy()).toEqual([]);
  });

  test('the session expires after eight hours', async () => {
    const { run, json, clock, blockedBy } = await openProcess();
    await run(login);
    clock.aheadMs += 8 * 3_600_000 - 60_000;
    expect((await json('auth', 'status')).state).toBe('open');
    clock.aheadMs += 60_000;
    const status = await run(['auth', 'status', '--json']);
    expect([status.exitCode, JSON.parse(status.stdout).state]).toEqual([4, 'expired']);
    expect(await blockedBy()).toEqual([]);
  });

  test('a failed login creates no session', async () => {
    const { run, file } = await openProcess();
    const failed = login.map((word) => (word === '6000101994' ? '0103901179' : word));
    expect((await run(failed)).exitCode).toBe(7);
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['other users can read', (file: string) => chmodSync(file, 0o644)],
    ['damaged', (file: string) => writeFileSync(file, '{}')],
    ['cannot be read', (file: string) => writeFileSync(file, 'nonsense')],
    [
      'a different data directory',
      (file: string) => {
        const held = JSON.parse(readFileSync(file, 'utf8'));
        writeFileSync(file, JSON.stringify({ ...held, dataDir: '/elsewhere' }));
      },
    ],
    [
      'a different company',
      (file: string) => {
        const held = JSON.parse(readFileSync(file, 'utf8'));
        writeFileSync(file, JSON.stringify({ ...held, companyKey: 'c0ffee' }));
      },
    ],
  ])('a session is ignored: %s', async (why, change) => {
    const { run, blockedBy, file } = await openProcess();
    await run(login);
    change(file);
    const status = await run(['auth', 'status']);
    expect([status.exitCode, status.stderr]).toEqual([4, expect.stringContaining(why)]);
    expect(await blockedBy()).toEqual([]);
  });

  test('a session is ignored in a copy of the data directory', async () => {
    const { run, folder, dataDir } = await openProcess();
    await run(login);
    const copy = join(folder, 'copy');
    cpSync(dataDir, copy, { recursive: true });
    chmodSync(copy, 0o700);
    const status = await run(['auth', 'status'], { env: { INNSIGLI_HOME: copy } });
    expect([status.exitCode, status.stderr]).toEqual([
      4,
      expect.stringContaining('a different data directory'),
    ]);
  });

  test('the session grants no right to sign for a different person', async () => {
    const { run, json } = await openProcess();
    await run(login);
    const signee = 'Jürgen Weiß,ssn=6000101996,type=Qualified';
    const key = (await run(['process', 'create', 'a.pdf', '--signee', signee])).stdout.trim();
    const [who] = (await json('process', 'show', key)).process.signees;
    const signed = await run(['sign', key, who.key, '--app', '6000101994']);
    expect(signed.exitCode).toBe(4);
  });
});
