import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { pem } from '../support/openssl.ts';
import { makeTestPki } from '../support/pki.ts';
import { openFakeCli } from './support/fake-cli.ts';

const pki = makeTestPki({ nowMs: Date.now() });
const { der, chain, privateKey } = pki.member('signer');

/** The command line over a real toolkit, in production with settings that are in order. */
function openCli(changes: Readonly<Record<string, string>> = {}) {
  const cli = openFakeCli({
    'cert.pem': pem('CERTIFICATE', der, ...chain),
    'key.pem': String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
    secret: 's3cret-value\n',
  });
  cli.write('a.pdf', readFileSync('fixtures/pdf/agreement.pdf'));
  const files = ['key.pem', 'secret'].map((name) => join(cli.folder, name));
  for (const file of files) chmodSync(file, 0o600);
  const home = join(cli.folder, 'home');
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
        value.replace('{secret}', join(cli.folder, 'secret')),
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
  ['no word on mail', { INNSIGLI_MAIL_SERVER: '' }, 'mail', /expected mail\.server, found files/],
  [
    'no word on text messages',
    { INNSIGLI_SMS_GATEWAY: '' },
    'text messages',
    /expected sms\.gatew/,
  ],
  ['links to nowhere', { INNSIGLI_FRONT_END: '' }, 'signing pages', /machine of the reader/],
  ...['http://localhost', 'https://127.8.9.1:8443', 'http://[::1]:8080', 'http://0.0.0.0'].map(
    (frontEnd) =>
      [
        `links to ${frontEnd}`,
        { INNSIGLI_FRONT_END: frontEnd },
        'signing pages',
        /machine of the reader/,
      ] as const,
  ),
  [
    'credentials of an authority over http:',
    { ...tsa, INNSIGLI_TSA: 'http://tsa.example/tsr' },
    'time-stamp authority',
    /tsa\.example\/tsr: expected https: for credentials, found http:/,
  ],
  [
    'a token of a gateway over http:',
    { INNSIGLI_SMS_GATEWAY: 'http://sms.example/', INNSIGLI_SMS_TOKEN_FILE: '{secret}' },
    'text messages',
    /expected https: for a token, found http:/,
  ],
  [
    'mail without TLS to another machine',
    { INNSIGLI_MAIL_SERVER: 'smtp://mail.example?tls=none' },
    'mail',
    /mail\.server: expected TLS for another machine/,
  ],
];

test.each(refused)(
  'production with %s does not start, and doctor says so',
  async (...row) => {
    const [, changes, check, says] = row;
    const { run } = openCli(changes);
    await run('company create --name Acme');
    for (const line of ['serve --port 0', 'worker']) {
      const { exitCode, stderr, stdout } = await run(line);
      // What is written wrongly is told as it stands, before anything is looked at.
      const isWrong = stderr.includes(`error[config.invalid]: ${check.split(' ')[0]}`);
      if (!isWrong) expect(stderr).toContain(`production cannot begin: ${check}`);
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

describe('production with settings in order', () => {
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

  test.each(['0.0.0.0', '::'])('plain HTTP on %s is refused', async (host) => {
    const { run } = openCli();
    const { exitCode, stderr } = await run(`serve --port 0 --host ${host}`);
    expect(stderr).toContain(`production on ${host}: expected TLS, found plain HTTP`);
    expect(stderr).toContain('--trust-proxy');
    expect(exitCode).toBe(10);
  });
});

describe('credentials in clear are refused for a seal too', () => {
  test.each([
    ['http://tsa.example/tsr', ''],
    ['http://192.0.2.1/', ''],
    // The proxy would read them.
    ['http://127.0.0.1:9/', 'http://proxy.example:3128'],
  ])('%s %s', async (url, proxy) => {
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

describe.skipIf(process.platform === 'win32')('a data directory that was open to others', () => {
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test('is closed when the service opens it, with a word', async () => {
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
    expect(stderr).toContain(`others could read ${home} (0755)`);
    expect(stderr).toContain('now for the owner only');
    expect(folders.filter((each) => existsSync(each)).map(modeOf)).not.toContain('755');
    expect(modeOf(home)).toBe('700');
    expect(modeOf(join(home, 'innsigli.db'))).toBe('600');
    expect((await run('process list')).stderr).not.toContain('others could read');
  }, 30_000);

  test('is refused in production where a link leads to an open folder, with a word else', async () => {
    const { run, home, cli } = openCli();
    await run('company create --name Acme');
    const target = join(cli.folder, 'mounted');
    renameSync(join(home, 'objects'), target);
    symlinkSync(target, join(home, 'objects'));
    expect((await run('process list')).exitCode).toBe(0);
    chmodSync(target, 0o755);
    const { exitCode, stderr } = await run('process list');
    expect(exitCode).toBe(10);
    expect(stderr).toContain(`error[config.datadir.unusable]: others may read ${target} (0755)`);
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
    expect(warned.stderr).toContain(`others may read ${target} (0755)`);
  }, 30_000);
});
