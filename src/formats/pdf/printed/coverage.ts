import { type Area, areaOfLine, intersection } from './matrix.ts';
import { type PrintBudget, spend } from './work.ts';

/** Kind of printed content: text, or anything else. */
export type Ink = 1 | 2;

/** Text. */
export const WORDS: Ink = 1;
/** Lines, areas and pictures. */
export const MARKS: Ink = 2;

/** Maximum number of cells along the longer side; a cell is never smaller than a point. */
const CELLS = 1_000;

/** Target of painted content. */
export type PaintTarget = Pick<
  Coverage,
  | 'view'
  | 'isPicture'
  | 'isPartial'
  | 'isGround'
  | 'fillUnknown'
  | 'fillArea'
  | 'strokeLine'
  | 'fillPaths'
>;

/** Printed parts of a page: a raster of cells, filled while the page content is read. */
export class Coverage {
  /** The page as displayed: 0, 0, width, height. */
  readonly view: Area;
  /** Side of a cell in points. */
  readonly cell: number;
  readonly columns: number;
  readonly rows: number;
  readonly cells: Uint8Array;
  /** True if a picture, or a pattern with arbitrary content, covers nearly all of the page. */
  isPicture = false;
  /** True if part of the content was not understood: it may paint anywhere. */
  isPartial = false;
  readonly #budget: PrintBudget;

  constructor(width: number, height: number, budget: PrintBudget) {
    this.view = [0, 0, width, height];
    this.cell = Math.max(1, Math.max(width, height) / CELLS);
    this.columns = Math.max(1, Math.ceil(width / this.cell));
    this.rows = Math.max(1, Math.ceil(height / this.cell));
    this.cells = new Uint8Array(this.columns * this.rows);
    this.#budget = budget;
  }

  /** Whether a rectangle covers so much of the page that it is its background. */
  isGround(area: Area): boolean {
    const [left, bottom, right, top] = intersection(area, this.view);
    const whole = this.view[2] * this.view[3];
    return right > left && top > bottom && (right - left) * (top - bottom) >= 0.8 * whole;
  }

  /** Marks a rectangle of unknown content as text, or the page as partial if nearly all of it. */
  fillUnknown(area: Area): void {
    if (this.isGround(area)) this.isPartial = true;
    else this.fillArea(area, WORDS);
  }

  /** Marks each cell that the rectangle touches. */
  fillArea(area: Area, ink: Ink): void {
    const [left, bottom, right, top] = intersection(area, this.view);
    // Also false for NaN: meaningless numbers paint nothing.
    if (!(right >= left && top >= bottom)) return;
    const { cell, columns, rows, cells } = this;
    const first = Math.floor(left / cell);
    const last = Math.min(columns, Math.max(first + 1, Math.ceil(right / cell)));
    const from = Math.floor(bottom / cell);
    const to = Math.min(rows, Math.max(from + 1, Math.ceil(top / cell)));
    spend(this.#budget, 4 + (to - from) * (2 + ((last - first) >> 2)));
    for (let row = from; row < to; row++) {
      const end = row * columns + last;
      for (let at = row * columns + first; at < end; at++) cells[at] = (cells[at] as number) | ink;
    }
  }

  /** Marks the cells that a line of this width touches within `clip`. */
  strokeLine(x1: number, y1: number, x2: number, y2: number, width: number, clip: Area): void {
    const half = width / 2;
    const around = areaOfLine([x1, y1, x2, y2], half);
    const seen = intersection(intersection(around, clip), this.view);
    if (!(seen[2] >= seen[0] && seen[3] >= seen[1])) return;
    const isShort = seen[2] - seen[0] <= 2 * this.cell || seen[3] - seen[1] <= 2 * this.cell;
    if (isShort || x1 === x2 || y1 === y2) {
      this.fillArea(seen, MARKS);
      return;
    }
    const cut = clipLine([x1, y1, x2, y2], seen);
    if (cut === undefined) return;
    const [fromX, fromY, toX, toY] = cut;
    const longest = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY)) / this.cell;
    // Ends that are very far away are rounded to points outside the page.
    const steps = Math.min(Math.ceil(longest), CELLS) + 1;
    spend(this.#budget, steps);
    for (let step = 0; step <= steps; step++) {
      const x = fromX + ((toX - fromX) * step) / steps;
      const y = fromY + ((toY - fromY) * step) / steps;
      this.fillArea(intersection([x - half, y - half, x + half, y + half], seen), MARKS);
    }
  }

