import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ErrorCode, InnsigliError } from '../../src/base/errors.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { sealOutcome, signatureReport, verificationReport } from './support/fake-toolkit.ts';

const never = { waitForStop: () => new Promise<never>(() => undefined) };

/** Fails for documents that start with `%BAD` and counts its calls. */
function open(code: ErrorCode = 'pdf.notpdf') {
  const cli = openFakeCli({ 'in/a.pdf': '%PDF-a', 'in/bad.pdf': '%BAD' });
  const asked: string[] = [];
  const toolkit = {
    seal: async (source: {
      slice(start: number, end: number): Uint8Array;
      lengthBytes: number;
    }) => {
      const text = Buffer.from(source.slice(0, source.lengthBytes)).toString();
      asked.push(text);
      if (text.startsWith('%BAD')) throw new InnsigliError(code, 'why');
      return sealOutcome({ keptBytes: source.lengthBytes });
    },
  };
  const run = async (...args: readonly string[]) => {
    asked.length = 0;
    const seal = ['seal', 'in', '--out-dir', 'out', '-j1', ...args];
    return { ...(await cli.run(seal, { toolkit, io: never })), asked: [...asked] };
  };
  const journal = () => readFileSync(join(cli.folder, 'out/.innsigli-batch.jsonl'), 'utf8');
  return { cli, run, journal };
}

describe('a batch with invalid inputs', () => {
  test('is finished: a later run starts again without --force', async () => {
    const { cli, run, journal } = open();
    const first = await run();
    expect(first.exitCode).toBe(3);
    expect(first.stderr).toContain('✗ 1 sealed, 1 failed');
    expect(first.stderr).not.toContain('--resume');
    expect(journal()).toContain('{"refused":');
    expect(journal()).toContain('{"finished":');
    cli.write('in/new.pdf', '%PDF-new');
    const second = await run();
    expect(second.exitCode).toBe(3);
    expect(second.stdout).toBe('out/new.pdf\n');
    expect(second.stderr).toMatch(
      /hint: pass --skip-existing to keep valid results, --resume .* --force/,
    );
    // An existing output does not stop the documents after it either.
    expect((await run('--skip-existing')).stderr).toContain('0 sealed, 2 skipped, 1 failed');
  });

  test('--resume reports them again and retries only those that have changed', async () => {
    const { cli, run } = open();
    await run();
    const same = await run('--resume');
    expect({ exitCode: same.exitCode, asked: same.asked }).toEqual({ exitCode: 3, asked: [] });
    expect(same.stderr).toContain('error[pdf.notpdf]: in/bad.pdf: why');
    expect((await run('--resume', '--force')).asked).toEqual(['%BAD']);
    cli.write('in/bad.pdf', '%BAD again');
    expect((await run('--resume')).asked).toEqual(['%BAD again']);
    expect((await run('--resume')).asked).toEqual([]);
    cli.write('in/bad.pdf', '%PDF-good');
    expect((await run('--resume')).asked).toEqual(['%PDF-good']);
  });

  test.each<[ErrorCode, boolean]>([
    ['pdf.certified.locked', true],
    ['pdf.truncated', true],
    ['xml.invalid', true],
    ['limit.exceeded', true],
    ['pdf.password.needed', false],
    ['tsa.unreachable', false],
    ['seal.selfcheck.failed', false],
  ])('a document that fails with %s leaves the batch finished: %s', async (code, isFinished) => {
    const { run, journal } = open(code);
    const first = await run();
    expect(first.stderr.includes('To continue: run the same command with --resume')).toBe(
      !isFinished,
    );
    expect(journal().includes('{"finished":')).toBe(isFinished);
    expect((await run()).exitCode).toBe(isFinished ? 3 : 6);
    if (!isFinished) expect((await run('--resume')).asked).toEqual(['%BAD']);
  });
});

test.each([
  ['TOTAL-PASSED', '✓ 2 checked, 2 TOTAL-PASSED'],
  ['INDETERMINATE', '! 2 checked, 2 INDETERMINATE'],
  ['TOTAL-FAILED', '✗ 2 checked, 2 TOTAL-FAILED'],
] as const)('the summary of a batch shows the mark of %s', async (indication, said) => {
  const cli = openFakeCli({ 'in/a.pdf': '%PDF', 'in/b.pdf': '%PDF' });
  const toolkit = { verify: async () => verificationReport(signatureReport({ indication })) };
  const { stderr } = await cli.run(['verify', 'in', '-j1'], { toolkit, io: never });
  expect(stderr).toContain(said);
});

test('the JSON of a batch repeats its warnings', async () => {
  const cli = openFakeCli({ 'in/a.pdf': '%PDF' });
  const args = ['seal', 'in', '--out-dir', 'out', '-j1', '--json'];
  const { stdout } = await cli.run(args, { io: never });
  const warning = { code: 'trust.development', message: 'development trust in use' };
  expect(JSON.parse(stdout).warnings).toEqual([warning]);
});
