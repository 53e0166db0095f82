import type { ObjectRange, XrefLocation } from '../xref/xref.ts';
import type { NumberTable } from './number-table.ts';

/** Column of the object number. Rows of an index are ordered oldest first. */
export const NUMBER = 0;
/** Column of the offset of an object, or of the negated number of its object stream. */
export const LOCATION = 1;
/** Column of the generation, or of the index in the object stream. */
export const DETAIL = 2;

/** Objects by number; if a number has several rows, the newest usable one counts. */
export interface ObjectIndex {
  /** Object numbers in ascending order, as ranges. */
  readonly ranges: readonly ObjectRange[];
  /** Number of objects. */
  readonly count: number;
  /** One more than the highest object number. */
  readonly size: number;
  find(objectNumber: number): XrefLocation | undefined;
  /** Returns the rows of a number, newest first, at most `atMost`. */
  findRows(objectNumber: number, atMost: number): readonly number[];
}

/** More rows than a budget of values allows; number and row combined stay below 2^53. */
const ROWS = 2 ** 24;

/** An index of the rows. `isUsable` is called only for numbers with several rows. */
export function indexObjects(
  rows: NumberTable,
  isUsable: (row: number) => boolean = () => true,
): ObjectIndex {
  const keys = new Float64Array(rows.count);
  for (let row = 0; row < rows.count; row++) keys[row] = rows.at(row, NUMBER) * ROWS + row;
  keys.sort();
  const chosen = chooseKeys(keys, isUsable);
  return {
    ranges: rangesOf(chosen),
    count: chosen.length,
    size: Math.floor((chosen.at(-1) ?? 0) / ROWS) + 1,
    find(objectNumber) {
      const key = chosen[countBelow(chosen, (objectNumber + 1) * ROWS) - 1] ?? -1;
      return Math.floor(key / ROWS) === objectNumber ? locationOf(rows, key % ROWS) : undefined;
    },
    findRows(objectNumber, atMost) {
      const end = countBelow(keys, (objectNumber + 1) * ROWS);
      const start = Math.max(countBelow(keys, objectNumber * ROWS), end - atMost);
      return Array.from(keys.subarray(start, end), (key) => key % ROWS).reverse();
    },
  };
}

function locationOf(rows: NumberTable, row: number): XrefLocation {
  const place = rows.at(row, LOCATION);
  const detail = rows.at(row, DETAIL);
  return place < 0
    ? { kind: 'compressed', container: -place, index: detail }
    : { kind: 'offset', offsetBytes: place, generation: detail };
}

/** The number of ascending keys below the limit. */
function countBelow(keys: Float64Array, limit: number): number {
  let low = 0;
  let high = keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The newest usable key of each object number. */
function chooseKeys(keys: Float64Array, isUsable: (row: number) => boolean): Float64Array {
  const chosen = new Float64Array(keys.length);
  let count = 0;
  for (let start = 0; start < keys.length; ) {
    const limit = (Math.floor((keys[start] as number) / ROWS) + 1) * ROWS;
    let end = start + 1;
    while (end < keys.length && (keys[end] as number) < limit) end++;
    let newest = end - 1;
    if (end - start > 1) {
      while (newest >= start && !isUsable((keys[newest] as number) % ROWS)) newest--;
    }
    if (newest >= start) chosen[count++] = keys[newest] as number;
    start = end;
  }
  return chosen.subarray(0, count);
}

function rangesOf(keys: Float64Array): readonly ObjectRange[] {
  const ranges: ObjectRange[] = [];
  let first = 0;
  let count = 0;
  for (const key of keys) {
    const number = Math.floor(key / ROWS);
    if (number === first + count) {
      count++;
      continue;
    }
    if (count > 0) ranges.push({ first, count });
    first = number;
    count = 1;
  }
  if (count > 0) ranges.push({ first, count });
  return ranges;
}