  /** Marks the inside and edges of closed paths, each a list x, y, x, y, …; holes remain free. */
  fillPaths(paths: readonly (readonly number[])[], isEvenOdd: boolean, clip: Area): void {
    const seen = intersection(clip, this.view);
    if (!(seen[2] > seen[0] && seen[3] > seen[1])) return;
    const crossings = new Map<number, number[]>();
    for (const path of paths) {
      const { length } = path;
      for (let at = 0; at < length; at += 2) {
        const [x1, y1] = [path[at] as number, path[at + 1] as number];
        const [x2, y2] = [path[(at + 2) % length] as number, path[(at + 3) % length] as number];
        if (!Number.isFinite(x1 + y1 + x2 + y2)) continue;
        this.strokeLine(x1, y1, x2, y2, 0, clip);
        this.#cross(crossings, [x1, y1, x2, y2], seen);
      }
    }
    for (const [row, found] of crossings) this.#fillRow(row, found, isEvenOdd, seen);
  }

  /** Records where an edge crosses the centre lines of rows: x, and the direction. */
  #cross(crossings: Map<number, number[]>, [x1, y1, x2, y2]: Area, seen: Area): void {
    if (y1 === y2) return;
    const { cell } = this;
    const [low, high] = y1 < y2 ? [y1, y2] : [y2, y1];
    const from = Math.ceil(Math.max(low, seen[1]) / cell - 0.5);
    const to = Math.ceil(Math.min(high, seen[3]) / cell - 0.5);
    spend(this.#budget, 8 + 8 * Math.max(0, to - from));
    for (let row = from; row < to; row++) {
      const y = (row + 0.5) * cell;
      const x = x1 + ((x2 - x1) * (y - y1)) / (y2 - y1);
      const found = crossings.get(row);
      if (found === undefined) crossings.set(row, [x, y1 < y2 ? 1 : -1]);
      else found.push(x, y1 < y2 ? 1 : -1);
    }
  }

  #fillRow(row: number, found: readonly number[], isEvenOdd: boolean, seen: Area): void {
    const order = Array.from({ length: found.length / 2 }, (_, index) => 2 * index);
    order.sort((a, b) => (found[a] as number) - (found[b] as number));
    spend(this.#budget, 8 * order.length);
    let winding = 0;
    for (const [index, at] of order.entries()) {
      winding += isEvenOdd ? 1 : (found[at + 1] as number);
      const isInside = isEvenOdd ? winding % 2 === 1 : winding !== 0;
      const next = order[index + 1];
      if (!isInside || next === undefined) continue;
      const y = (row + 0.5) * this.cell;
      const left = Math.max(found[at] as number, seen[0]);
      const right = Math.min(found[next] as number, seen[2]);
      if (right > left) this.fillArea([left, y, right, y], MARKS);
    }
  }
}

/** The part of a line inside a rectangle. */
function clipLine([x1, y1, x2, y2]: Area, [left, bottom, right, top]: Area): Area | undefined {
  const [dx, dy] = [x2 - x1, y2 - y1];
  let [from, to] = [0, 1];
  const sides = [
    [-dx, x1 - left],
    [dx, right - x1],
    [-dy, y1 - bottom],
    [dy, top - y1],
  ] as const;
  for (const [slope, distance] of sides) {
    if (slope === 0) {
      if (distance < 0) return undefined;
    } else if (slope < 0) from = Math.max(from, distance / slope);
    else to = Math.min(to, distance / slope);
  }
  if (!(from <= to)) return undefined;
  return [x1 + from * dx, y1 + from * dy, x1 + to * dx, y1 + to * dy];
}
