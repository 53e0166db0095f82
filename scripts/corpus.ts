/**
 * Seals every PDF of a folder at B-B and B-LTA and says what became of each.
 *
 *     npm run corpus -- DIR [--json] [--jobs N] [--timeout-ms N] [--memory-mib N]
 *                       [--level B-B] [--only TEXT] [--passwords FILE] [--out DIR]
 *
 * Ends with 1 when a file crashed or hung the program, lost a signature or gave a broken result.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SealLevel } from '../src/index.ts';
import { type CorpusFile, listFiles } from './corpus/files.ts';
import { openWorker, type SealFate } from './corpus/pool.ts';
import { checkWithQpdf, type QpdfVerdict, worseThan } from './corpus/qpdf.ts';

interface Row {
  readonly file: string;
  readonly level: SealLevel;
  readonly outcome: string;
  readonly message?: string;
  /** True when `qpdf --check` opens the input without a password, damaged or not. */
  readonly opensInQpdf?: boolean;
}

const failures = ['crashed', 'hung', 'died', 'lost', 'broken', 'qpdf-worse'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    jobs: { type: 'string', default: String(availableParallelism()) },
    'timeout-ms': { type: 'string', default: '30000' },
    'memory-mib': { type: 'string', default: '1024' },
    level: { type: 'string', multiple: true, default: ['B-B', 'B-LTA'] },
    only: { type: 'string' },
    passwords: { type: 'string' },
    out: { type: 'string' },
  },
});

async function main(folder: string): Promise<number> {
  const only = values.only ?? '';
  const files = listFiles(folder, values.passwords).filter(({ name }) => name.includes(only));
  const work = mkdtempSync(join(tmpdir(), 'innsigli-corpus-'));
  try {
    const rows = await sealAll(files, work);
    if (values.json) console.log(JSON.stringify(documentOf(files, rows), null, 2));
    else printRows(files, rows);
    return rows.some(({ outcome }) => failures.includes(outcome)) ? 1 : 0;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function sealAll(files: readonly CorpusFile[], work: string): Promise<Row[]> {
  const rows: Row[] = [];
  const open = [...files.entries()];
  const trust = join(work, 'home');
  const limits = {
    timeoutMs: Number(values['timeout-ms']),
    memoryMib: Number(values['memory-mib']),
  };
  let done = 0;
  const run = async () => {
    const worker = openWorker(trust, limits);
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const [index, file] = next;
      rows.push(...(await judge(file, index, worker, work)));
      done++;
      if (process.stderr.isTTY) process.stderr.write(`\r${done}/${files.length}`);
    }
    worker.close();
  };
  const jobs = Math.min(Number(values.jobs), files.length);
  // The first worker makes the development trust; the others find it.
  const [first, ...others] = Array.from({ length: jobs }, () => run);
  const running = [first?.()];
  await new Promise((go) => setTimeout(go, 3_000));
  for (const other of others) running.push(other());
  await Promise.all(running);
  if (process.stderr.isTTY) process.stderr.write('\n');
  return rows.sort((a, b) => a.file.localeCompare(b.file) || a.level.localeCompare(b.level));
}

async function judge(
  file: CorpusFile,
  index: number,
  worker: ReturnType<typeof openWorker>,
  work: string,
): Promise<Row[]> {
  const rows: Row[] = [];
  const plain = await checkWithQpdf(file.path);
  const before =
    file.password === undefined ? plain : await checkWithQpdf(file.path, file.password);
  for (const level of values.level as SealLevel[]) {
    const kept = values.out === undefined ? undefined : join(values.out, level, file.name);
    const output = kept === undefined ? join(work, `${index}.pdf`) : resolve(kept);
    mkdirSync(dirname(output), { recursive: true });
    const fate = await worker.seal({ file, level, output });
    let { outcome, message } = describe(fate);
    if (fate.kind === 'sealed' && before !== undefined) {
      const after = await checkWithQpdf(output, file.password);
      const worse = after === undefined ? undefined : worseThan(before, after);
      if (after !== undefined && worse !== undefined && (await isOwnFault(file, after, work))) {
        [outcome, message] = ['qpdf-worse', worse];
      }
    }
    const opensInQpdf = plain === undefined ? undefined : plain.exitCode !== 2;
    rows.push({
      file: file.name,
      level,
      outcome,
      ...(message === undefined ? {} : { message }),
      ...(opensInQpdf === undefined ? {} : { opensInQpdf }),
    });
    if (kept === undefined) rmSync(output, { force: true });
  }
  return rows;
}

/**
 * False when qpdf says the same of the input with one line feed behind it: it looks at linearized
 * files, and at those it has to repair, in another way.
 */
async function isOwnFault(file: CorpusFile, after: QpdfVerdict, work: string): Promise<boolean> {
  const path = join(work, 'neutral.pdf');
  writeFileSync(path, Buffer.concat([readFileSync(file.path), Buffer.from('\n')]));
  const neutral = await checkWithQpdf(path, file.password);
  if (neutral === undefined || worseThan(neutral, after) === undefined) return false;
  return !neutral.complaints.some((line) => line.includes('reconstruct'));
}

function describe(fate: SealFate): { outcome: string; message?: string } {
  if (fate.kind === 'refused') return { outcome: fate.code, message: fate.message };
  return 'message' in fate ? { outcome: fate.kind, message: fate.message } : { outcome: fate.kind };
}

function documentOf(files: readonly CorpusFile[], rows: readonly Row[]) {
  const share = (password: boolean) => {
    const known = new Set(
      files.filter((file) => (file.password !== undefined) === password).map(({ name }) => name),
    );
    const counted = rows.filter((row) => known.has(row.file) && (password || row.opensInQpdf));
    const sealed = counted.filter(({ outcome }) => outcome === 'sealed').length;
    return { counted: counted.length, sealed };
  };
  const counts: Record<string, number> = {};
  for (const { level, outcome } of rows) {
    const key = `${level} ${outcome}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return {
    files: files.length,
    counts,
    /** Of the files that qpdf opens without a password. */
    open: share(false),
    /** Of the files with a recorded password. */
    withPassword: share(true),
    rows,
  };
}

function printRows(files: readonly CorpusFile[], rows: readonly Row[]): void {
  const { counts, open, withPassword } = documentOf(files, rows);
  const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort();
  for (const outcome of outcomes.filter((name) => name !== 'sealed')) {
    console.log(`\n${outcome}`);
    const own = rows.filter((row) => row.outcome === outcome);
    for (const name of new Set(own.map(({ file }) => file))) {
      const [row] = own.filter(({ file }) => file === name);
      const mark = row?.opensInQpdf === true ? 'qpdf opens it' : 'qpdf does not open it';
      console.log(`  ${name}: ${row?.message?.split('\n')[0] ?? ''} (${mark})`);
    }
  }
  console.log('');
  for (const [name, count] of Object.entries(counts).sort()) console.log(`${name}: ${count}`);
  const percent = (part: { counted: number; sealed: number }) =>
    `${part.sealed} of ${part.counted} (${((100 * part.sealed) / Math.max(1, part.counted)).toFixed(1)} %)`;
  if (rows.some(({ opensInQpdf }) => opensInQpdf === undefined)) {
    console.log('skipped: qpdf is not installed, its checks did not run');
  }
  console.log(`sealed of those that qpdf opens without a password: ${percent(open)}`);
  console.log(`sealed of those with a recorded password: ${percent(withPassword)}`);
}

const [folder] = positionals;
if (folder === undefined) {
  console.error('usage: npm run corpus -- DIR [--json]');
  process.exitCode = 2;
} else process.exitCode = await main(resolve(folder));
