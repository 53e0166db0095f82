import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pem } from '../support/openssl.ts';
import { makeTestPki } from '../support/pki.ts';
import { type CliRun, type FakeCli, openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5);
const pki = makeTestPki({ nowMs });
const setup = realToolkit();
const names = [
  'plain.pdf',
  'two words.pdf',
  "it's $(touch x) `id`.pdf",
  '-rf.pdf',
  'Ný skrá “1”.pdf',
];

function open(): FakeCli {
  const cli = openFakeCli();
  for (const name of names) cli.write(name, readFileSync('fixtures/pdf/agreement.pdf'));
  return cli;
}

/** The commands of this program that a run recommends, split into words as by a shell. */
function recommended({ stderr }: CliRun, folder: string): readonly (readonly string[])[] {
  const lines = stderr
    .split('\n')
    .flatMap((line) => /(?:^ {2}|: )(innsigli .*)$/.exec(line)?.[1] ?? []);
  return lines.map((line) => {
    const script = `innsigli() { printf '%s\\0' "$@"; }; ${line}`;
    const { stdout, status } = spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: folder });
    expect(status).toBe(0);
    return stdout.split('\0').slice(0, -1);
  });
}

async function followed(cli: FakeCli, args: readonly string[]) {
  const run = await cli.run(args, setup);
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
  const commands = recommended(run, cli.folder);
  const exits: (readonly [string, number, string])[] = [];
  for (const words of commands) {
    const next = await cli.run(words, setup);
    exits.push([words[0] ?? '', next.exitCode, next.exitCode === 0 ? '' : next.stderr]);
  }
  // The shell ran nothing that a file name contains.
  expect(existsSync(join(cli.folder, 'x'))).toBe(false);
  return exits;
}

const fine = ['verify', 'archive'].map((name) => [name, 0, '']);

describe('a command recommended in the output works when typed', () => {
  test.each(names)('after seal %j', async (name) => {
    const path = name.startsWith('-') ? `./${name}` : name;
    for (const level of ['B-B', 'B-LTA']) {
      const cli = open();
      expect(await followed(cli, ['seal', path, '--level', level])).toEqual(fine);
    }
  });

  test('after seal of an encrypted document', async () => {
    const cli = open();
    cli.write('locked.pdf', readFileSync('fixtures/pdf/encrypted.pdf'));
    cli.write("it's a key", 'fixture\n');
    const password = ['--pdf-password-file', "it's a key"];
    expect(await followed(cli, ['seal', 'locked.pdf', ...password])).toEqual(fine);
  });

  test('after archive, with a different data directory', async () => {
    const cli = open();
    const place = ['--data-dir', 'my data'];
    await cli.run([...place, 'seal', 'two words.pdf', '--level', 'B-T'], setup);
    const args = [...place, 'archive', 'two words.sealed.pdf', '-o', "it's archived.pdf"];
    expect(await followed(cli, args)).toEqual(fine);
  });

  test('after seal-xml', async () => {
    const cli = open();
    cli.write('a b.xml', '<a><b/></a>');
    expect(await followed(cli, ['seal-xml', 'a b.xml', '--level', 'B-T'])).toEqual(fine);
    const beside = ['seal-xml', 'a b.xml', '--packaging', 'detached', '-o', 'b c.sig.xml'];
    expect(await followed(cli, [...beside, '--level', 'B-T'])).toEqual(fine);
  });

  test('after init', async () => {
    const cli = openFakeCli({ 'agreement.pdf': '' });
    cli.write('agreement.pdf', readFileSync('fixtures/pdf/agreement.pdf'));
    const run = await cli.run(['--data-dir', "an 'odd' place", 'init'], setup);
    const [words] = recommended(run, cli.folder);
    expect(words).toContain("an 'odd' place");
    expect((await cli.run(words ?? [], setup)).exitCode).toBe(0);
  });
});

