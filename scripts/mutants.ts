/**
 * Damages PDFs in many ways, seals those that can be sealed, and compares their appearance before and
 * after.
 *
 *     node scripts/run-ts.mjs scripts/mutants.ts [DIR] [--short] [--seed N] [--count N]
 *                             [--only KIND] [--jobs N] [--keep DIR]
 *
 * Default of DIR: ../shared/corpora. Each mutant must be rejected with a code, or be sealed so that
 * the report says TOTAL-PASSED and the output of poppler and mupdf is unchanged. The same seed
 * creates the same mutants. Exit code 1 if a mutant fails; the last line is
 * `mutants: N passed, N failed, N skipped`.
 */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type CorpusFile, listFiles } from './corpus/files.ts';
import { changedLooks, looksOf, missingViewers, unopened } from './corpus/looks.ts';
import { openWorker, type Worker } from './corpus/pool.ts';
import { damages } from './mutants/damage.table.ts';
import { createRandom } from './xml-fuzz/random.ts';

interface Settings {
  readonly folder: string;
  readonly seed: number;
  readonly count: number;
  readonly jobs: number;
  readonly only: string;
  readonly keep?: string;
}

interface Mutant {
  readonly name: string;
  readonly kind: string;
  readonly original: CorpusFile;
  readonly bytes: Buffer;
}

interface Result {
  readonly mutant: Mutant;
  /** `sealed`, `changed looks`, a failure keyword of the worker, or an error code. */
  readonly outcome: string;
  readonly message: string;
  readonly isFailure: boolean;
  /** Number of viewers that displayed nothing before. */
  readonly unseen: number;
}

const LARGEST_BYTES = 300_000;
const COUNT = 150;
const SHORT_COUNT = 3;
const limits = { timeoutMs: 30_000, memoryMib: 1_024 };

function readSettings(): Settings {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      short: { type: 'boolean', default: false },
      seed: { type: 'string', default: '1' },
      count: { type: 'string' },
      jobs: { type: 'string', default: String(Math.min(2, availableParallelism())) },
      only: { type: 'string', default: '' },
      keep: { type: 'string' },
    },
  });
  const count = values.count ?? String(values.short ? SHORT_COUNT : COUNT);
  for (const text of [values.seed, values.jobs, count]) {
    if (!/^[1-9]\d{0,8}$/.test(text)) throw new Error(`expected a number from 1, found ${text}`);
  }
  return {
    folder: resolve(positionals[0] ?? '../shared/corpora'),
    seed: Number(values.seed),
    count: Number(count),
    jobs: Number(values.jobs),
    only: values.only,
    ...(values.keep === undefined ? {} : { keep: resolve(values.keep) }),
  };
}

/** Yields the mutants: for each kind, the first files in random order that it can damage. */
function* makeMutants({ folder, seed, count, only }: Settings): Generator<Mutant> {
  const files = listFiles(folder, undefined).filter(
    ({ path }) => statSync(path).size <= LARGEST_BYTES,
  );
  for (const [index, [kind, damage]] of Object.entries(damages).entries()) {
    if (!kind.includes(only)) continue;
    const random = createRandom(seed * 1_000 + index);
    const left = [...files];
    for (let made = 0; made < count && left.length > 0; ) {
      const [original] = left.splice(random.below(left.length), 1) as [CorpusFile];
      const text = readFileSync(original.path, 'latin1');
      const damaged = damage(text, random);
      if (damaged === undefined || damaged === text) continue;
      made++;
      const name = `${String(index + 1).padStart(2, '0')}-${String(made).padStart(3, '0')}`;
      yield { name, kind, original, bytes: Buffer.from(damaged, 'latin1') };
    }
  }
}

