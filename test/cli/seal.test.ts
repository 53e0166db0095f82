import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InnsigliError } from '../../src/base/errors.ts';
import type { SealOptions } from '../../src/wire/toolkit.types.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { sealOutcome } from './support/fake-toolkit.ts';

describe('innsigli seal', () => {
  test('writes next to the input and prints only the path on stdout', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const run = await cli.run(['seal', 'a.pdf']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'a.sealed.pdf\n' });
    expect(readFileSync(join(cli.folder, 'a.sealed.pdf'), 'utf8')).toBe('%PDFSEAL');
    expect(cli.files()).toEqual(['a.pdf', 'a.sealed.pdf']);
    expect(cli.pending.size).toBe(0);
    for (const text of [
      'warning: development trust in use\n',
      '✓ Sealed a.pdf at PAdES B-LTA\n',
      'signer      Seal of Acme\n',
      '2 requests; 2026-01-02T03:04:05Z by Time of Acme\n',
      '  innsigli verify a.sealed.pdf\n  pdfsig a.sealed.pdf\n',
      'renew before 2030-01-01',
    ]) {
      expect(run.stderr).toContain(text);
    }
  });

  test.each([
    ['a.pdf', 'a.sealed.pdf'],
    ['A.PDF', 'A.sealed.PDF'],
    ['agreement', 'agreement.sealed.pdf'],
    ['sub/a.b.pdf', 'sub/a.b.sealed.pdf'],
    ['.pdf', '.sealed.pdf'],
    ['a.sealed.pdf', 'a.sealed-2.pdf'],
    ['a.sealed-2.pdf', 'a.sealed-3.pdf'],
    ['a.sealed-x.pdf', 'a.sealed-x.sealed.pdf'],
    ['a.archived.pdf', 'a.archived.sealed.pdf'],
    ['sealed.pdf', 'sealed.sealed.pdf'],
  ])('writes the result of %s to %s', async (input, output) => {
    const cli = openFakeCli({ [input]: '%PDF' });
    expect((await cli.run(['seal', input, '-q'])).stdout).toBe(`${output}\n`);
  });

  test('--quiet prints only the path and the warnings', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const run = await cli.run(['seal', 'a.pdf', '--quiet']);
    expect(run.stdout).toBe('a.sealed.pdf\n');
    expect(run.stderr).toBe('innsigli: warning: development trust in use\n');
  });

  test('- reads stdin and writes stdout', async () => {
    const cli = openFakeCli();
    const run = await cli.run(['seal', '-'], { stdin: '%PDF-\n' });
    expect(run).toMatchObject({ exitCode: 0, stdout: '%PDF-\nSEAL' });
    expect(run.stderr).not.toContain('Verify it');
    expect(cli.files()).toEqual([]);
  });

  test('--json prints one document', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const run = await cli.run(['seal', 'a.pdf', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({
      v: 1,
      command: 'seal',
      input: 'a.pdf',
      output: 'a.sealed.pdf',
      level: 'B-LTA',
      inputBytes: 4,
      outputBytes: 8,
      timestampRequests: 2,
      report: { indication: 'TOTAL-PASSED' },
    });
  });

  test('passes its options to the toolkit', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    let seen: SealOptions = {};
    const args = ['--reason', 'Þórður', '--location', 'Reykjavík', '--name', 'N', '--contact', 'C'];
    const more = ['--field', 'F', '--certify', 'p2', '--digest', 'SHA384', '--pss', '--level=lt'];
    await cli.run(['seal', 'a.pdf', ...args, ...more], {
      toolkit: {
        seal: async (_input, options) => {
          seen = options;
          return sealOutcome();
        },
      },
    });
    expect(seen).toEqual({
      reason: 'Þórður',
      location: 'Reykjavík',
      name: 'N',
      contact: 'C',
      field: 'F',
      certify: 2,
      digest: 'sha384',
      scheme: 'rsa-pss',
      level: 'B-LT',
    });
  });

  test.each([
    [['seal'], 'expected a document, found none'],
    [['seal', 'a.pdf', 'b.pdf'], 'expected --out-dir or --in-place for a batch'],
    [['seal', 'a.pdf', '--certify', 'p4'], '--certify: expected p1, p2 or p3, found "p4"'],
    [
      ['seal', 'a.pdf', '--level', 'C'],
      '--level: expected one of B-B, B-T, B-LT, B-LTA, found "C"',
    ],
    [['seal', 'a.pdf', '--digest', 'md5'], '--digest: expected one of sha256, sha384, sha512'],
    [['seal', 'a.pdf', '--tsa', 'tsa.example'], '--tsa: expected an http or https address'],
    [['seal', 'a.pdf', '--tsa', 'http://u:secret@h/'], '--tsa: expected an address without'],
    [['seal', 'a.pdf', '--tsa-timeout', '1h'], '--tsa-timeout: expected a time such as'],
    [['seal', 'a.pdf', '--key', 'k', '--p12', 'p'], 'expected one key, found 2'],
    [['seal', 'a.pdf', '--cert', 'c'], '--cert: expected --key with it, found none'],
    [['seal', 'a.pdf', '--cert', 'c', '--p12', 'p'], '--cert: expected --key with it, found --p12'],
    [['seal', 'a.pdf', '--key', 'a.pdf'], '--key: expected --cert, or the certificate in'],
    [
      ['seal', 'a.pdf', '--key', 'a.pdf', '--p12', 'p'],
      '--key and --p12: expected one key, found 2',
    ],
    [['seal', 'a.pdf', '--password-file', 'p'], '--password-file: expected --key or --p12 with'],
    [['seal', 'a.pdf', '--page', 'all'], 'found "all"\nhint: every page: --all-pages'],
    [['seal', 'a.pdf', '--page', '1', '--all-pages'], 'expected --page or --all-pages, found both'],
    [['seal', 'a.pdf', '--json', '-o', '-'], '--json and a document cannot both go to stdout'],
    [['seal', 'a.pdf', '--rea', 'x'], "unknown option '--rea'"],
    [['seal', 'a.pdf', '-q', '-v'], 'expected --quiet or --verbose, found both'],
  ])('%j is a usage error', async (args, message) => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const run = await cli.run(args);
    expect(run.exitCode).toBe(2);
    expect(run.stdout).toBe('');
    if (args.includes('--json')) {
      expect(JSON.parse(run.stderr)).toMatchObject({ v: 1, error: { code: 'usage.invalid' } });
    } else {
      expect(run.stderr).toMatch(/^innsigli: error\[usage\.invalid\]: /);
    }
    expect(run.stderr).toContain(message);
    expect(run.stderr).not.toContain('secret');
    expect(cli.files()).toEqual(['a.pdf']);
  });

  test('--pss with a key that is not RSA is a usage error', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const error = new InnsigliError('algorithm.unsupported', 'x', { details: { keyType: 'ec' } });
    const toolkit = { seal: () => Promise.reject(error) };
    const run = await cli.run(['seal', 'a.pdf', '--pss'], { toolkit });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    const message = '--pss: expected an RSA key, found a key of type ec\nhint: omit --pss\n';
    expect(run.stderr).toBe(`innsigli: error[usage.invalid]: ${message}`);
    expect((await cli.run(['seal', 'a.pdf'], { toolkit })).exitCode).toBe(10);
  });

  test('an error of the toolkit determines exit code and hint and leaves no file', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const error = new InnsigliError('pdf.encryption.unsupported', 'the PDF is encrypted', {
      hint: 'decrypt it',
    });
    const run = await cli.run(['seal', 'a.pdf'], {
      toolkit: { seal: () => Promise.reject(error) },
    });
    expect(run).toEqual({
      exitCode: 7,
      stdout: '',
      stdoutBytes: Buffer.alloc(0),
      stderr:
        'innsigli: error[pdf.encryption.unsupported]: a.pdf: the PDF is encrypted\nhint: decrypt it\n',
    });
    expect(cli.files()).toEqual(['a.pdf']);
  });

  test('an unexpected error is internal.unexpected, with the stack only with --debug', async () => {
    const cli = openFakeCli({ 'a.pdf': '%PDF' });
    const toolkit = { seal: () => Promise.reject(new TypeError('x is not a function')) };
    const run = await cli.run(['seal', 'a.pdf'], { toolkit });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('error[internal.unexpected]: x is not a function\nhint: ');
    expect(run.stderr).not.toContain('    at ');
    const debugged = await cli.run(['seal', 'a.pdf', '--debug'], { toolkit });
    expect(debugged.stderr).toMatch(/caused by: TypeError: x is not a function\n {4}at /);
  });

  test.each([
    ['a terminal', ['stdin', 'stderr'], [], 'pw'],
    ['--no-input', ['stdin', 'stderr'], ['--no-input'], undefined],
    ['--json', ['stdin', 'stderr'], ['--json'], undefined],
    ['stdin is no terminal', ['stderr'], [], undefined],
    ['stderr is no terminal', ['stdin'], [], undefined],
  ] as const)(
    'the password is asked for only where it can be: %s',
    async (_, terminals, flags, expected) => {
      const cli = openFakeCli({ 'a.pdf': '%PDF' });
      let password: string | undefined = 'not asked';
      await cli.run(['seal', 'a.pdf', '--p12', 'k.p12', ...flags], {
        terminals,
        password: 'pw',
        toolkit: (io) => ({
          async seal() {
            password = await io.askPassword?.('k.p12');
            return sealOutcome();
          },
        }),
      });
      expect(password).toBe(expected);
      expect(cli.questions).toEqual(expected === undefined ? [] : ['Password for k.p12']);
    },
  );
});
