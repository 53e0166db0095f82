import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { report, skip, unless } from '../../test/interop/checks.ts';
import type { InnsigliCli } from '../../test/interop/innsigli-cli.ts';
import { compareUnseen } from './compare-unseen.ts';
import { makeSources } from './sources.ts';
import { summarizeUnseen } from './summarize.ts';

/** Altered files per signed file. */
const COUNT = 5;

/** Compares about 80 altered files with the reference validator, which takes half a minute. */
export async function judgeUnseen(
  cli: InnsigliCli,
  root: string,
  work: string,
  judge: string | undefined,
): Promise<void> {
  if (judge === undefined) {
    skip('altered files that nobody has seen', '../shared/tools/judge is absent');
    return;
  }
  const folder = join(work, 'unseen');
  mkdirSync(folder);
  const sources = await makeSources({ cli, root, tsaUrl: '', folder, isShort: true });
  const request = {
    judge,
    root,
    folder: join(folder, 'altered'),
    seed: 1,
    count: COUNT,
    isShort: true,
  };
  const found = await compareUnseen(sources, { ...request, isRelaxed: true });
  const { tooKind, indicationShare, unexplained } = summarizeUnseen(found);
  for (const { file, ours, theirs, detail } of unexplained) {
    console.log(`  ${file}: ${ours}, ${theirs} ${detail.slice(0, 200)}`);
  }
  const share = (100 * indicationShare).toFixed(1);
  report(
    `${found.files} altered files, dss: ${share} % of indications agree or have a clause`,
    unless({
      [`${found.files} files are 70 or more`]: found.files >= 70,
      'passes there what passes here': tooKind.length === 0,
      '97 % of indications': indicationShare >= 0.97,
    }),
  );
}
