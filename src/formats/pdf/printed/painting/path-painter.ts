import { MARKS, type PaintTarget } from '../coverage.ts';
import {
  type Area,
  areaAround,
  cornersOf,
  intersection,
  isUpright,
  type Matrix,
} from '../matrix.ts';
import { type PrintBudget, spend } from '../work.ts';
import type { GraphicsState } from './graphics-state.ts';

/** Maximum number of points of one path: far more than a drawing has. */
const POINTS = 400_000;
/** Number of straight segments that approximate a curve. */
const PIECES = 8;

interface SubPath {
  readonly points: number[];
  isClosed: boolean;
  /** Whether it was created by `re` under a transformation without slant. */
  readonly isRectangle: boolean;
}

/** Builds paths and marks what they paint. Points are stored in view space. */
export class PathPainter {
  readonly #coverage: PaintTarget;
  readonly #budget: PrintBudget;
  #paths: SubPath[] = [];
  #count = 0;
  #clipsNext = false;

  constructor(coverage: PaintTarget, budget: PrintBudget) {
    this.#coverage = coverage;
    this.#budget = budget;
  }

  /** `m` */
  move(x: number, y: number, matrix: Matrix): void {
    this.#paths.push({ points: [], isClosed: false, isRectangle: false });
    this.#add(x, y, matrix);
  }

  /** `l` */
  line(x: number, y: number, matrix: Matrix): void {
    if (this.#paths.length === 0) this.move(x, y, matrix);
    else this.#add(x, y, matrix);
  }

  /** `c`, `v` and `y`; `startsHere` if the first control point is the current point. */
  curve(points: readonly number[], matrix: Matrix, startsHere = false): void {
    const own = this.#paths.at(-1)?.points;
    if (own === undefined || own.length < 2) return;
    const [x0, y0] = [own.at(-2) as number, own.at(-1) as number];
    const ends = toView(points, matrix);
    const [x1, y1, x2, y2, x3, y3] = startsHere ? [x0, y0, ...ends] : ends;
    if (x1 === undefined || y1 === undefined || x2 === undefined) return;
    if (y2 === undefined || x3 === undefined || y3 === undefined) return;
    for (let piece = 1; piece <= PIECES; piece++) {
      const t = piece / PIECES;
      const u = 1 - t;
      const weights = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t] as const;
      own.push(
        weights[0] * x0 + weights[1] * x1 + weights[2] * x2 + weights[3] * x3,
        weights[0] * y0 + weights[1] * y1 + weights[2] * y2 + weights[3] * y3,
      );
    }
    this.#charge(PIECES);
  }

  /** `re` */
  rectangle(
    [x, y, width, height]: readonly [number, number, number, number],
    matrix: Matrix,
  ): void {
    const points = [...cornersOf([x, y, x + width, y + height], matrix)];
    this.#paths.push({ points, isClosed: true, isRectangle: isUpright(matrix) });
    this.#charge(4);
  }

  /** `h` */
  close(): void {
    const path = this.#paths.at(-1);
    if (path === undefined) return;
    path.isClosed = true;
  }

  /** `W` and `W*`: the next painting operator reduces the clip. */
  clip(): void {
    this.#clipsNext = true;
  }

  /** Marks what is painted, and starts a new path. */
  paint(state: GraphicsState, how: { fill?: boolean; stroke?: boolean; evenOdd?: boolean }): void {
    if (how.fill === true) this.#fill(state, how.evenOdd === true);
    if (how.stroke === true) this.#stroke(state);
    // In some viewers a path without points does not clip.
    if (this.#clipsNext && this.#count > 0) {
      const inside = this.#paths.map(({ points }) => areaAround(points));
      const all = areaAround(inside.flatMap((area) => [...area]));
      state.clip = intersection(state.clip, all);
    }
    this.#clipsNext = false;
    this.#paths = [];
    this.#count = 0;
  }

  #fill(state: GraphicsState, isEvenOdd: boolean): void {
    if (state.isFillBlank || state.fillAlpha === 0) return;
    const { clip } = state;
    const [first, ...more] = this.#paths;
    if (first?.isRectangle && more.length === 0) {
      const area = intersection(areaAround(first.points), clip);
      // A page background counts as paper.
      if (!this.#coverage.isGround(area)) this.#coverage.fillArea(area, MARKS);
      else if (state.isFillTiled) this.#coverage.isPicture = true;
      return;
    }
    const paths = this.#paths.map(({ points }) => points);
    if (isQuad(first) && more.length === 0) {
      const area = intersection(areaAround(paths[0] as number[]), clip);
      if (this.#coverage.isGround(area)) {
        if (state.isFillTiled) this.#coverage.isPicture = true;
        return;
      }
    }
    this.#coverage.fillPaths(paths, isEvenOdd, clip);
  }

  #stroke(state: GraphicsState): void {
    if (state.isStrokeBlank || state.strokeAlpha === 0) return;
    const [a, b, c, d] = state.matrix;
    const width = state.lineWidth * Math.sqrt(Math.abs(a * d - b * c));
    for (const { points, isClosed } of this.#paths) {
      const last = isClosed ? points.length : points.length - 2;
      spend(this.#budget, 2 * points.length);
      for (let at = 0; at < last; at += 2) {
        const next = (at + 2) % points.length;
        const [x1, y1] = [points[at] as number, points[at + 1] as number];
        const [x2, y2] = [points[next] as number, points[next + 1] as number];
        this.#coverage.strokeLine(x1, y1, x2, y2, width, state.clip);
      }
    }
  }

  #add(x: number, y: number, matrix: Matrix): void {
    this.#paths.at(-1)?.points.push(...toView([x, y], matrix));
    this.#charge(1);
  }

  #charge(points: number): void {
    this.#count += points;
    spend(this.#budget, this.#count > POINTS ? Infinity : 4 * points);
  }
}

/** Whether a path has four corners drawn by lines; a fifth point may close it. */
function isQuad(path: SubPath | undefined): boolean {
  return path !== undefined && (path.points.length === 8 || path.points.length === 10);
}

function toView(points: readonly number[], [a, b, c, d, e, f]: Matrix): number[] {
  const seen: number[] = [];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const [x, y] = [points[at] as number, points[at + 1] as number];
    seen.push(a * x + c * y + e, b * x + d * y + f);
  }
  return seen;
}

/** The clip in view space, reduced to a box in the space of `matrix`. */
export function clipTo(clip: Area, box: Area, matrix: Matrix): Area {
  return intersection(clip, areaAround(cornersOf(box, matrix)));
}
