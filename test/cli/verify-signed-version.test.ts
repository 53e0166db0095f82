import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { VerificationReport } from '../../src/index.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { signatureReport, verificationReport } from './support/fake-toolkit.ts';

const text = '%PDF signed and signed again';
const changes = {
  level: 'form-filling',
  permitted: true,
  list: [
    { level: 'form-filling', kind: 'value', message: 'the field «name» was filled in', page: 2 },
  ],
} as const;
const report = verificationReport(
  signatureReport({ field: 'First', byteRange: [0, 3, 5, 6], coverage: 'revision', changes }),
  signatureReport({ field: 'Second', byteRange: [0, 3, 5, text.length - 5] }),
);

function open(answer: VerificationReport = report) {
  const cli = openFakeCli({ 'a.pdf': text, 'b.pdf': text });
  const run = (...args: readonly string[]) =>
    cli.run(['verify', 'a.pdf', ...args], { toolkit: { verify: async () => answer } });
  const read = (name: string) => readFileSync(join(cli.folder, name), 'utf8');
  const has = (name: string) => existsSync(join(cli.folder, name));
  return { cli, run, read, has };
}

describe('verify --signed-version', () => {
  test('writes the complete signed version or nothing', async () => {
    const { run, read } = open();
    const found = await run('--signed-version', '1', '-o', 'was.pdf');
    expect(found.exitCode).toBe(0);
    expect(found.stdout).toContain(
      'Wrote the version signed by signature 1 "First" to was.pdf (11 bytes)',
    );
    expect(read('was.pdf')).toBe(text.slice(0, 11));
    const again = await run('--signed-version', '2', '-o', 'was.pdf');
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('error[usage.output.exists]');
    const forced = await run('--signed-version', '2', '-o', 'was.pdf', '--force', '--json');
    expect(JSON.parse(forced.stdout).signedVersion).toEqual({
      signature: 2,
      field: 'Second',
      output: 'was.pdf',
      bytes: text.length,
    });
    expect(read('was.pdf')).toBe(text);
  });

  test('rejects a broken signature unless forced', async () => {
    const broken = signatureReport({
      indication: 'TOTAL-FAILED',
      intact: false,
      byteRange: [0, 3, 5, 6],
    });
    const { run, has } = open(verificationReport(broken));
    const found = await run('--signed-version', '1', '-o', 'was.pdf');
    expect(found.exitCode).toBe(7);
    expect(found.stderr).toContain('nothing was written: signature 1 is not intact');
    expect(has('was.pdf')).toBe(false);
    await run('--signed-version', '1', '-o', 'was.pdf', '--force');
    expect(has('was.pdf')).toBe(true);
  });

  test.each([
    [['--signed-version', '3', '-o', 'x.pdf'], '--signed-version: expected 1 to 2, found 3'],
    [['--signed-version', '0', '-o', 'x.pdf'], '--signed-version: expected'],
    [['--signed-version', 'x', '-o', 'x.pdf'], '--signed-version: expected'],
    [['--signed-version', '1'], '--signed-version: expected -o with it'],
    [['--signed-version', '1', '-o', '-'], '--signed-version: expected -o with it'],
    [['-o', 'x.pdf'], '-o: expected --signed-version with it'],
    [['b.pdf', '--signed-version', '1', '-o', 'x.pdf'], 'expected one PDF, found several'],
    [['--signed-version', '1', '-o', 'a.pdf'], 'the output a.pdf is the input itself'],
  ])('%j is a usage error', async (args, said) => {
    const { run, has } = open();
    const found = await run(...args);
    expect(found.exitCode).toBe(2);
    expect(found.stderr).toContain(said);
    expect(has('x.pdf')).toBe(false);
  });

  test('rejects a document that is not a PDF', async () => {
    const { run } = open({ ...report, format: 'xml', signatures: [] });
    const found = await run('--signed-version', '1', '-o', 'x.pdf');
    expect(found.stderr).toContain('--signed-version: expected a PDF, found XML');
  });

  test('the report lists by page what later updates changed', async () => {
    const { run } = open();
    const { stdout } = await run();
    expect(stdout).toMatch(/changes {5}· the field «name» was filled in \(page 2\)/);
  });

  test('the report mentions form input that no signature covers', async () => {
    const filled = signatureReport({ coverage: 'revision', changes });
    const { run } = open({ ...verificationReport(filled), coverage: 'partial', uncoveredBytes: 9 });
    const found = await run();
    expect(found.exitCode).toBe(0);
    expect(found.stdout).toContain(
      '! 9 bytes after the last signature are not covered: they change only permitted fields',
    );
    expect((await run('--whole')).exitCode).toBe(7);
  });
});
