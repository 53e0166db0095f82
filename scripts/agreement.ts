/**
 * Compares our verdicts on signed files with those of the reference validator, both with the same
 * anchors, certificates and time.
 *
 *     node scripts/run-ts.mjs scripts/agreement.ts [--kind pdf|xml|cms|container]… [--at now|signing]
 *       [--policy default|relaxed] [--folder DIR] [--differences FILE] [--answers DIR]
 *
 * Without `--folder`, the signed files of ../shared/corpora are compared. Anchors are the self-signed
 * certificates in the files. `--at signing` verifies each file at the end of the month of its claimed
 * signing time. `--policy relaxed` compares `revocation: ignore` with a policy in which missing
 * revocation data is a warning. Differences are written to FILE as JSON lines. `--answers` stores the
 * verdicts of the reference validator in DIR and reads them from there in later runs.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findJudge } from '../test/interop/tools.ts';
import { findJustification } from './agreement/clauses.table.ts';
import { compareFile, type Difference, type Tally, tallyLine } from './agreement/compare.ts';
import { findDifferenceClause } from './agreement/differences.table.ts';
import { type Kind, kinds, signedFiles } from './agreement/files.ts';
import { verdictsOf } from './agreement/ours.ts';
import { keptAnswers } from './agreement/reference.ts';

const { values } = parseArgs({
  options: {
    kind: { type: 'string', multiple: true },
    at: { type: 'string', default: 'now' },
    policy: { type: 'string', default: 'default' },
    folder: { type: 'string' },
    differences: { type: 'string' },
    answers: { type: 'string' },
  },
});
const judge = findJudge();
if (judge === undefined) {
  console.log('agreement: 0 passed, 0 failed, 1 skipped (../shared/tools/judge is absent)');
} else {
  const work = mkdtempSync(join(tmpdir(), 'innsigli-agreement-'));
  try {
    await compareKinds(judge, work);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function compareKinds(program: string, work: string): Promise<void> {
  const differences: Difference[] = [];
  const isRelaxed = values.policy === 'relaxed';
  for (const kind of values.kind ?? kinds) {
    const files = signedFiles(kind as Kind, values.folder);
    const kept = join(values.answers ?? work, `${kind}-${values.at}-${values.policy}`);
    const roots = join(kept, 'roots');
    mkdirSync(roots, { recursive: true });
    const asked = { program, work, kept, roots, isRelaxed, atSigning: values.at === 'signing' };
    const answers = await keptAnswers(files, asked);
    const tally: Tally = new Map();
    for (const file of files) {
      const theirs = answers.get(file);
      if (theirs === undefined) continue;
      const ours = await verdictsOf(file, { roots, at: theirs.at, isRelaxed });
      differences.push(...compareFile(file, kind, theirs.answer, ours, tally));
    }
    console.log(tallyLine(kind, files.length, tally));
  }
  const tooKind = differences.filter(({ isTooKind }) => isTooKind);
  const open = tooKind.filter((each) => findJustification(each) === undefined);
  console.log(`passed here but not there: ${tooKind.length}, without a clause: ${open.length}`);
  for (const each of tooKind) {
    const { file, which, ours, theirs, detail } = each;
    console.log(`  ${file} ${which}: ${ours}, ${theirs} ${detail}`);
    console.log(`    ${findJustification(each) ?? 'no supporting clause'}`);
  }
  for (const { file, what, sharedBy } of differences) {
    if (sharedBy !== undefined) console.log(`agreed: ${what} of ${file}: ${sharedBy}`);
  }
  tellClauses(differences.filter(({ sharedBy }) => sharedBy === undefined));
  if (values.differences === undefined) return;
  writeFileSync(
    values.differences,
    differences.map((each) => `${JSON.stringify(each)}\n`).join(''),
  );
}

/** Prints the kinds of differences with their clauses, and each difference without one. */
function tellClauses(differences: readonly Difference[]): void {
  const counts = new Map<string, number>();
  const open = differences.filter((each) => {
    const clause = findDifferenceClause(each);
    if (clause !== undefined) counts.set(clause, (counts.get(clause) ?? 0) + 1);
    return clause === undefined;
  });
  console.log(`differences: ${differences.length}, without a clause: ${open.length}`);
  for (const [clause, count] of counts) console.log(`  ${count} × ${clause}`);
  for (const { file, which, what, ours, theirs, detail } of open) {
    console.log(`  open: ${file} ${which} ${what}: ${ours}, ${theirs} ${detail}`);
  }
}
