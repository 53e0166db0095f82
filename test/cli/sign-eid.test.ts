import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { atTerminal, openEidCli } from './support/eid-cli.ts';

const manual = { INNSIGLI_SIMULATOR_MODE: 'manual' };
const anna = 'Ödön Kőrösi,ssn=6000101994,phone=6666666,type=Qualified';

/** A process with one signee, and the command that signs as them. */
async function openProcess(signee = anna, ...more: readonly string[]) {
  const cli = await openEidCli();
  const create = ['process', 'create', 'a.pdf', '--signee', signee, ...more];
  const key = (await cli.run(create)).stdout.trim();
  const show = async () => (await cli.json('process', 'show', key)).process;
  const [{ key: who }] = (await show()).signees;
  return { ...cli, show, key, sign: ['sign', key, who] as readonly string[] };
}

describe('sign --qualified', { timeout: 60_000 }, () => {
  test.each([[['--sim', '6666666']], [['--app', '6000101994']], [['--eid-se']], [['--eid-dk']]])(
    '%s signs',
    async (by) => {
      const { run, sign, show } = await openProcess();
      const signed = await run([...sign, '--qualified', ...by]);
      expect([signed.exitCode, signed.stderr]).toEqual([0, expect.stringContaining('✓ signed')]);
      expect((await show()).signees[0].state).toBe('Signed');
    },
  );

  test('draws the QR code of a foreign identity and removes it at the end', async () => {
    const { run, sign } = await openProcess();
    const signed = await run([...sign, '--eid-se'], atTerminal);
    expect(signed.stderr).toContain('Sign: eid-se (TEST: simulator)');
    expect(signed.stderr).toMatch(/[▀▄]{3}/);
    expect(signed.exitCode).toBe(0);
  });

  test.each([
    ['0103901179', 7, 'userCancel'],
    ['0103901419', 6, 'expiredTransaction'],
    ['0203901669', 6, 'expiredTransaction'],
    ['0503901129', 8, 'providerUnavailable'],
  ])(
    '%s does not sign: exit code %i, %s; the document is released',
    async (ssn, exitCode, hint) => {
      const signee = `Somebody,ssn=${ssn},type=Qualified`;
      const { run, sign, show } = await openProcess(signee);
      const refused = await run([...sign, '--app', ssn, '--json']);
      expect([refused.exitCode, JSON.parse(refused.stdout).hint]).toEqual([exitCode, hint]);
      expect((await show()).signees[0].state).not.toBe('Signing');
    },
  );

  test('a different person who answers does not sign and the command exits with 4', async () => {
    const { run, sign, show } = await openProcess('Annar Maður,ssn=0203901589,type=Qualified');
    const other = await run([...sign, '--app', '0203901589']);
    expect(other.exitCode).toBe(4);
    expect((await show()).signees[0].signedAt).toBeUndefined();
  });

  test.each([
    ['--app', '6000101994'],
    ['--eid-se', ''],
  ])(
    'Ctrl-C with %s cancels at the provider and releases the document immediately',
    async (...by) => {
      const { run, sign, show, dataDir } = await openProcess();
      const flags = by.filter((each) => each !== '');
      const stopped = await run([...sign, ...flags], { env: manual, stopAfterMs: 4_000 });
      expect([stopped.exitCode, stopped.stdout]).toEqual([130, '']);
      const folder = join(dataDir, 'simulator');
      const verdict = readdirSync(folder).find((name) => name.endsWith('.verdict')) ?? '';
      expect(readFileSync(join(folder, verdict), 'utf8')).toBe('cancelled');
      expect((await show()).signees[0].state).not.toBe('Signing');
      // The next attempt does not have to wait for a lease to end.
      expect((await run([...sign, ...flags])).exitCode).toBe(0);
    },
  );

  test('Ctrl-C cancels the login before a signature as well', async () => {
    const signee = 'Ödön Kőrösi,ssn=6000101994,email=o@example.test,type=ClickToSign';
    const { run, sign, show } = await openProcess(signee, '--requires-auth');
    const by = [...sign, '--yes', '--app', '6000101994'];
    expect((await run(by, { env: manual, stopAfterMs: 4_000 })).exitCode).toBe(130);
    expect((await show()).signees[0].authenticatedAt).toBeUndefined();
    expect((await run(by)).exitCode).toBe(0);
  });

  test.each([
    [
      'Jón,email=jon@example.test,type=ClickToSign',
      ['--qualified'],
      '--qualified cannot be used for',
    ],
    ['Jón,email=jon@example.test,type=ClickToSign', ['--eid-dk'], '--eid-dk cannot be used for'],
    [anna, [], 'expected --sim, --app, --eid-se or --eid-dk'],
    [anna, ['--sim', '6666666', '--eid-se'], 'expected --sim, --app, --eid-se or --eid-dk'],
  ])('%s with %s is rejected', async (signee, flags, message) => {
    const { run, sign } = await openProcess(signee);
    const refused = await run([...sign, ...flags]);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('after a required login by --app, the foreign identity signs', async () => {
    const { run, sign } = await openProcess(anna, '--requires-auth');
    const signed = await run([...sign, '--app', '6000101994', '--eid-se']);
    expect([signed.exitCode, signed.stderr]).toEqual([0, expect.stringContaining('Sign: eid-se')]);
  });
});
