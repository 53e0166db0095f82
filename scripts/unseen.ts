/**
 * Makes signed files that nobody has seen, alters each in many ways, and compares our verdicts on
 * them with those of the reference validator.
 *
 *     node scripts/run-ts.mjs scripts/unseen.ts --folder DIR [--seed N] [--count N]
 *       [--kind pdf|xml|cms|container]… [--policy default|relaxed]… [--differences FILE] [--make]
 *
 * Port 8318 of 127.0.0.1 must be free, because the test certificates name it. What stands in DIR
 * already is used again. `--count` is how many altered files of each signed one are compared, 14
 * unless given. With `--make` nothing is compared.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { innsigliCli } from '../test/interop/innsigli-cli.ts';
import { findJudge } from '../test/interop/tools.ts';
import type { Difference } from './agreement/compare.ts';
import { compareUnseen } from './unseen/compare-unseen.ts';
import { makeSources } from './unseen/sources.ts';
import { summarizeUnseen } from './unseen/summarize.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '14' },
    kind: { type: 'string', multiple: true },
    policy: { type: 'string', multiple: true },
    differences: { type: 'string' },
    make: { type: 'boolean', default: false },
  },
});
const port = 8318;

async function main(folder: string, judge: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const cli = innsigliCli(join(folder, 'home'));
  const root = join(cli.dataDir, 'trust', 'root.pem');
  if (!existsSync(root)) await cli.run(['init']);
  const server = await cli.serve(port);
  const shop = { cli, root, tsaUrl: `http://127.0.0.1:${port}/tsa`, folder, isShort: false };
  const all = await makeSources(shop).finally(() => server.kill());
  const { kind: kinds } = values;
  const sources = all.filter(({ kind }) => kinds?.includes(kind) ?? true);
  console.log(`${sources.length} signed files`);
  if (values.make) return;
  const differences: Difference[] = [];
  for (const policy of values.policy ?? ['default']) {
    const found = await compareUnseen(sources, {
      judge,
      root,
      folder: join(folder, ['altered', values.seed, ...(kinds ?? [])].join('-')),
      seed: Number(values.seed),
      count: Number(values.count),
      isRelaxed: policy === 'relaxed',
    });
    differences.push(...found.differences);
    const { indicationShare, unexplained, lines } = summarizeUnseen(found);
    for (const line of lines) console.log(`  ${line}`);
    for (const { file, which, ours, theirs, detail, isTooKind } of unexplained) {
      const kind = isTooKind ? 'passed here and not there' : 'without a clause';
      console.log(`  ${kind}: ${file} ${which}: ${ours}, ${theirs} ${detail}`);
    }
    const share = (100 * indicationShare).toFixed(1);
    console.log(`${policy}: ${share} % of indications agree or have a clause`);
  }
  const rows = differences.map((each) => `${JSON.stringify(each)}\n`);
  if (values.differences !== undefined) writeFileSync(values.differences, rows.join(''));
}

const judge = findJudge();
if (values.folder === undefined) throw new Error('--folder is missing');
if (judge === undefined) console.log('unseen: skipped: ../shared/tools/judge is absent');
else await main(resolve(values.folder), judge);
