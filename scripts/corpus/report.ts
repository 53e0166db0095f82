import type { SealLevel } from '../../src/index.ts';
import type { CorpusFile } from './files.ts';

/** What became of one file at one level. */
export interface Row {
  readonly file: string;
  readonly level: SealLevel;
  /** `sealed`, one of `failures`, or the code of the refusal. */
  readonly outcome: string;
  readonly message?: string;
  /** True when `qpdf --check` opens the input without a password, damaged or not. */
  readonly opensInQpdf?: boolean;
  /** A worse answer of qpdf that is not held against the seal. */
  readonly excused?: string;
}

/** The outcomes that make the run fail. */
export const failures: readonly string[] = [
  'crashed',
  'hung',
  'died',
  'lost',
  'broken',
  'qpdf-worse',
];

/** The rows with their counts, as `--json` prints them. */
export function documentOf(files: readonly CorpusFile[], rows: readonly Row[]) {
  const counts: Record<string, number> = {};
  for (const { level, outcome } of rows) {
    const key = `${level} ${outcome}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  const withPassword = new Set(
    files.filter(({ password }) => password !== undefined).map(({ name }) => name),
  );
  return {
    files: files.length,
    counts,
    /** False when qpdf is not installed: its checks were skipped. */
    qpdf: rows.every(({ opensInQpdf }) => opensInQpdf !== undefined),
    /** Of the files that qpdf opens without a password: counted at every level asked for. */
    open: shareOf(rows.filter(({ opensInQpdf }) => opensInQpdf === true)),
    /** Of the files with a recorded password. */
    withPassword: shareOf(rows.filter(({ file }) => withPassword.has(file))),
    rows,
  };
}

/** A file is sealed when it is sealed at every level. */
function shareOf(rows: readonly Row[]): { readonly counted: number; readonly sealed: number } {
  const counted = new Set(rows.map(({ file }) => file));
  const sealed = new Set(counted);
  for (const { file, outcome } of rows) if (outcome !== 'sealed') sealed.delete(file);
  return { counted: counted.size, sealed: sealed.size };
}

/** Prints the files behind each outcome, then the counts. */
export function printRows(files: readonly CorpusFile[], rows: readonly Row[]): void {
  const { counts, qpdf, open, withPassword } = documentOf(files, rows);
  const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort();
  for (const outcome of outcomes.filter((name) => name !== 'sealed')) {
    console.log(`\n${outcome}`);
    const own = rows.filter((row) => row.outcome === outcome);
    for (const name of new Set(own.map(({ file }) => file))) printFile(own, name);
  }
  const excused = rows.filter((row) => row.excused !== undefined);
  if (excused.length > 0) console.log('\nworse in qpdf for a reason that lies in the input');
  for (const { file, level, excused: why } of excused) console.log(`  ${file} ${level}: ${why}`);
  console.log('');
  for (const [name, count] of Object.entries(counts).sort()) console.log(`${name}: ${count}`);
  if (qpdf) console.log(`sealed of those that qpdf opens without a password: ${percent(open)}`);
  else console.log('skipped: qpdf is not installed, its checks did not run');
  console.log(`sealed of those with a recorded password: ${percent(withPassword)}`);
}

function printFile(rows: readonly Row[], name: string): void {
  const own = rows.filter(({ file }) => file === name);
  const [row] = own;
  const levels = own.map(({ level }) => level).join(', ');
  const opens = row?.opensInQpdf;
  const mark = opens === undefined ? 'qpdf not asked' : `qpdf ${opens ? 'opens' : 'refuses'} it`;
  console.log(`  ${name}: ${row?.message?.split('\n')[0] ?? ''} (${levels}; ${mark})`);
}

function percent({ counted, sealed }: { counted: number; sealed: number }): string {
  const share = ((100 * sealed) / Math.max(1, counted)).toFixed(1);
  return `${sealed} of ${counted} files (${share} %)`;
}
