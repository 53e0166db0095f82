/**
 * Cases of files `x.sampled.test.ts`: the fast project runs a sample of them, the project `whole`
 * all. The sample is the same in each run, so that a red run is red again.
 */
import { test } from 'vitest';

/** Whether this run takes a sample. */
const isSample = process.env['INNSIGLI_TEST_CASES'] === 'sample';

const PART = 10;

/** How often a property runs, or how many cases must have been met; in a sample a tenth. */
export function runs(all: number): number {
  return isSample ? Math.ceil(all / PART) : all;
}

/**
 * The rows of a table; in a sample those at every `every`th place, the first among them.
 *
 * @param every shares no factor with the lengths that a table was multiplied of, so that its rows
 * have each value of each
 */
export function sampleOf<T>(rows: readonly T[], every: number): readonly T[] {
  return isSample ? rows.filter((_, at) => at % every === 0) : rows;
}

/** The rows of a table that cost as much as a hundred others; a sample is without. */
export function costlyRows<T>(...rows: readonly T[]): readonly T[] {
  return isSample ? [] : rows;
}

/** The step of a loop over places; in a sample it meets a tenth of them. */
export function stepOf(all: number): number {
  return isSample ? all * PART : all;
}

/** As `test`; a sample is without: it costs as much as a hundred others. */
export const costlyTest: Pick<typeof test, 'each'> & CallableTest = isSample
  ? Object.assign(() => undefined, { each: () => () => undefined })
  : test;

type CallableTest = (title: string, run: () => unknown, timeoutMs?: number) => void;
