import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { report, skip, unless } from './checks.ts';
import type { InnsigliCli } from './innsigli-cli.ts';
import { levels, revocationOf } from './matrix.ts';
import { eachOf, run } from './tools.ts';

/** What DSS signs with. */
export interface DssSigner {
  readonly judge: string | undefined;
  /** Private key, PEM. */
  readonly key: string;
  /** Its certificate followed by the issuers, PEM. */
  readonly chain: string;
  readonly root: string;
  readonly tsaUrl: string;
}

/** Lets DSS sign at every level; innsigli must verify each one and name its level. */
export async function verifyDssSignatures(
  cli: InnsigliCli,
  signer: DssSigner,
  folder: string,
): Promise<void> {
  const { judge, key, chain, root, tsaUrl } = signer;
  if (judge === undefined) return skip('signatures by dss', '../shared/tools/judge is absent');
  const p12 = join(folder, 'dss-signer.p12');
  const missing = [key, chain].filter((path) => !existsSync(path));
  if (missing.length > 0) {
    report('key for dss', [`missing: ${missing.join(', ')}`]);
    return;
  }
  execFileSync('openssl', [
    ...['pkcs12', '-export', '-inkey', key, '-in', chain],
    ...['-passout', 'pass:interop', '-out', p12],
  ]);
  await eachOf(levels, async (level) => {
    const output = join(folder, `by-dss-${level}.pdf`);
    const made = await run(
      judge,
      [
        ...['make', '--format', 'pades', '--level', level.slice(2), '--p12', p12],
        ...['--password', 'interop', '--trust', root, '--tsa', tsaUrl],
        ...['fixtures/pdf/agreement.pdf', output],
      ],
      { timeoutMs: 300_000 },
    );
    const said = made.stderr.trim().split('\n').slice(0, 3).join(' | ');
    if (!report(`dss signs at ${level}`, existsSync(output) ? [] : [said])) return;
    const answer = await cli.run([
      ...['--json', 'verify', output, '--trust', root],
      ...revocationOf(level),
    ]);
    const found = /"level"\s*:\s*"([\w-]+)"/.exec(answer.stdout)?.[1];
    report(
      `innsigli verify, signed by dss at ${level}`,
      unless({
        [`rc 0 (${answer.code} ${answer.stderr.trim().slice(0, 200)})`]: answer.code === 0,
        [`level ${level} (${found})`]: found === level,
      }),
    );
  });
}
