/**
 * Attacks a running service, one attack of the list after another, and measures the effect on others:
 * how long `/healthz` and another company wait, which requests are rejected, and how much memory the
 * service takes. See CONTRIBUTING.md and docs/adr/0024.
 *
 *     node scripts/run-ts.mjs scripts/stalls.ts [LETTER…] [--short] [--engine sqlite|postgres|bare]
 *       [--workers N]
 *
 * `--engine bare` attacks a bare Node server instead, for letters d, f, k, l, m, n, o and q: goals
 * that it misses too are due to the platform and the machine.
 *
 * Needs the built program. With `STALLS_TURNS=FILE` the service records the lengths of its event-loop
 * turns. Ends with `stalls: N passed, N failed, N skipped`; a missed goal makes the exit code 1. With
 * `--short` times may be thirty times their goals: a busy machine needs that, as does Node alone under
 * the same attack (`--engine bare`); stalls were longer.
 */
import { parseArgs } from 'node:util';
import { isMainThread } from 'node:worker_threads';
import { postgresMissing } from '../test/support/postgres.ts';
import { ordinaryPdf } from './stalls/documents.ts';
import { type Letter, runLetters } from './stalls/frame.ts';
import { answering } from './stalls/letters-of-answers.ts';
import { hoarding } from './stalls/letters-of-hoarding.ts';
import { parsing } from './stalls/letters-of-parsing.ts';
import { work } from './stalls/letters-of-work.ts';
import { watchInThread } from './stalls/watch.ts';

const all: readonly Letter[] = [...work, ...hoarding, ...answering, ...parsing];

const engines = ['sqlite', 'postgres', 'bare'] as const;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      engine: { type: 'string', default: 'sqlite' },
      workers: { type: 'string', default: '1' },
    },
  });
  const wanted = all.filter(
    ({ letter }) => positionals.length === 0 || positionals.includes(letter),
  );
  const engine = engines.find((each) => each === values.engine) ?? 'sqlite';
  if (engine === 'postgres' && postgresMissing !== undefined) {
    console.log(`stalls: 0 passed, 0 failed, ${wanted.length} skipped (${postgresMissing})`);
    return;
  }
  const { passed, failed } = await runLetters(wanted, {
    engine,
    workers: Number(values.workers),
    attackMs: values.short ? 5000 : 15_000,
    quietMs: values.short ? 2000 : 5000,
    // A short run tests rejections, memory and stalls; figures come from the long one.
    patience: values.short ? 30 : 1,
    pdf: ordinaryPdf().toString('base64'),
  });
  console.log(`stalls: ${passed} passed, ${failed} failed, 0 skipped`);
  if (failed > 0) process.exitCode = 1;
}

if (isMainThread) await main();
else watchInThread();
