import { describe, expect, test } from 'vitest';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';
import { sealOutcome, signatureReport, verificationReport } from './support/fake-toolkit.ts';

const development = { code: 'trust.development', message: 'development trust in use' };
const damaged = { code: 'document.warning', message: 'the document is damaged' };
const uncovered = { ...verificationReport(signatureReport()), uncoveredBytes: 12 };

describe('--json contains every warning of stderr with its code', () => {
  test.each<[readonly string[], CliSetup, readonly object[]]>([
    [['seal', 'a.pdf'], {}, [development]],
    [
      ['archive', 'a.pdf'],
      { toolkit: { augment: async () => sealOutcome({ warnings: [damaged.message] }) } },
      [damaged],
    ],
    [
      ['verify', 'a.pdf'],
      { toolkit: { verify: async () => uncovered } },
      [
        {
          code: 'document.uncovered',
          message:
            'a.pdf: 12 bytes after the last signature are not covered: ' +
            'they change no signed content',
        },
      ],
    ],
    [
      ['init'],
      { env: { INNSIGLI_XYZXYZXYZ: '1' } },
      [
        {
          code: 'config.variable.ignored',
          message: 'INNSIGLI_XYZXYZXYZ is not a variable of innsigli and is ignored',
        },
      ],
    ],
    [
      ['doctor'],
      { subfolder: 'sub' },
      [{ code: 'config.setting.ignored', message: expect.stringContaining('ignored trust') }],
    ],
    [
      ['tsa', 'serve', '--host', '0.0.0.0'],
      {},
      [{ code: 'tsa.exposed', message: expect.stringContaining('can reach 0.0.0.0') }],
    ],
    [['config', 'explain'], {}, []],
  ])('%j has them in the document', async (args, setup, warnings) => {
    const cli = openFakeCli({ 'a.pdf': '%PDF', 'sub/innsigli.config.json': '{"trust":["r"]}' });
    const run = await cli.run([...args, '--json'], setup);
    expect(JSON.parse(run.stdout).warnings).toEqual(warnings);
    const lines = run.stderr.split('\n').filter((line) => line !== '');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      warnings.map((warning) => ({ v: 1, warning })),
    );
  });
});

describe('- is called standard input', () => {
  test.each<[readonly string[], string]>([
    [['verify', '-'], '✓ standard input: The document can be relied on.'],
    [['seal', '-', '-o', 'b.pdf'], '✓ Sealed standard input at'],
    [['archive', '-', '-o', 'b.pdf'], '✓ Archived standard input at'],
    [['seal', '-', '--in-place'], 'expected a file, found standard input'],
  ])('in the output of %j', async (args, expected) => {
    const run = await openFakeCli().run(args, { stdin: '%PDF' });
    expect(run.stdout + run.stderr).toContain(expected);
  });

  test('a terminal is rejected as a document', async () => {
    const run = await openFakeCli().run(['seal', '-', '-o', 'b'], { terminals: ['stdin'] });
    expect(run.stderr).toContain('expected a document on standard input, found a terminal');
  });
});
