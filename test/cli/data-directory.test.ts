import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { openFakeCli } from './support/fake-cli.ts';

/** The command line over a real toolkit, with a missing data directory. */
function openCli() {
  const cli = openFakeCli();
  cli.write('a.pdf', readFileSync('fixtures/pdf/agreement.pdf'));
  const home = join(cli.folder, 'mistyped');
  const io = {
    now: () => Date.now(),
    random: (count: number) => randomBytes(count),
    openToolkit: async (...[config, own]: Parameters<typeof openToolkit>) =>
      openToolkit(config, own),
  };
  const run = (line: string, env: Readonly<Record<string, string>> = {}) =>
    cli.run(line.split(' '), { env: { INNSIGLI_HOME: home, ...env }, io });
  return { run, home };
}

describe('a missing data directory', { timeout: 60_000 }, () => {
  test.each([
    'process list',
    'company list',
    'worker --once',
    'flow create --name x --type DropAndSign',
    'activity total',
  ])('%s rejects it and does not create it', async (line) => {
    const { run, home } = openCli();
    const { exitCode, stderr } = await run(line);
    expect(stderr).toContain(`error[config.datadir.missing]: expected the database at ${home}`);
    expect(stderr).toContain('create it with innsigli init');
    expect(exitCode).toBe(10);
    expect(existsSync(home)).toBe(false);
  });

  test('with PostgreSQL the missing vault key is reported; in production company create is recommended', async () => {
    const { run, home } = openCli();
    const remote = { INNSIGLI_DATABASE: 'postgres://nobody@127.0.0.1/none' };
    const { stderr } = await run('process list', { ...remote, INNSIGLI_PRODUCTION: 'true' });
    expect(stderr).toContain(join(home, 'vault.key'));
    expect(stderr).toContain('copy the key from the host that created the database');
    expect(stderr).toContain('create it with innsigli company create');
    expect(existsSync(home)).toBe(false);
  });

  test('company create creates it', async () => {
    const { run } = openCli();
    expect((await run('company create --name Acme')).exitCode).toBe(0);
    expect((await run('company list')).stdout).toContain('Acme');
  });

  test('seal and doctor create it and say where', async () => {
    const sealing = openCli();
    const said = (await sealing.run('seal a.pdf --level B-B')).stderr;
    expect(said).toContain(`development trust in use, created in ${sealing.home}: TEST ONLY`);
    const again = (await sealing.run('seal a.pdf --level B-B -o b.pdf')).stderr;
    expect(again).toContain('development trust in use: TEST ONLY');
    const examined = openCli();
    expect((await examined.run('doctor')).stdout).toContain(
      `${examined.home} did not exist and was created`,
    );
    expect((await examined.run('doctor')).stdout).not.toContain('did not exist');
  });

  test('serve warns until it contains a company', async () => {
    const { run, home } = openCli();
    const serve = 'serve --port 0 --api';
    const note = `there is no company in ${home} yet: create one with innsigli init`;
    expect((await run(serve)).stderr).toContain(note);
    expect((await run(`${serve} --log info`)).stderr).toContain(`"msg":"${note}`);
    await run('init');
    expect((await run(serve)).stderr).not.toContain('no company');
  });
});
