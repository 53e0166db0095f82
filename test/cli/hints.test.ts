import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';

const isRoot = process.getuid?.() === 0;

describe('errors come with a hint', () => {
  test.each<[readonly string[], CliSetup, number, string, string]>([
    [
      ['seal'],
      {},
      2,
      'error[usage.invalid]: expected a document, found none',
      'name a file, a folder, a pattern, or - for standard input',
    ],
    [['archive'], {}, 2, 'expected a document, found none', 'standard input'],
    [['verify'], {}, 2, 'expected a document, found none', 'standard input'],
    [
      ['seal', 'a.pdf'],
      { env: { INNSIGLI_LEVEL: 'x' } },
      10,
      'INNSIGLI_LEVEL: expected one of B-B, B-T, B-LT, B-LTA, found "x"',
      'change the environment variable INNSIGLI_LEVEL, or unset it',
    ],
    [
      ['seal', 'a.pdf', '--tsa', ''],
      {},
      2,
      '--tsa: expected an http or https address, found ""',
      'omit it for the embedded authority',
    ],
    [
      ['seal', 'a.pdf', '--jobs', '0'],
      {},
      2,
      '--jobs: expected a whole number from 1 to 256, found "0"',
      '',
    ],
    [
      ['seal', 'a.pdf', '--jobs', '2'],
      {},
      2,
      'expected --out-dir or --in-place for a batch, found neither',
      'name a folder for the results: --out-dir sealed',
    ],
    [
      ['seal', 'a.pdf', '--image', 'no.png'],
      {},
      5,
      'error[io.input.notfound]: --image: no such file: no.png',
      'name a PNG or JPEG',
    ],
    [
      ['seal', 'a.pdf', '--image', 'sub'],
      {},
      1,
      '--image: sub cannot be read: it is a folder',
      'name a PNG or JPEG',
    ],
    [['seal', 'no*.pdf'], {}, 5, 'error[io.input.notfound]: no file matches no*.pdf', ''],
    [['seal', 'no*.pdf', '--out-dir', 'o'], {}, 5, 'no file matches no*.pdf', ''],
    [['verify', 'no*.pdf'], {}, 5, 'no file matches no*.pdf', ''],
    [['seal', '*.pdf'], {}, 2, 'expected --out-dir or --in-place for a batch', ''],
    [
      ['archive', 'a.pdf', '--chain', 'c.pem'],
      {},
      2,
      "unknown option '--chain'",
      '--chain belongs to seal, seal-xml, doctor and config explain; list those of archive with innsigli help archive',
    ],
    [
      ['auth', 'login', '--phone', '6666666'],
      {},
      2,
      "unknown option '--phone'",
      '--phone belongs to compliance individual status, compliance individual record, compliance individual evaluate and others; list those of auth login with innsigli help auth login',
    ],
    [
      ['verify', 'a.pdf', '--out-dir', 'x'],
      {},
      2,
      "unknown option '--out-dir'",
      'seal, seal-xml and archive',
    ],
    [
      ['seal', 'a.pdf', '--key', 'k.p12'],
      {},
      2,
      '--key: expected --cert',
      'or a PKCS#12 file with --p12',
    ],
    [
      ['doctor'],
      { subfolder: 'sub' },
      0,
      'ignored trust',
      'it may have come with the documents; to use it pass --config ',
    ],
  ])('%j prints the error and its hint', async (args, setup, exitCode, message, hint) => {
    const files = { 'a.pdf': '%PDF', 'k.p12': '0', 'sub/innsigli.config.json': '{"trust":["r"]}' };
    const run = await openFakeCli(files).run(args, setup);
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(message);
    expect(run.stderr).toContain(hint);
    expect(run.stderr).not.toContain('write the scheme');
  });

  test.skipIf(isRoot)('names a folder without write permission (skipped for root)', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const folder = join(cli.folder, 'locked');
    mkdirSync(folder);
    chmodSync(folder, 0o555);
    const run = await cli.run(['seal', 'a.pdf', '-o', 'locked/b.pdf']);
    expect(run).toMatchObject({ exitCode: 1 });
    expect(run.stderr).toContain(
      'locked/b.pdf cannot be written: permission denied (EACCES)\nhint: choose a folder you can write to',
    );
  });
});

test('--watch accepts a pattern that matches nothing and fails only on --in-place', async () => {
  const cli = openFakeCli();
  const run = await cli.run(['seal', 'no*.pdf', '--watch', '--in-place']);
  expect(run.stderr).toContain('--watch: expected --out-dir, found --in-place');
});
