import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { pem } from '../support/openssl.ts';
import { makeTestPki } from '../support/pki.ts';
import { weakMember } from '../support/weak-keys.ts';
import { openFakeCli } from './support/fake-cli.ts';

const pki = makeTestPki({ nowMs: Date.now() });
const { der, chain, privateKey } = pki.member('signer');

/** The command line over a real toolkit, in production with valid settings. */
function openCli(changes: Readonly<Record<string, string>> = {}) {
  const cli = openFakeCli({
    'cert.pem': pem('CERTIFICATE', der, ...chain),
    'key.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    secret: 's3cret-value\n',
  });
  cli.write('a.pdf', readFileSync('fixtures/pdf/agreement.pdf'));
  for (const name of ['key.pem', 'secret']) chmodSync(join(cli.folder, name), 0o600);
  const home = join(cli.folder, 'home');
  const files: Readonly<Record<string, string>> = { key: 'weak.key', cert: 'weak.pem' };
  const env: Readonly<Record<string, string>> = {
    INNSIGLI_HOME: home,
    INNSIGLI_KEY: join(cli.folder, 'key.pem'),
    INNSIGLI_CERT: join(cli.folder, 'cert.pem'),
    INNSIGLI_LEVEL: 'B-B',
    INNSIGLI_PRODUCTION: 'true',
    INNSIGLI_MAIL_SERVER: 'none',
    INNSIGLI_SMS_GATEWAY: 'none',
    INNSIGLI_FRONT_END: 'https://sign.example',
    ...Object.fromEntries(
      Object.entries(changes).map(([name, value]) => [
        name,
        value.replace(/\{(\w+)\}/, (_, file) => join(cli.folder, files[file] ?? file)),
      ]),
    ),
  };
  const io = {
    now: () => Date.now(),
    random: (count: number) => randomBytes(count),
    openToolkit: async (...[config, own]: Parameters<typeof openToolkit>) =>
      openToolkit(config, own),
  };
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const run = (line: string) => cli.run(line.split(' '), { env: present, io });
  return { run, home, cli };
}

const tsa = { INNSIGLI_TSA_USER: 'u', INNSIGLI_TSA_PASSWORD_FILE: '{secret}' };

const refused: readonly (readonly [string, Readonly<Record<string, string>>, string, RegExp])[] = [
  [
    'no mail server configured',
    { INNSIGLI_MAIL_SERVER: '' },
    'mail',
    /expected mail\.server, found files/,
  ],
  [
    'no SMS gateway configured',
    { INNSIGLI_SMS_GATEWAY: '' },
    'text messages',
    /expected sms\.gatew/,
  ],
  ['no address for signing pages', { INNSIGLI_FRONT_END: '' }, 'signing pages', /on the recipient/],
  ...['http://localhost', 'https://127.8.9.1:8443', 'http://[::1]:8080', 'http://0.0.0.0'].map(
    (frontEnd) =>
      [
        `links to ${frontEnd}`,
        { INNSIGLI_FRONT_END: frontEnd },
        'signing pages',
        /on the recipient/,
      ] as const,
  ),
  [
    'credentials for an authority over http:',
    { ...tsa, INNSIGLI_TSA: 'http://tsa.example/tsr' },
    'time-stamp authority',
    /tsa\.example\/tsr: expected https: for credentials, found http:/,
  ],
  [
    'a token for a gateway over http:',
    { INNSIGLI_SMS_GATEWAY: 'http://sms.example/', INNSIGLI_SMS_TOKEN_FILE: '{secret}' },
    'text messages',
    /expected https: for a token, found http:/,
  ],
  [
    'mail to a different machine without TLS',
    { INNSIGLI_MAIL_SERVER: 'smtp://mail.example?tls=none' },
    'mail',
    /mail\.server: expected TLS for another machine/,
  ],
];

test.each(refused)(
  'production with %s does not start, and doctor reports why',
  async (...row) => {
    const [, changes, check, says] = row;
    const { run } = openCli(changes);
    await run('company create --name Acme');
    for (const line of ['serve --port 0', 'worker']) {
      const { exitCode, stderr, stdout } = await run(line);
      // A malformed setting is reported as such, before any check.
      const isWrong = stderr.includes(`error[config.invalid]: ${check.split(' ')[0]}`);
      if (!isWrong) expect(stderr).toContain(`production cannot start: ${check}`);
      expect(stderr).toContain('error[config.invalid]');
      expect(stderr).toMatch(says);
      expect(stderr).not.toContain('s3cret');
      expect(exitCode).toBe(10);
      expect(stdout).toBe('');
    }
    const { exitCode, stdout } = await run('doctor --json');
    const { checks } = JSON.parse(stdout);
    const found = checks.find(({ name }: { readonly name: string }) => name === check);
    expect(found).toMatchObject({ status: 'failed', message: expect.stringMatching(says) });
    expect(exitCode).toBe(10);
  },
  30_000,
);

