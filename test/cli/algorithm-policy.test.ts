import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { algorithmTable } from '../../src/trust/algorithms/algorithm-suites.table.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { makeTestPki, type TestMemberName } from '../support/pki.ts';
import { openFakeCli } from './support/fake-cli.ts';

const pki = makeTestPki();
const day = (days: number) => new Date(pki.nowMs + days * 86_400_000).toISOString().slice(0, 10);
const ecdsaEnds = (days: number) => ({
  ...algorithmTable,
  name: 'ours',
  keys: { ...algorithmTable.keys, ecdsa: [[256, day(days)]] },
});

function pem(...certificates: readonly Uint8Array[]): string {
  const bodies = certificates.map((der) => Buffer.from(der).toString('base64'));
  return bodies
    .map((body) => `-----BEGIN CERTIFICATE-----\n${body}\n-----END CERTIFICATE-----\n`)
    .join('');
}

/** The command line over a real toolkit, with a key of the test PKI and policy files. */
function openCli(key: TestMemberName = 'signer') {
  const member = pki.member(key);
  const cli = openFakeCli({
    'cert.pem': pem(member.der, ...member.chain),
    'key.pem': String(member.privateKey.export({ type: 'pkcs8', format: 'pem' })),
    'a.xml': '<a>1</a>',
    'ended.json': JSON.stringify(ecdsaEnds(0)),
    'soon.json': JSON.stringify(ecdsaEnds(100)),
    'broken.json': '{"name": 1}',
    'secret.txt': 'hunter2',
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
  const run = (line: string, more: object = {}) =>
    cli.run(line.split(' '), { env: { ...env, ...more }, io });
  return { cli, run };
}

describe('an algorithm policy under which the key has expired', () => {
  test.each([
    'seal a.pdf --policy ended.json',
    'seal-xml a.xml --algorithm-policy ended.json',
    'seal-xml a.xml --container asic-e --algorithm-policy ended.json',
    'doctor --policy ended.json',
  ])('innsigli %s applies it', async (line) => {
    const { stdout, stderr } = await openCli().run(line);
    expect(stdout + stderr).toContain('key.weak');
    expect(stdout + stderr).toContain(`too weak since ${day(0)}`);
  });

  test('is read from INNSIGLI_ALGORITHM_POLICY as well', async () => {
    const { cli, run } = openCli();
    const path = join(cli.folder, 'ended.json');
    const { exitCode } = await run('seal a.pdf', { INNSIGLI_ALGORITHM_POLICY: path });
    expect(exitCode).toBe(10);
  });

  test('archive applies it and rejects the time-stamp of the authority', async () => {
    const { run } = openCli('rsa');
    expect((await run('seal a.pdf -o b.pdf')).exitCode).toBe(0);
    const { stderr } = await run('archive b.pdf --policy ended.json');
    expect(stderr).toContain('tsa.algorithm.weak');
  });

  test('a malformed policy exits with 10', async () => {
    expect((await openCli().run('seal a.pdf --policy broken.json')).exitCode).toBe(10);
  });

  test('a file that is no policy exits with 10 and none of its content is printed', async () => {
    const { exitCode, stderr } = await openCli().run('seal a.pdf --policy secret.txt');
    expect(exitCode).toBe(10);
    expect(stderr).toContain('secret.txt: expected JSON, found other text');
    expect(stderr).not.toContain('hunter');
  });
});

describe('an algorithm policy under which the key expires soon', () => {
  const warning = `proves nothing from ${day(100)} (ours)`;

  test('seal warns about it, and the verify command it recommends passes the same policy', async () => {
    const { exitCode, stderr } = await openCli().run('seal a.pdf --policy soon.json');
    expect(exitCode).toBe(0);
    expect(stderr).toContain(warning);
    expect(stderr).toContain('innsigli verify --revocation ignore --policy soon.json');
  });

  test.each([
    'seal a.pdf --json --policy soon.json',
    'seal-xml a.xml --json --algorithm-policy soon.json',
    'seal-xml a.xml --json --container asic-e --cades --algorithm-policy soon.json',
  ])('%s reports it as provesUntil and as a warning', async (line) => {
    const { stdout } = await openCli().run(line);
    const document = JSON.parse(stdout);
    expect(document.provesUntil).toMatchObject({
      time: `${day(100)}T00:00:00.000Z`,
      cause: 'algorithm',
    });
    expect(JSON.stringify(document.warnings)).toContain(warning);
  });

  test('doctor reports it as a warning', async () => {
    const { stdout, exitCode } = await openCli().run('doctor --policy soon.json --json');
    expect(exitCode).toBe(0);
    const { checks } = JSON.parse(stdout);
    const proof = checks.find(({ name }: { readonly name: string }) => name === 'proof');
    expect(proof).toMatchObject({ status: 'warning', until: day(100) });
    expect(proof.message).toContain(warning);
  });

  test('the default policy causes no such warning', async () => {
    const { stderr, stdout } = await openCli().run('seal a.pdf --json');
    expect(stderr).not.toContain('proves nothing');
    expect(JSON.parse(stdout).provesUntil).toMatchObject({ cause: 'certificate' });
  });
});
