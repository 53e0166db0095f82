import type { ByteSource } from '../../../../base/bytes.ts';
import type { ReadBudget } from '../../budget.ts';
import { bodyAt, endstreamAt } from '../damaged-object.ts';
import { NumberTable } from '../number-table.ts';
import type { Scan } from './scan.ts';

/** Results of resolving the references of `/Length`. */
export interface SettledLengths {
  /** Data lengths that differ from the scan, by object offset. */
  readonly longer: ReadonlyMap<number, number>;
  /** Lengths found by scanning streams with incorrect or missing `/Length`, by object offset. */
  readonly wrong: ReadonlyMap<number, number>;
  /** Whether the offset is inside stream data: a match of the scan there is not an object. */
  isInData(offset: number): boolean;
}

/** Number of definitions per object number that are tried as a length. */
const TRIES = 8;

/**
 * Resolves the `/Length` references that a scan left open. Stream data can contain a whole PDF with
 * its own `endstream`: the scan then ended the data too early, and everything it found before the
 * actual end is data.
 */
export function settleLengths(
  source: ByteSource,
  scan: Scan,
  offsetsOf: (objectNumber: number, atMost: number) => readonly number[],
  budget: ReadBudget,
): SettledLengths {
  const longer = new Map<number, number>();
  const wrong = new Map<number, number>();
  const data = new NumberTable(2);
  let dataEnd = 0;
  const { openLengths } = scan;
  for (let row = 0; row < openLengths.count; row++) {
    const objectOffset = openLengths.at(row, 0);
    if (objectOffset < dataEnd) continue;
    const dataOffset = openLengths.at(row, 1);
    const found = openLengths.at(row, 2);
    const length = settle(offsetsOf(openLengths.at(row, 3), TRIES), dataOffset, found);
    if (length === undefined) wrong.set(objectOffset, found);
    else if (length > found) {
      longer.set(objectOffset, length);
      dataEnd = dataOffset + length;
      data.push(dataOffset, dataEnd);
    }
  }
  return { longer, wrong, isInData: (offset) => isInside(data, offset) };

  function settle(
    offsets: readonly number[],
    dataOffset: number,
    found: number,
  ): number | undefined {
    const stated = offsets.map((offset) => bodyAt(source, offset, budget)?.value);
    if (stated.includes(found)) return found;
    for (const length of stated) {
      if (typeof length !== 'number' || !Number.isSafeInteger(length) || length < 0) continue;
      if (endstreamAt(source, dataOffset + length, budget) >= 0) return length;
    }
    return undefined;
  }
}

/** Rows are non-overlapping intervals in ascending order. */
function isInside(intervals: NumberTable, offset: number): boolean {
  let low = 0;
  let high = intervals.count - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (offset < intervals.at(middle, 0)) high = middle - 1;
    else if (offset >= intervals.at(middle, 1)) low = middle + 1;
    else return true;
  }
  return false;
}
