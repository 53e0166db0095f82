import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTestPki } from '../support/pki.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const setup = realToolkit();
const home = setup.env?.['INNSIGLI_HOME'] ?? '';
const root = join(home, 'trust', 'root.pem');

const pemOf = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;

/** A sealed document and an unrelated anchor. */
async function open(level = 'b-b') {
  const cli = openFakeCli({ 'a.xml': '<a/>', 'in/b.xml': '<b/>' });
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const sealed = await run('seal-xml', 'a.xml', '--level', level);
  expect(sealed.exitCode).toBe(0);
  // The certificate of a different key, to which no path leads.
  const [other = ''] = readFileSync(join(home, 'trust', 'seal-ec.pem'), 'utf8').split(
    /(?<=END.*\n)/,
  );
  cli.write('other.pem', other);
  return { cli, run };
}

test('a seal with a root of its own: only its time-stamp leads to the development trust', async () => {
  const { cli, run } = await open();
  const pki = makeTestPki({ nowMs: Date.UTC(2026, 0, 2) });
  const { der, privateKey, chain } = pki.member('signer');
  cli.write('key.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  cli.write('cert.pem', pemOf(der));
  cli.write('chain.pem', chain.map(pemOf).join(''));
  cli.write('own.pem', pemOf(pki.member('root').der));
  const key = ['--key', 'key.pem', '--cert', 'cert.pem', '--chain', 'chain.pem'];
  const seal = async (level: string) =>
    expect((await run('seal-xml', 'a.xml', '-f', '--level', level, ...key)).exitCode).toBe(0);
  const trust = ['--trust', 'own.pem', '--trust', root, '--revocation', 'ignore'];
  await seal('b-t');
  const stamped = await run('verify', 'a.sealed.xml', ...trust);
  expect(stamped.exitCode).toBe(0);
  const said = 'trusted only by the development trust: TEST ONLY keys, of no legal value';
  expect(stamped.stderr).toContain(`a time-stamp is ${said}`);
  await seal('b-b');
  expect((await run('verify', 'a.sealed.xml', ...trust)).stderr).not.toContain(said);
  // A seal with the development key is reported as before, whatever issued its time-stamp.
  await run('seal-xml', 'a.xml', '-f', '--level', 'b-t');
  const test = await run('verify', 'a.sealed.xml', ...trust);
  expect(test.stderr).toContain(said);
  expect(test.stderr).not.toContain('a time-stamp is');
});

describe('--trust replaces the development root', () => {
  test.each([
    ['no anchor named', [], 0],
    ['a different anchor', ['--trust', 'other.pem'], 9],
    [
      'a different anchor and the root of the development trust',
      ['--trust', 'other.pem', '--trust', root],
      0,
    ],
  ])('verify with --trust exits by the anchors: %s', async (_, args, exitCode) => {
    const { run } = await open();
    expect((await run('verify', 'a.sealed.xml', ...args)).exitCode).toBe(exitCode);
  });

  test('sealing still uses the development key, and the advice names its root', async () => {
    const { run } = await open();
    const args = ['seal-xml', 'a.xml', '-f', '--trust', 'other.pem'];
    const sealed = await run(...args);
    expect(sealed.exitCode).toBe(0);
    expect(sealed.stderr).toContain(`  innsigli verify --trust other.pem --trust ${root} a.sealed`);
    const again = await run('archive', 'a.sealed.xml', '--trust', 'other.pem');
    expect(again.exitCode).toBe(0);
    expect(again.stderr).toContain(`innsigli verify --trust other.pem --trust ${root} a.sealed.ar`);
  });

  test('a batch recognises its own results', async () => {
    const { run } = await open();
    const args = ['seal-xml', 'in', '--out-dir', 'out', '-j1', '--trust', 'other.pem'];
    expect((await run(...args)).exitCode).toBe(0);
    expect((await run(...args, '--skip-existing')).stderr).toContain('1 skipped');
  });
});
