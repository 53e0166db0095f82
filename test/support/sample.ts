/**
 * Cases of files `x.sampled.test.ts`: the fast project runs a sample of them, the project `whole`
 * all. The sample is the same in each run, so that failures are reproducible.
 */
import { test } from 'vitest';

/** Whether this run takes a sample. */
const isSample = process.env['INNSIGLI_TEST_CASES'] === 'sample';

const PART = 10;

/**
 * The number of runs of a property, or of cases that must have occurred; a tenth of it in a sample.
 */
export function runs(all: number): number {
  return isSample ? Math.ceil(all / PART) : all;
}

/**
 * The rows of a table; in a sample every `every`th row, starting with the first.
 *
 * @param every coprime to the lengths of the factors of a table, so that its rows cover each value
 * of each
 */
export function sampleOf<T>(rows: readonly T[], every: number): readonly T[] {
  return isSample ? rows.filter((_, at) => at % every === 0) : rows;
}

/** Rows that cost as much as a hundred others; omitted in a sample. */
export function costlyRows<T>(...rows: readonly T[]): readonly T[] {
  return isSample ? [] : rows;
}

/** The step of a loop over positions; in a sample it covers a tenth of them. */
export function stepOf(all: number): number {
  return isSample ? all * PART : all;
}

/** Like `test`; omitted in a sample, because it costs as much as a hundred others. */
export const costlyTest: Pick<typeof test, 'each'> & CallableTest = isSample
  ? Object.assign(() => undefined, { each: () => () => undefined })
  : test;

type CallableTest = (title: string, run: () => unknown, timeoutMs?: number) => void;