describe('production reports all its problems together', () => {
  const nothing = {
    ...{ INNSIGLI_KEY: '', INNSIGLI_CERT: '', INNSIGLI_FRONT_END: '' },
    ...{ INNSIGLI_MAIL_SERVER: '', INNSIGLI_SMS_GATEWAY: '' },
  };
  const names = ['seal key', 'mail', 'text messages', 'signing pages'];
  const open = async (changes: Readonly<Record<string, string>>) => {
    const opened = openCli(changes);
    await opened.run('company create --name Acme');
    return opened;
  };
  type Finding = { readonly name: string; readonly message: string; readonly hint?: string };
  const findingsOf = (stderr: string): readonly Finding[] =>
    JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error.findings;

  test.each([
    ['serve --port 0', names],
    ['serve --port 0 --host 0.0.0.0', ['address', ...names]],
    ['worker', names],
  ] as const)(
    '%s prints a line and a hint for each',
    async (line, expected) => {
      const { run } = await open(nothing);
      const { exitCode, stderr, stdout } = await run(line);
      expect([exitCode, stdout]).toEqual([10, '']);
      const lines = stderr.trimEnd().split('\n');
      expect(lines[0]).toMatch(/^innsigli: error\[config\.invalid\]: production cannot start: /);
      expect(lines[0]).toContain(`production cannot start: ${expected.join(', ')}`);
      for (const name of expected) {
        const at = lines.findIndex((each) => each.startsWith(`  ${name}: `));
        expect(lines[at + 1], name).toMatch(/^ {4}hint: \S/);
      }
      expect(lines).toHaveLength(2 + 2 * expected.length);
      expect(lines[1]).toBe('hint: check again with innsigli doctor --production');
      const told = findingsOf((await run(`${line} --json`)).stderr);
      expect(told.map(({ name }) => name)).toEqual(expected);
      expect(told.every(({ message, hint }) => message !== '' && hint !== undefined)).toBe(true);
    },
    30_000,
  );

  test('doctor --production finds the same, even before there is a database', async () => {
    for (const isMade of [true, false]) {
      const { run } = openCli({ ...nothing, INNSIGLI_PRODUCTION: '' });
      if (isMade) await run('company create --name Acme');
      const { exitCode, stdout } = await run('doctor --production --json');
      expect(exitCode).toBe(10);
      const failed = JSON.parse(stdout).checks.filter(
        ({ status }: { readonly status: string }) => status === 'failed',
      );
      expect(failed.map(({ name }: Finding) => name)).toEqual(names);
    }
  }, 30_000);

  test('together with a setting that cannot be opened, whose error code is kept', async () => {
    const tls = { INNSIGLI_MAIL_SERVER: 'smtp://mail.example?tls=none' };
    const wrong = await open({ ...nothing, ...tls });
    for (const line of ['serve --port 0', 'worker']) {
      const { exitCode, stderr } = await wrong.run(`${line} --json`);
      expect(exitCode).toBe(10);
      const { error } = JSON.parse(stderr);
      expect(error).toMatchObject({
        code: 'config.invalid',
        message: 'mail.server: expected TLS for another machine',
      });
      expect(error.findings.map(({ name }: Finding) => name)).toEqual([
        ...['seal key', 'text messages', 'signing pages'],
      ]);
    }
    const keyless = await open(nothing);
    rmSync(join(keyless.home, 'vault.key'));
    for (const line of ['serve --port 0', 'worker']) {
      const { error } = JSON.parse((await keyless.run(`${line} --json`)).stderr);
      expect(error.code).toBe('vault.key.missing');
      expect(error.findings.map(({ name }: Finding) => name)).toEqual(names);
    }
  }, 30_000);

  test('together with a weak key, whose error code is kept', async () => {
    const weak = weakMember(makeTestPki({ nowMs: Date.now() }), 'an RSA key of 1024 bits');
    const { run, cli } = await open({ ...nothing, INNSIGLI_KEY: '{key}', INNSIGLI_CERT: '{cert}' });
    cli.write('weak.key', weak.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string);
    cli.write('weak.pem', pem('CERTIFICATE', weak.der, ...weak.chain));
    const { exitCode, stderr } = await run('serve --port 0 --json');
    expect(exitCode).toBe(10);
    expect(JSON.parse(stderr).error.code).toBe('key.weak');
    expect(findingsOf(stderr).map(({ name }) => name)).toEqual(names);
  }, 30_000);

  test('a mistyped data directory is not created', async () => {
    const { run, home } = openCli(nothing);
    const { exitCode, stderr } = await run('worker');
    expect(exitCode).toBe(10);
    expect(stderr).toContain('error[config.datadir.missing]');
    expect(existsSync(home)).toBe(false);
  });

  test.skipIf(process.platform === 'win32')(
    'access rights that starting fixes are not reported',
    async () => {
      const { run, home } = await open({ INNSIGLI_SMS_GATEWAY: '' });
      chmodSync(home, 0o755);
      const told = findingsOf((await run('serve --port 0 --json')).stderr);
      expect(told.map(({ name }) => name)).toEqual(['text messages']);
    },
    30_000,
  );
});