async function judge(mutant: Mutant, worker: Worker, work: string): Promise<Result> {
  const path = join(work, `${mutant.name}.pdf`);
  const output = join(work, `${mutant.name}.sealed.pdf`);
  const { password } = mutant.original;
  writeFileSync(path, mutant.bytes);
  const file = { ...mutant.original, path };
  const fate = await worker.seal({ file, level: 'B-B', output });
  const message = 'message' in fate ? (fate.message.split('\n')[0] ?? '') : '';
  if (fate.kind === 'refused') {
    return { mutant, outcome: fate.code, message, isFailure: false, unseen: 0 };
  }
  if (fate.kind !== 'sealed') {
    return { mutant, outcome: fate.kind, message, isFailure: true, unseen: 0 };
  }
  const before = await looksOf(path, password);
  const changed = changedLooks(before, await looksOf(output, password));
  const unseen = unopened(before).length;
  if (changed === undefined) {
    return { mutant, outcome: 'sealed', message, isFailure: false, unseen };
  }
  return { mutant, outcome: 'changed looks', message: changed, isFailure: true, unseen };
}

async function runAll(settings: Settings, work: string): Promise<readonly Result[]> {
  const results: Result[] = [];
  const mutants = makeMutants(settings);
  const workers = Array.from({ length: settings.jobs }, () =>
    openWorker(join(work, 'home'), limits),
  );
  const run = async (worker: Worker) => {
    for (let next = mutants.next(); !next.done; next = mutants.next()) {
      const result = await judge(next.value, worker, work);
      results.push({ ...result, mutant: { ...result.mutant, bytes: Buffer.alloc(0) } });
      tidy(result, work, settings.keep);
    }
  };
  try {
    await workers[0]?.ready();
    await Promise.all(workers.map(run));
  } finally {
    for (const worker of workers) worker.close();
  }
  return results;
}

/** Moves failed files to the folder chosen by the user. */
function tidy({ mutant, isFailure }: Result, work: string, keep: string | undefined): void {
  for (const end of ['.pdf', '.sealed.pdf']) {
    const path = join(work, `${mutant.name}${end}`);
    if (!existsSync(path)) continue;
    if (isFailure && keep !== undefined) {
      mkdirSync(keep, { recursive: true });
      writeFileSync(join(keep, `${mutant.name}${end}`), readFileSync(path));
    }
    rmSync(path);
  }
}

function print(results: readonly Result[]): void {
  for (const kind of Object.keys(damages)) {
    const own = results.filter(({ mutant }) => mutant.kind === kind);
    if (own.length === 0) continue;
    const counts = new Map<string, number>();
    for (const { outcome } of own) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
    const text = [...counts].sort().map(([outcome, count]) => `${outcome} ${count}`);
    console.log(`${kind}: ${text.join(', ')}`);
  }
  for (const { mutant, outcome, message } of results.filter(({ isFailure }) => isFailure)) {
    console.log(
      `FAIL ${mutant.name} ${mutant.kind} (${mutant.original.name}): ${outcome}: ${message}`,
    );
  }
  const count = (test: (result: Result) => boolean) => results.filter(test).length;
  const sealed = count(({ outcome }) => outcome === 'sealed');
  const failed = count(({ isFailure }) => isFailure);
  const bad = (...words: readonly string[]) => count(({ outcome }) => words.includes(outcome));
  console.log(
    `${results.length} mutants: ${sealed} sealed, ${results.length - sealed - failed} rejected, ` +
      `${bad('crashed', 'died', 'hung')} crashes, ${bad('broken', 'lost')} seals not TOTAL-PASSED, ` +
      `${bad('changed looks')} changed looks, ${count(({ unseen }) => unseen > 0)} sealed that a viewer does not open`,
  );
  console.log(`mutants: ${results.length - failed} passed, ${failed} failed, 0 skipped`);
}

async function main(): Promise<void> {
  const settings = readSettings();
  const missing = await missingViewers();
  const why = existsSync(settings.folder)
    ? missing.map((program) => `${program} is not installed`)[0]
    : `${settings.folder} is absent`;
  if (why !== undefined) {
    console.log(`skipped: ${why}`);
    console.log('mutants: 0 passed, 0 failed, 1 skipped');
    return;
  }
  const work = mkdtempSync(join(tmpdir(), 'innsigli-mutants-'));
  try {
    const results = [...(await runAll(settings, work))];
    results.sort((a, b) => a.mutant.name.localeCompare(b.mutant.name));
    print(results);
    process.exitCode = results.some(({ isFailure }) => isFailure) ? 1 : 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

await main();
