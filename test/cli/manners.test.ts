import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';
import { sealOutcome, verificationReport } from './support/fake-toolkit.ts';

const colourStart = '\u001b[';

describe('colours are decided for each stream', () => {
  test.each<[string, readonly string[], CliSetup, boolean, boolean]>([
    ['no terminal', [], {}, false, false],
    ['both streams', [], { terminals: ['stdout', 'stderr'] }, true, true],
    ['stdout only', [], { terminals: ['stdout'] }, true, false],
    ['stderr only', [], { terminals: ['stderr'] }, false, true],
    ['--no-color', ['--no-color'], { terminals: ['stdout', 'stderr'] }, false, false],
    ['NO_COLOR', [], { terminals: ['stdout', 'stderr'], env: { NO_COLOR: '1' } }, false, false],
    ['NO_COLOR empty', [], { terminals: ['stdout'], env: { NO_COLOR: '' } }, true, false],
    ['TERM=dumb', [], { terminals: ['stdout'], env: { TERM: 'dumb' } }, false, false],
    ['FORCE_COLOR', [], { env: { FORCE_COLOR: '1' } }, true, true],
    ['FORCE_COLOR=0', [], { terminals: ['stdout'], env: { FORCE_COLOR: '0' } }, false, false],
  ])('stdout and stderr follow their own terminal: %s', async (_, flags, setup, out, err) => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const verified = await cli.run(['verify', 'a.pdf', ...flags], setup);
    expect(verified.stdout.includes(colourStart)).toBe(out);
    const sealed = await cli.run(['seal', 'a.pdf', ...flags], setup);
    expect(sealed.stderr.includes(colourStart)).toBe(err);
    expect(sealed.stdout).not.toContain(colourStart);
  });
});

describe('usage errors', () => {
  test.each([
    [['sael'], "unknown command 'sael'", 'did you mean seal?'],
    [['seal', 'x', '--levl', 'b'], "unknown option '--levl'", 'did you mean --level?'],
    [['ver', 'x'], "unknown command 'ver'", 'did you mean verify?'],
    [['xyzzy'], "unknown command 'xyzzy'", 'innsigli --help'],
    [
      ['compliance', 'due', '--within', '3'],
      "unknown command 'due'",
      'hint: innsigli compliance individual due or innsigli compliance business due\n',
    ],
    [
      ['compliance', 'accept'],
      "unknown command 'accept'",
      'hint: innsigli compliance individual accept\n',
    ],
    [['completion', 'tcsh'], 'shell: expected one of bash, zsh, fish, keys, found "tcsh"', ''],
    [['seal', 'x', '--corner', 'top'], '--corner: expected one of top-left, top-right', ''],
    [['seal', '-a b.pdf'], "unknown option '-a b.pdf'", 'to name a file write ./-a b.pdf'],
    [['help', 'nothing'], 'no command or topic "nothing"', 'known: seal'],
    [['help', 'constructor'], 'no command or topic "constructor"', 'known: seal'],
    [['tsa', 'serve', '--port', '99999'], '--port: expected 0 to 65535, found "99999"', ''],
    [['init', 'x'], 'expected no argument, found 1', ''],
  ])('%j is rejected with message and hint', async (args, message, hint) => {
    const run = await openFakeCli().run(args);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^innsigli: error\[usage\.invalid\]: /);
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain(hint);
  });

  test.each([[[]], [['tsa']], [['config']]])('%j prints the help to stderr', async (args) => {
    const run = await openFakeCli().run(args);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(/^Usage: innsigli/);
  });

  test.each([[[]], [['tsa']], [['company', 'key']]])(
    '%j --json prints only a JSON error',
    async (args) => {
      const { exitCode, stdout, stderr } = await openFakeCli().run([...args, '--json']);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      const { code, message, hint } = JSON.parse(stderr).error;
      expect([code, message]).toEqual(['usage.invalid', 'expected a command, found none']);
      const page = args.length === 0 ? 'innsigli --help' : `innsigli help ${args.join(' ')}`;
      expect(hint).toBe(`list the commands with ${page}`);
    },
  );

  test('global options are accepted before and after the command', async () => {
    for (const args of [
      ['--json', 'doctor'],
      ['doctor', '--json'],
    ]) {
      const run = await openFakeCli().run(args);
      expect(JSON.parse(run.stdout)).toMatchObject({ v: 1, command: 'doctor', ok: true });
    }
  });

  test('--offline and --data-dir reach the configuration', async () => {
    const cli = openFakeCli();
    await cli.run(['doctor', '--offline', '--data-dir', 'd']);
    expect(cli.configs[0]).toMatchObject({ offline: true, dataDir: `${cli.folder}/d` });
  });
});