describe('production with valid settings', () => {
  test('starts', async () => {
    const { run } = openCli();
    await run('company create --name Acme');
    for (const line of [
      'serve --port 0',
      'serve --port 0 --worker',
      'serve --port 0 --host 0.0.0.0 --trust-proxy 10.0.0.1',
      'worker',
      'worker --once',
    ]) {
      const { exitCode, stderr } = await run(line);
      expect(`${line}: ${stderr}`).not.toContain('error[');
      expect(exitCode).toBe(0);
    }
  }, 30_000);

  test.each(['0.0.0.0', '::'])('rejects plain HTTP on %s', async (host) => {
    const { run } = openCli();
    const { exitCode, stderr } = await run(`serve --port 0 --host ${host}`);
    expect(stderr).toContain(`production on ${host}: expected TLS, found plain HTTP`);
    expect(stderr).toContain('--trust-proxy');
    expect(exitCode).toBe(10);
  });
});

describe('seal in production rejects credentials sent in clear text', () => {
  test.each([
    ['http://tsa.example/tsr', ''],
    ['http://192.0.2.1/', ''],
    // The proxy could read them.
    ['http://127.0.0.1:9/', 'http://proxy.example:3128'],
  ])('to %s through %s', async (url, proxy) => {
    const { run, cli } = openCli({
      ...tsa,
      INNSIGLI_PRODUCTION: '',
      INNSIGLI_TSA: url,
      INNSIGLI_PROXY: proxy,
    });
    const { exitCode, stderr } = await run('seal a.pdf --level B-T');
    expect(stderr).toContain('error[config.invalid]');
    expect(stderr).toContain('expected https: for credentials, found http:');
    expect(stderr).not.toContain('s3cret');
    expect(exitCode).toBe(10);
    expect(cli.files().filter((name) => name.startsWith('a.'))).toEqual(['a.pdf']);
  });
});

describe.skipIf(process.platform === 'win32')('a data directory that others can read', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test('is closed with a warning when the service opens it', async () => {
    const { run, home } = openCli();
    await run('company create --name Acme');
    for (const name of ['outbox', 'outbox/mail']) mkdirSync(join(home, name), { recursive: true });
    const folders = [home, 'objects', 'outbox', 'outbox/mail'].map((name) =>
      name === home ? home : join(home, name),
    );
    for (const folder of folders.filter((each) => existsSync(each))) chmodSync(folder, 0o755);
    chmodSync(join(home, 'innsigli.db'), 0o644);
    const doctor = JSON.parse((await run('doctor --json')).stdout).checks;
    expect(doctor[1]).toMatchObject({
      name: 'data directory',
      status: 'failed',
      message: expect.stringContaining('expected mode 0700, found 0755'),
    });
    const { exitCode, stderr } = await run('process list');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(`other users could read ${home} (0755)`);
    expect(stderr).toContain('access was restricted to the owner');
    expect(folders.filter((each) => existsSync(each)).map(modeOf)).not.toContain('755');
    expect(modeOf(home)).toBe('700');
    expect(modeOf(join(home, 'innsigli.db'))).toBe('600');
    expect((await run('process list')).stderr).not.toContain('other users could read');
  }, 30_000);

  test('production rejects an open folder behind a link; outside production it is a warning', async () => {
    const { run, home, cli } = openCli();
    await run('company create --name Acme');
    const target = join(cli.folder, 'mounted');
    renameSync(join(home, 'objects'), target);
    symlinkSync(target, join(home, 'objects'));
    expect((await run('process list')).exitCode).toBe(0);
    chmodSync(target, 0o755);
    const { exitCode, stderr } = await run('process list');
    expect(exitCode).toBe(10);
    expect(stderr).toContain(
      `error[config.datadir.unusable]: other users can read ${target} (0755)`,
    );
    expect(stderr).toContain('hint: a link of the data directory leads there: chmod 700');
    const checks = JSON.parse((await run('doctor --json')).stdout).checks;
    expect(checks[1]).toMatchObject({
      name: 'data directory',
      status: 'failed',
      message: `${target}: expected mode 0700, found 0755`,
    });
    expect(modeOf(target)).toBe('755');
    const trial = openCli({ INNSIGLI_PRODUCTION: '' });
    await trial.run('company create --name Acme');
    symlinkSync(target, join(trial.home, 'outbox'));
    const warned = await trial.run('process list');
    expect(warned.exitCode).toBe(0);
    expect(warned.stderr).toContain(`other users can read ${target} (0755)`);
  }, 30_000);
});
