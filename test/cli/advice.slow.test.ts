import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';
import { sealOutcome, signatureReport, verificationReport } from './support/fake-toolkit.ts';

const files = { 'a.pdf': '%PDF', k: '-----BEGIN CERTIFICATE-----', 'my conf.json': '{}' };
const ownKey = ['--key', 'k'];
const known = 'Verify it:';
const unknown = 'Verify it (--trust FILE names the root of the signer):';

/**
 * The recommended command lines after `innsigli`, split into words as by a shell, and the headline
 * above them.
 */
async function advice(args: readonly string[], level: 'B-T' | 'B-LTA', trusted = true) {
  const report = verificationReport(signatureReport({ trusted }));
  const toolkit = { seal: async () => sealOutcome({ level, report }) };
  const { stderr } = await openFakeCli(files).run(['seal', 'a.pdf', ...args], { toolkit });
  const lines = stderr.split('\n').filter((line) => line.startsWith('  innsigli '));
  const words = lines.map((line) => {
    const script = `innsigli() { printf '%s\\n' "$@"; }; ${line}`;
    const { stdout } = spawnSync('sh', ['-c', script], { encoding: 'utf8' });
    return stdout
      .replace(/^.*\/trust\/root\.pem$/gm, 'TEST ROOT')
      .trim()
      .split('\n');
  });
  return { headline: stderr.split('\n').find((line) => line.startsWith('Verify it')), words };
}

describe('the commands recommended after sealing', () => {
  test.each<[readonly string[], string, readonly string[]]>([
    [[], known, []],
    [[...ownKey, '--trust', 'my roots', '--trust', "o'x"], known, ['my roots', "o'x", 'TEST ROOT']],
    [[...ownKey, '--chain', 'issuers.pem'], known, ['issuers.pem']],
    [ownKey, unknown, []],
  ])('work when pasted, after sealing with %j', async (args, headline, roots) => {
    const flags = roots.flatMap((root) => ['--trust', root]);
    const found = await advice(args, 'B-T');
    expect(found).toEqual({
      headline,
      words: [
        ['verify', ...flags, 'a.sealed.pdf'],
        ['archive', ...flags, 'a.sealed.pdf'],
      ],
    });
  });

  test('do not pass a --chain without a root as --trust', async () => {
    const { headline, words } = await advice([...ownKey, '--chain', 'c.pem'], 'B-T', false);
    expect({ headline, line: words[0] }).toEqual({
      headline: unknown,
      line: ['verify', '--revocation', 'ignore', 'a.sealed.pdf'],
    });
    const long = await advice([...ownKey, '--chain', 'c.pem'], 'B-LTA', false);
    expect(long.words[0]).toEqual(['verify', 'a.sealed.pdf']);
  });

  test('repeat the options the result depends on, but not files that are gone', async () => {
    const place = ['--config', 'my conf.json', '--data-dir', 'd'];
    const password = ['--pdf-password-file', 'pw file'];
    const tsa = ['--tsa', 'https://tsa.example/?a=1&b=2', '--tsa-timeout', '5s'];
    const flags = [...place, ...password, ...tsa, '--reason', 'x', '-o', 'out dir.pdf'];
    const { words } = await advice(flags, 'B-T');
    expect(words).toEqual([
      ['verify', ...place, ...password, 'out dir.pdf'],
      ['archive', ...place, ...password, ...tsa, 'out dir.pdf'],
    ]);
    const pipe = await advice(['--pdf-password-file', '/dev/fd/63'], 'B-LTA');
    expect(pipe.words[0]).toEqual(['verify', 'a.sealed.pdf']);
  });
});