describe('a certificate without OCSP or CRL address', () => {
  const silent = { ocspUrls: [], crlUrls: [] };
  const signer = pki.issue({ name: 'Silent', extensions: silent });
  const key = signer.privateKey.export({ type: 'pkcs8', format: 'pem' });
  const own = ['--key', 'key.pem', '--cert', 'cert.pem', '--chain', 'chain.pem'];

  function given(): FakeCli {
    const cli = open();
    cli.write('key.pem', String(key));
    cli.write('cert.pem', pem('CERTIFICATE', signer.der));
    cli.write('chain.pem', pem('CERTIFICATE', ...signer.chain));
    cli.write('root.pem', pem('CERTIFICATE', pki.member('root').der));
    cli.write('given/ca.crl', pki.crl(pki.member('ca')));
    cli.write('given/root.crl', pki.crl(pki.member('root')));
    return cli;
  }

  test('is reported after sealing, and the recommended archive command works with the CRL filled in', async () => {
    const cli = given();
    const run = await cli.run(
      ['seal', 'two words.pdf', ...own, '--trust', 'root.pem', '--level', 'B-B'],
      setup,
    );
    expect(run.stderr).toContain('with a CRL for Silent, whose certificate has no CRL address:');
    const [verify, archive = []] = recommended(run, cli.folder);
    expect((await cli.run(verify ?? [], setup)).exitCode).toBe(0);
    // The placeholder is not an existing file, and no file name is invented for it.
    expect(archive).toContain('CRL-FILE');
    expect((await cli.run(archive, setup)).exitCode).toBe(10);
    const filled = archive.map((word) => (word === 'CRL-FILE' ? 'given' : word));
    const archived = await cli.run(filled, setup);
    expect({ exitCode: archived.exitCode, stderr: archived.stderr }).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['XML', ['seal-xml', 'a b.xml']],
    ['XML, detached', ['seal-xml', 'a b.xml', '--packaging', 'detached', '-o', 'b c.sig.xml']],
    ['ASiC-E', ['seal-xml', 'a b.xml', 'plain.pdf', '--container', 'asic-e', '-o', 'b c.asice']],
    [
      'ASiC-S with CAdES',
      ['seal-xml', 'a b.xml', '--container', 'asic-s', '--cades', '-o', 'b c.asics'],
    ],
  ])(
    '%s: the archive command recommended after sealing works with the CRL filled in',
    async (_, seal) => {
      const cli = given();
      cli.write('a b.xml', '<a><b/></a>');
      const run = await cli.run([...seal, ...own, '--trust', 'root.pem', '--level', 'B-B'], setup);
      expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
      expect(run.stderr).toContain('with a CRL for Silent, whose certificate has no CRL address:');
      const [verify, archive = []] = recommended(run, cli.folder);
      expect((await cli.run(verify ?? [], setup)).exitCode).toBe(0);
      const without = archive.filter((word) => !['--validation-data', 'CRL-FILE'].includes(word));
      const refused = await cli.run(without, setup);
      expect(refused.exitCode).toBe(8);
      expect(refused.stderr).toMatch(
        /error\[revocation\.missing\].*"Silent": it has no OCSP or CRL address/,
      );
      expect(refused.stderr).toMatch(
        /hint: get a CRL of "ca" and pass it with --validation-data FILE/,
      );
      const filled = archive.map((word) => (word === 'CRL-FILE' ? 'given' : word));
      const archived = await cli.run(filled, setup);
      expect({ exitCode: archived.exitCode, stderr: archived.stderr }).toMatchObject({
        exitCode: 0,
      });
    },
  );

  test('is reported by archive with the certificate, the missing data and the issuer', async () => {
    const cli = given();
    const seal = ['seal', 'plain.pdf', ...own, '--trust', 'root.pem', '--level', 'B-B'];
    expect((await cli.run(seal, setup)).exitCode).toBe(0);
    const archive = ['archive', 'plain.sealed.pdf', '--trust', 'root.pem'];
    const run = await cli.run(archive, setup);
    expect(run.exitCode).toBe(8);
    expect(run.stderr).toMatch(
      /error\[revocation\.missing\].*"Silent": it has no OCSP or CRL address/,
    );
    expect(run.stderr).toMatch(/hint: get a CRL of "ca" and pass it with --validation-data FILE/);
    const told = await cli.run(['--json', ...archive], setup);
    expect(
      JSON.parse(told.stderr.split('\n').find((line) => /"error"/.test(line)) ?? ''),
    ).toMatchObject({
      error: {
        code: 'revocation.missing',
        details: { certificate: 'Silent', missing: 'revocation data', issuer: 'ca' },
      },
    });
  });

  test('archive asks for a missing root, and with --offline for data that an address would serve', async () => {
    const cli = given();
    const seal = ['seal', 'plain.pdf', ...own, '--trust', 'root.pem', '--level', 'B-B'];
    await cli.run(seal, setup);
    const stranger = await cli.run(['archive', 'plain.sealed.pdf'], setup);
    expect(stranger.exitCode).toBe(10);
    expect(stranger.stderr).toMatch(
      /"root" is missing: download it from http:\S+ and pass it|"root"/,
    );
    const named = ['--offline', 'archive', 'plain.sealed.pdf', '--trust', 'root.pem'];
    const offline = await cli.run([...named, '--validation-data', 'given/ca.crl'], setup);
    expect(offline.exitCode).toBe(8);
    expect(offline.stderr).toContain('"ca"');
    expect(offline.stderr).toMatch(/ {2}OCSP http:\S+: .*--offline is set/);
    const both = ['--validation-data', 'given/ca.crl', '--validation-data', 'given/root.crl'];
    const done = await cli.run([...named, ...both], setup);
    expect({ exitCode: done.exitCode, stderr: done.stderr }).toMatchObject({ exitCode: 0 });
  });

  test('--validation-data rejects a file without certificate, CRL or OCSP response', async () => {
    const cli = given();
    const run = await cli.run(['archive', 'plain.pdf', '--validation-data', 'key.pem'], setup);
    expect([run.exitCode, run.stderr]).toEqual([
      10,
      expect.stringContaining('no certificate, CRL or OCSP response'),
    ]);
  });
});
