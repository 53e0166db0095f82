import type { Coverage } from './coverage.ts';
import { MARKS, WORDS } from './coverage.ts';
import type { Area } from './matrix.ts';

/** Printed content of a page as displayed: rotated and cropped to its crop box. */
export interface PrintedPage {
  /** Side of the raster cells, in points. */
  readonly cell: number;
  /** True if a picture covers nearly all of the page: its content is unknown. */
  readonly isPicture: boolean;
  /** True if part of the content was not understood: it may paint anywhere. */
  readonly isPartial: boolean;
  /** Returns the number of cells with text, or with anything at all, that a rectangle touches. */
  covered(area: Area, what: 'words' | 'anything'): number;
}

/**
 * The queryable content of a page. Queries count the cells of a rectangle, until that has cost as
 * much as building a summed-area table, which then makes every query fast.
 */
export function summarize(coverage: Coverage): PrintedPage {
  const sums: { words?: Int32Array; anything?: Int32Array } = {};
  const counted = { words: 0, anything: 0 };
  const { cell, columns, rows, isPicture, isPartial } = coverage;
  const limit = (value: number, most: number): number => Math.min(most, Math.max(0, value));
  return {
    cell,
    isPicture,
    isPartial,
    covered([left, bottom, right, top], what) {
      // An area that ends exactly where a cell starts does not touch it.
      const first = limit(Math.floor(left / cell + 1e-6), columns);
      const last = limit(Math.ceil(right / cell - 1e-6), columns);
      const from = limit(Math.floor(bottom / cell + 1e-6), rows);
      const to = limit(Math.ceil(top / cell - 1e-6), rows);
      const ink = what === 'words' ? WORDS : WORDS | MARKS;
      counted[what] += Math.max(0, last - first) * Math.max(0, to - from);
      if (counted[what] <= columns * rows) {
        return countCells(coverage, [first, from, last, to], ink);
      }
      sums[what] ??= sumsOf(coverage, ink);
      const below = sums[what];
      const at = (row: number, column: number): number =>
        below[row * (columns + 1) + column] as number;
      return at(to, last) - at(from, last) - at(to, first) + at(from, first);
    },
  };
}

function countCells({ columns, cells }: Coverage, area: Area, ink: number): number {
  const [first, from, last, to] = area;
  let count = 0;
  for (let row = from; row < to; row++) {
    const end = row * columns + last;
    for (let at = row * columns + first; at < end; at++) {
      if (((cells[at] as number) & ink) !== 0) count++;
    }
  }
  return count;
}

function sumsOf({ columns, rows, cells }: Coverage, ink: number): Int32Array {
  const width = columns + 1;
  const sums = new Int32Array(width * (rows + 1));
  for (let row = 0; row < rows; row++) {
    let inRow = 0;
    for (let column = 0; column < columns; column++) {
      if (((cells[row * columns + column] as number) & ink) !== 0) inRow++;
      const above = (row + 1) * width + column + 1;
      sums[above] = (sums[above - width] as number) + inRow;
    }
  }
  return sums;
}
