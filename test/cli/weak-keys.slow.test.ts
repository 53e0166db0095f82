import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { pem } from '../support/openssl.ts';
import { makeTestPki, type TestMember } from '../support/pki.ts';
import { type Weakness, weakMember, weaknesses } from '../support/weak-keys.ts';
import { openFakeCli } from './support/fake-cli.ts';

const pki = makeTestPki({ nowMs: Date.now() });

/** The command line over a real toolkit with the key of `member`. */
function openCli(member: TestMember) {
  const cli = openFakeCli({
    'cert.pem': pem('CERTIFICATE', member.der, ...member.chain),
    'key.pem': String(member.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    'a.xml': '<a>1</a>',
  });
  cli.write('a.pdf', readFileSync('fixtures/pdf/agreement.pdf'));
  const io = {
    now: () => pki.nowMs,
    random: (count: number) => randomBytes(count),
    openToolkit: async (...[config, own]: Parameters<typeof openToolkit>) =>
      openToolkit(config, own),
  };
  const env = {
    INNSIGLI_HOME: join(cli.folder, 'home'),
    INNSIGLI_KEY: join(cli.folder, 'key.pem'),
    INNSIGLI_CERT: join(cli.folder, 'cert.pem'),
    INNSIGLI_LEVEL: 'B-B',
  };
  return { cli, run: (line: string) => cli.run(line.split(' '), { env, io }) };
}

const commands = [
  'seal a.pdf',
  'seal a.pdf --level B-T',
  'seal a.pdf -o b.pdf',
  'seal-xml a.xml',
  'seal-xml a.xml --container asic-e',
  'serve --port 0',
  'serve --port 0 --worker',
];

const tried: readonly Weakness[] = [
  'an RSA key of 1024 bits',
  'P-192',
  'a certificate signed with SHA-1',
  'a CA key of 1024 bits',
];

describe.each(tried)('%s', (weakness) => {
  test.each(commands)(
    'innsigli %s rejects it and writes no file',
    async (line) => {
      const { cli, run } = openCli(weakMember(pki, weakness));
      const before = cli.files();
      const { exitCode, stderr, stdout } = await run(line);
      expect(stderr).toMatch(/error\[key\.weak\]/);
      expect(stderr).toMatch(weaknesses[weakness]);
      expect(stderr).toMatch(/3072/);
      expect(exitCode).toBe(10);
      expect(stdout).toBe('');
      expect(cli.files().filter((name) => name !== 'home')).toEqual(before);
    },
    30_000,
  );

  test('innsigli doctor reports it', async () => {
    const { run } = openCli(weakMember(pki, weakness));
    const { exitCode, stdout } = await run('doctor');
    const line = stdout.split('\n').find((text) => text.includes('seal key'));
    expect(line).toContain('[key.weak]');
    expect(line).toMatch(weaknesses[weakness]);
    expect(exitCode).toBe(10);
  });
});

test('serve starts with a strong key', async () => {
  const { run } = openCli(pki.member('signer'));
  const { exitCode, stdout } = await run('serve --port 0');
  expect(stdout).toMatch(/^http:/);
  expect(exitCode).toBe(0);
}, 30_000);
