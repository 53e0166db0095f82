/**
 * Seals every PDF of a folder at B-B and B-LTA, reports the result of each, and compares how poppler
 * and mupdf render the first pages before and after.
 *
 *     npm run corpus -- DIR [--json] [--jobs N] [--timeout-ms N] [--memory-mib N]
 *                       [--level B-B] [--only TEXT] [--passwords FILE] [--out DIR]
 *
 * Exit code 1 if a file crashed or hung the program, lost a signature, gave a corrupt result or
 * looks different, 2 if there is nothing to do, 130 if interrupted.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SealLevel } from '../src/index.ts';
import { type CorpusFile, listFiles } from './corpus/files.ts';
import { changedLooks, type Looks, looksOf, missingViewers, unopened } from './corpus/looks.ts';
import { openWorker, type SealFate, type Worker } from './corpus/pool.ts';
import { checkWithQpdf, type QpdfVerdict, wordOf, worseThan } from './corpus/qpdf.ts';
import { documentOf, failures, printRows, type Row } from './corpus/report.ts';

interface Settings {
  readonly folder: string;
  readonly json: boolean;
  readonly jobs: number;
  readonly limits: { readonly timeoutMs: number; readonly memoryMib: number };
  readonly levels: readonly SealLevel[];
  readonly only: string;
  readonly passwords?: string;
  readonly out?: string;
}

interface Comparing {
  readonly compareLooks: boolean;
}

const PROGRESS_EVERY = 50;

/** @throws Error with a message for the user */
function readSettings(): Settings {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      jobs: { type: 'string', default: String(availableParallelism()) },
      'timeout-ms': { type: 'string', default: '30000' },
      'memory-mib': { type: 'string', default: '1024' },
      level: { type: 'string', multiple: true, default: ['B-B', 'B-LTA'] },
      only: { type: 'string', default: '' },
      passwords: { type: 'string' },
      out: { type: 'string' },
    },
  });
  const count = (name: 'jobs' | 'timeout-ms' | 'memory-mib') => {
    const text = values[name];
    if (!/^[1-9]\d{0,8}$/.test(text))
      throw new Error(`--${name}: expected a number from 1, found ${text}`);
    return Number(text);
  };
  const [folder, ...more] = positionals;
  if (folder === undefined || more.length > 0) throw new Error('expected one folder');
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is not a folder`);
  const levels = values.level.map((text) => {
    if (isLevel(text)) return text;
    throw new Error(`--level: expected B-B, B-T, B-LT or B-LTA, found ${text}`);
  });
  return {
    folder: resolve(folder),
    json: values.json,
    jobs: count('jobs'),
    limits: { timeoutMs: count('timeout-ms'), memoryMib: count('memory-mib') },
    levels: [...new Set(levels)],
    only: values.only,
    ...(values.passwords === undefined ? {} : { passwords: values.passwords }),
    ...(values.out === undefined ? {} : { out: values.out }),
  };
}

function isLevel(text: string): text is SealLevel {
  return ['B-B', 'B-T', 'B-LT', 'B-LTA'].includes(text);
}

async function main(settings: Settings): Promise<number> {
  const files = listFiles(settings.folder, settings.passwords).filter(({ name }) =>
    name.includes(settings.only),
  );
  if (files.length === 0) throw new Error(`no PDF to seal below ${settings.folder}`);
  const missing = await missingViewers();
  if (missing.length > 0) {
    console.error(`skipped: ${missing.join(', ')} not installed, looks were not compared`);
  }
  const work = mkdtempSync(join(tmpdir(), 'innsigli-corpus-'));
  try {
    const rows = await sealAll(files, work, { ...settings, compareLooks: missing.length === 0 });
    if (rows === undefined) return 130;
    if (settings.json) console.log(JSON.stringify(documentOf(files, rows), null, 2));
    else printRows(files, rows);
    return rows.some(({ outcome }) => failures.includes(outcome)) ? 1 : 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** One row per file and level. Undefined if interrupted. */
async function sealAll(
  files: readonly CorpusFile[],
  work: string,
  settings: Settings & Comparing,
): Promise<Row[] | undefined> {
  const rows: Row[] = [];
  const open = [...files.entries()];
  const workers = Array.from({ length: Math.min(settings.jobs, files.length) }, () =>
    openWorker(join(work, 'home'), settings.limits),
  );
  const close = () => {
    for (const worker of workers) worker.close();
  };
  let stopped = false;
  const stop = () => {
    stopped = true;
    open.length = 0;
    close();
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
  let done = 0;
  const run = async (worker: Worker) => {
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [index, file] = next;
      rows.push(...(await judge(file, index, worker, work, settings)));
      showProgress(++done, files.length);
    }
  };
  try {
    // The first worker creates the development trust; the rest find it.
    await workers[0]?.ready();
    await Promise.all(workers.map(run));
  } finally {
    close();
  }
  if (stopped) return undefined;
  if (rows.some(({ inQpdf }) => inQpdf === undefined)) {
    console.error('skipped: qpdf is not installed, its checks were not run');
  }
  return rows.sort((a, b) => a.file.localeCompare(b.file) || a.level.localeCompare(b.level));
}

function showProgress(done: number, all: number): void {
  const last = done === all;
  if (process.stderr.isTTY) process.stderr.write(`\r${done}/${all}${last ? '\n' : ''}`);
  else if (last || done % PROGRESS_EVERY === 0) console.error(`${done}/${all}`);
}

async function judge(
  file: CorpusFile,
  index: number,
  worker: Worker,
  work: string,
  { levels, out, compareLooks }: Settings & Comparing,
): Promise<Row[]> {
  const rows: Row[] = [];
  const plain = await checkWithQpdf(file.path);
  const before =
    file.password === undefined ? plain : await checkWithQpdf(file.path, file.password);
  let looks: Looks | undefined;
  for (const level of levels) {
    const kept = out === undefined ? undefined : join(out, level, file.name);
    const output = kept === undefined ? join(work, `${index}.pdf`) : resolve(kept);
    mkdirSync(dirname(output), { recursive: true });
    const fate = await worker.seal({ file, level, output });
    const asked =
      fate.kind === 'sealed' && before !== undefined
        ? await compareInQpdf(file, before, output, join(work, `${index}-neutral.pdf`))
        : {};
    const isSealed = fate.kind === 'sealed';
    if (isSealed && compareLooks) looks ??= await looksOf(file.path, file.password);
    const shown = isSealed && looks ? await compareLooksOf(file, looks, output) : {};
    rows.push({
      file: file.name,
      level,
      ...describe(fate),
      ...asked,
      ...shown,
      ...(plain === undefined ? {} : { inQpdf: wordOf(plain) }),
    });
    // Only good results are kept.
    if (kept === undefined || fate.kind !== 'sealed') rmSync(output, { force: true });
  }
  return rows;
}

/**
 * Describes what qpdf reports about the result. It is excused if qpdf reports the same for the
 * input with a line feed appended, because it then checks linearized files differently. New
 * messages without a worse exit code are excused for inputs that qpdf has to repair, because its
 * repair is heuristic.
 */
async function compareInQpdf(
  file: CorpusFile,
  before: QpdfVerdict,
  output: string,
  neutralPath: string,
): Promise<Partial<Row>> {
  const after = await checkWithQpdf(output, file.password);
  const worse = after === undefined ? undefined : worseThan(before, after);
  if (after === undefined || worse === undefined) return {};
  writeFileSync(neutralPath, Buffer.concat([readFileSync(file.path), Buffer.from('\n')]));
  const neutral = await checkWithQpdf(neutralPath, file.password);
  rmSync(neutralPath, { force: true });
  if (neutral === undefined) return {};
  if (worseThan(neutral, after) === undefined) return { excused: worse };
  const repaired = neutral.complaints.some((line) => line.includes('reconstruct'));
  const sameCode = worseThan({ ...neutral, complaints: after.complaints }, after) === undefined;
  if (repaired && sameCode) return { excused: worse };
  return { outcome: 'qpdf-worse', message: worse };
}

async function compareLooksOf(
  file: CorpusFile,
  before: Looks,
  output: string,
): Promise<Partial<Row>> {
  const changed = changedLooks(before, await looksOf(output, file.password));
  if (changed !== undefined) return { outcome: 'looks-changed', message: changed };
  return { unopened: unopened(before) };
}

function describe(fate: SealFate): { outcome: string; message?: string } {
  if (fate.kind === 'refused') return { outcome: fate.code, message: fate.message };
  return 'message' in fate ? { outcome: fate.kind, message: fate.message } : { outcome: fate.kind };
}

try {
  process.exitCode = await main(readSettings());
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  console.error('usage: npm run corpus -- DIR [--json]; more in scripts/corpus.ts');
  process.exitCode = 2;
}
