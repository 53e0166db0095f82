/**
 * Creates new signed files, alters each in many ways, and compares our verdicts on them with those of
 * the reference validator.
 *
 *     node scripts/run-ts.mjs scripts/unseen.ts --folder DIR [--seed N] [--count N]
 *       [--kind pdf|xml|cms|container]… [--policy default|relaxed]… [--differences FILE] [--make]
 *       [--odd]
 *
 * Port 8318 of 127.0.0.1 must be free, because the test certificates refer to it. Existing files in
 * DIR are reused. `--count` is the number of compared alterations per signed file (default: 14). With
 * `--make` nothing is compared. With `--odd` the files are those of `unseen/odd-….table.ts`, which
 * are not altered, and no port is needed.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { innsigliCli } from '../test/interop/innsigli-cli.ts';
import { findJudge } from '../test/interop/tools.ts';
import type { Difference } from './agreement/compare.ts';
import { compareOdd, compareUnseen, type UnseenResult } from './unseen/compare-unseen.ts';
import { oddChains } from './unseen/odd-chains.table.ts';
import { oddCms } from './unseen/odd-cms.table.ts';
import { oddContainers } from './unseen/odd-containers.table.ts';
import { oddForms, oddTrust } from './unseen/odd-forms.table.ts';
import { oddNesting } from './unseen/odd-nesting.table.ts';
import { oddStatuses } from './unseen/odd-revocation.table.ts';
import { oddXml } from './unseen/odd-xml.table.ts';
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
    odd: { type: 'boolean', default: false },
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
    tell(policy, found);
  }
  write(differences);
}

/** The same for files created here, with their own trust. */
async function compareOddForms(folder: string, judge: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const root = join(folder, 'odd-root.der');
  const differences: Difference[] = [];
  if (!existsSync(root)) writeFileSync(root, oddTrust.root);
  for (const policy of values.policy ?? ['relaxed']) {
    const request = { judge, root, folder: join(folder, 'odd'), at: new Date(oddTrust.atMs) };
    const isRelaxed = policy === 'relaxed';
    const found = await compareOdd(
      [
        ...oddForms,
        ...oddChains,
        ...oddStatuses,
        ...oddNesting,
        ...oddXml,
        ...oddCms,
        ...oddContainers,
      ],
      {
        ...request,
        seed: 0,
        count: 0,
        isRelaxed,
      },
    );
    differences.push(...found.differences);
    tell(policy, found);
  }
  write(differences);
}

function tell(policy: string, found: UnseenResult): void {
  const { indicationShare, unexplained, lines } = summarizeUnseen(found);
  for (const line of lines) console.log(`  ${line}`);
  for (const { file, which, ours, theirs, detail, isTooKind } of unexplained) {
    const kind = isTooKind ? 'passed here and not there' : 'without a clause';
    console.log(`  ${kind}: ${file} ${which}: ${ours}, ${theirs} ${detail}`);
  }
  const share = (100 * indicationShare).toFixed(1);
  console.log(`${policy}: ${share} % of indications agree or have a clause`);
}

function write(differences: readonly Difference[]): void {
  const rows = differences.map((each) => `${JSON.stringify(each)}\n`);
  if (values.differences !== undefined) writeFileSync(values.differences, rows.join(''));
}

const judge = findJudge();
if (values.folder === undefined) throw new Error('--folder is missing');
if (judge === undefined) console.log('unseen: skipped: ../shared/tools/judge is absent');
else await (values.odd ? compareOddForms : main)(resolve(values.folder), judge);
