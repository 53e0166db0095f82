import type { SealLevel } from '../../src/index.ts';
import type { CorpusFile } from './files.ts';
import type { Viewer } from './looks.ts';

/** Result for one file at one level. */
export interface Row {
  readonly file: string;
  readonly level: SealLevel;
  /** `sealed`, one of `failures`, or the code of the rejection. */
  readonly outcome: string;
  readonly message?: string;
  /** Result of `qpdf --check` for the input without a password. Absent if it was not run. */
  readonly inQpdf?: 'clean' | 'warned' | 'refused';
  /** Viewers that display nothing of the input. Absent if appearances were not compared. */
  readonly unopened?: readonly Viewer[];
  /** A worse result of qpdf that is not attributed to the seal. */
  readonly excused?: string;
}

/** Outcomes that make the run fail. */
export const failures: readonly string[] = [
  'crashed',
  'hung',
  'died',
  'lost',
  'broken',
  'qpdf-worse',
  'looks-changed',
];

/** Outcomes of documents that do not permit another seal: rejecting them is correct. */
const forbidding: readonly string[] = ['pdf.certified.locked', 'pdf.permission.denied'];

/** Returns the rows with their counts, as printed by `--json`. */
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
    /** False if qpdf is not installed: its checks were skipped. */
    qpdf: rows.every(({ inQpdf }) => inQpdf !== undefined),
    /** Of the files that qpdf opens without a password or a warning. */
    clean: shareOf(rows.filter(({ inQpdf }) => inQpdf === 'clean')),
    /** Of the files that qpdf opens without a password, damaged or not. */
    open: shareOf(rows.filter(({ inQpdf }) => inQpdf === 'clean' || inQpdf === 'warned')),
    /** Of the files with a recorded password. */
    withPassword: shareOf(rows.filter(({ file }) => withPassword.has(file))),
    looks: looksOfRows(rows),
    rows,
  };
}

/** Results that look like their inputs; those that a viewer cannot open are counted separately. */
function looksOfRows(rows: readonly Row[]) {
  const compared = rows.filter((row) => row.unopened !== undefined);
  const blind = (viewer: Viewer) =>
    compared.filter((row) => row.unopened?.includes(viewer) === true).length;
  return {
    compared: compared.length,
    unopened: { poppler: blind('poppler'), mupdf: blind('mupdf') },
  };
}

interface Share {
  readonly counted: number;
  readonly sealed: number;
  /** Files that do not permit another seal. */
  readonly forbidden: number;
}

/** A file counts as sealed if it is sealed at every level. */
function shareOf(rows: readonly Row[]): Share {
  const counted = new Set(rows.map(({ file }) => file));
  const sealed = new Set(counted);
  for (const { file, outcome } of rows) if (outcome !== 'sealed') sealed.delete(file);
  const forbidden = rows.filter(({ outcome }) => forbidding.includes(outcome));
  return {
    counted: counted.size,
    sealed: sealed.size,
    forbidden: new Set(forbidden.map(({ file }) => file)).size,
  };
}

/** Prints the files of each outcome, then the counts. */
export function printRows(files: readonly CorpusFile[], rows: readonly Row[]): void {
  const { counts, qpdf, clean, open, withPassword, looks } = documentOf(files, rows);
  const outcomes = [...new Set(rows.map(({ outcome }) => outcome))].sort();
  for (const outcome of outcomes.filter((name) => name !== 'sealed')) {
    console.log(`\n${outcome}`);
    const own = rows.filter((row) => row.outcome === outcome);
    for (const name of new Set(own.map(({ file }) => file))) printFile(own, name);
  }
  const excused = rows.filter((row) => row.excused !== undefined);
  if (excused.length > 0) console.log('\nworse in qpdf because of the input');
  for (const { file, level, excused: why } of excused) console.log(`  ${file} ${level}: ${why}`);
  console.log('');
  for (const [name, count] of Object.entries(counts).sort()) console.log(`${name}: ${count}`);
  if (qpdf) {
    console.log(`sealed of the files that qpdf opens without a password: ${percent(open)}`);
    console.log(`sealed of those that it opens without a warning: ${percent(clean)}`);
  } else console.log('skipped: qpdf is not installed, its checks were not run');
  const { compared, unopened } = looks;
  console.log(
    `appearance unchanged: ${compared} results; inputs not opened by poppler ${unopened.poppler}, by mupdf ${unopened.mupdf}`,
  );
  console.log(`sealed of the files with a recorded password: ${percent(withPassword)}`);
}

function printFile(rows: readonly Row[], name: string): void {
  const own = rows.filter(({ file }) => file === name);
  const [row] = own;
  const levels = own.map(({ level }) => level).join(', ');
  const marks = {
    clean: 'qpdf opens it',
    warned: 'qpdf opens it with warnings',
    refused: 'qpdf rejects it',
  };
  const mark = row?.inQpdf === undefined ? 'qpdf not run' : marks[row.inQpdf];
  console.log(`  ${name}: ${row?.message?.split('\n')[0] ?? ''} (${levels}; ${mark})`);
}

function percent({ counted, sealed, forbidden }: Share): string {
  const share = ((100 * sealed) / Math.max(1, counted)).toFixed(1);
  const rest = forbidden === 0 ? '' : `; ${forbidden} of the rest do not permit it`;
  return `${sealed} of ${counted} files (${share} %${rest})`;
}