describe('help', () => {
  test.each([
    [['--help']],
    [['seal', '--help']],
    [['tsa', 'serve', '-h']],
    [['help']],
    [['help', 'seal']],
    [['help', 'tsa', 'serve']],
    [['help', 'environment']],
    [['help', 'configuration']],
    [['help', 'exit-codes']],
    [['help', 'output']],
  ])('%j prints to stdout, at most 80 columns wide', async (args) => {
    const run = await openFakeCli().run(args);
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout.split('\n').length).toBeGreaterThan(5);
    expect(run.stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('help COMMAND prints the same as COMMAND --help', async () => {
    const cli = openFakeCli();
    const { stdout } = await cli.run(['help', 'seal']);
    expect(stdout).toBe((await cli.run(['seal', '--help'])).stdout);
    expect(stdout).toContain('Exit codes:');
    expect(stdout).toContain('Global Options:');
  });

  test('--version prints the version of the package', async () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
    expect((await openFakeCli().run(['--version'])).stdout).toBe(`${version}\n`);
    const json = await openFakeCli().run(['-V', '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ v: 1, version });
  });
});

test('a closed stdout is not an error', async () => {
  const cli = openFakeCli({ 'a.pdf': '%PDF' });
  for (const args of [['--help'], ['seal', 'a.pdf'], ['verify', 'a.pdf']]) {
    expect(await cli.run([...args, '-q'], { brokenPipe: true })).toMatchObject({ exitCode: 0 });
  }
});

test.each(['seal', 'archive'])(
  '%s fails when stdout closes before the PDF is written',
  async (command) => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const run = await cli.run([command, 'a.pdf', '-o-', '-q'], { brokenPipe: true });
    expect(run).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toContain(
      'error[io.output.unwritable]: stdout was closed before all output',
    );
  },
);

test('a closed stdout does not change the exit code of verify', async () => {
  const cli = openFakeCli({ 'a.pdf': '%PDF' });
  for (const flags of [[], ['--json']]) {
    const verify = async () => verificationReport();
    const setup = { brokenPipe: true, toolkit: { verify } };
    expect(await cli.run(['verify', 'a.pdf', ...flags], setup)).toMatchObject({ exitCode: 7 });
  }
});

describe('a pending signal is handled before anything is written', () => {
  test.each(['seal', 'archive', 'verify'] as const)(
    '%s has written nothing when the signal is handled',
    async (command) => {
      const cli = openFakeCli({ 'a.pdf': '%PDF', 'b.pdf': '%PDF' });
      const seen: (readonly string[])[] = [];
      const work = async () => {
        setImmediate(() => seen.push(cli.files()));
        return sealOutcome();
      };
      const verify = async () => (await work()).report;
      const inputs = command === 'verify' ? ['a.pdf', 'b.pdf'] : ['a.pdf'];
      const toolkit = { seal: work, augment: work, verify };
      expect(await cli.run([command, ...inputs], { toolkit })).toMatchObject({ exitCode: 0 });
      expect(seen).toEqual(inputs.map(() => ['a.pdf', 'b.pdf']));
    },
  );
});

test('doctor prints one line per check and exits with 10 when one fails', async () => {
  const cli = openFakeCli();
  const run = await cli.run(['doctor']);
  expect(run.stdout).toBe(
    '✓ data directory: /data\n! seal key: TEST ONLY\n    hint: use your own\n2 checks for B-LTA: 1 warning\n',
  );
  const failed = await cli.run(['doctor', '-q'], {
    toolkit: { diagnose: async () => [{ name: 'key', status: 'failed', message: 'expired' }] },
  });
  expect(failed).toMatchObject({ exitCode: 10, stdout: '✗ key: expired\n' });
});

test('doctor lists skipped checks and groups those with the same reason', async () => {
  const cli = openFakeCli();
  const skip = (name: string, message: string) => ({ name, status: 'skipped', message }) as const;
  const checks = [
    { name: 'key', status: 'ok', message: 'fine' },
    skip('revocation data', 'level B-B needs none'),
    skip('database', 'no service'),
    skip('mail', 'no service'),
  ] as const;
  const toolkit = { diagnose: async () => checks };
  const run = await cli.run(['doctor'], { toolkit });
  expect(run).toMatchObject({
    exitCode: 0,
    stdout:
      '✓ key: fine\n– revocation data: skipped: level B-B needs none\n' +
      '– database, mail: skipped: no service\n1 check for B-LTA, 3 skipped: all fine\n',
  });
  expect((await cli.run(['doctor', '-q'], { toolkit })).stdout).toBe('');
  expect(JSON.parse((await cli.run(['doctor', '--json'], { toolkit })).stdout)).toMatchObject({
    ok: true,
    checks,
  });
});

test('init lists what it created and prints the path of the root certificate to stdout', async () => {
  const run = await openFakeCli().run(['init']);
  expect(run).toMatchObject({ exitCode: 0, stdout: '/data/trust/root.pem\n' });
  expect(run.stderr).toContain('Created the development trust in /data (TEST ONLY):');
  expect(run.stderr).toContain('  + trust/seal-rsa.key\n');
  expect(run.stderr).toContain('\nNext: innsigli seal agreement.pdf\n');
  const named = await openFakeCli().run(['init', '--data-dir', 'my data']);
  expect(named.stderr).toContain("\nNext: innsigli seal --data-dir 'my data' agreement.pdf\n");
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 0],
] as const)('tsa serve runs until %s and then closes', async (signal, exitCode) => {
  let closed = false;
  const run = await openFakeCli().run(['tsa', 'serve', '--host', '0.0.0.0', '--port', '0'], {
    signal,
    toolkit: {
      serveTrust: async ({ host, port }) => ({
        url: `http://${host}:${port}`,
        close: async () => {
          closed = true;
        },
      }),
    },
  });
  expect(run).toMatchObject({ exitCode, stdout: 'http://0.0.0.0:0/tsa\n' });
  expect(run.stderr).toContain('warning: clients that can reach 0.0.0.0');
  expect(closed).toBe(true);
});

describe('the progress wheel', () => {
  const pause = (timeMs: number) => new Promise((done) => setTimeout(done, timeMs));
  const slow = async () => {
    await pause(250);
    return sealOutcome();
  };
  test.each<[string, CliSetup, readonly string[], readonly string[]]>([
    ['shown at a terminal', { terminals: ['stderr'] }, [], ['start', 'stop']],
    ['hidden for short work', { terminals: ['stderr'], toolkit: {} }, [], []],
    ['hidden without a terminal', {}, [], []],
    ['hidden with --quiet', { terminals: ['stderr'] }, ['-q'], []],
    ['hidden with --json', { terminals: ['stderr'] }, ['--json'], []],
  ])('appears only where it should: %s', async (_, setup, flags, expected) => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    await cli.run(['seal', 'a.pdf', ...flags], { toolkit: { seal: slow }, ...setup });
    expect(cli.wheel).toEqual(expected);
  });

  test('does not appear over a question', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    await cli.run(['seal', 'a.pdf'], {
      terminals: ['stdin', 'stderr'],
      toolkit: (io) => ({
        async seal() {
          await io.askPassword?.('key');
          return slow();
        },
      }),
    });
    expect(cli.questions).toHaveLength(1);
    expect(cli.wheel).toEqual([]);
  });
});
