/** An affine map: `x' = a·x + c·y + e`, `y' = b·x + d·y + f`. @spec ISO 32000-1 §8.3.3 */
export type Matrix = readonly [number, number, number, number, number, number];

/** Left, bottom, right, top. */
export type Area = readonly [number, number, number, number];

/** The identity map. */
export const identity: Matrix = [1, 0, 0, 1, 0, 0];

/** First `inner`, then `outer`. */
export function combine(inner: Matrix, outer: Matrix): Matrix {
  const [a, b, c, d, e, f] = inner;
  const [A, B, C, D, E, F] = outer;
  return [
    a * A + b * C,
    a * B + b * D,
    c * A + d * C,
    c * B + d * D,
    e * A + f * C + E,
    e * B + f * D + F,
  ];
}

/** The four corners of a rectangle after the map: x, y, x, y, … */
export function cornersOf([left, bottom, right, top]: Area, matrix: Matrix): readonly number[] {
  const [a, b, c, d, e, f] = matrix;
  return [
    a * left + c * bottom + e,
    b * left + d * bottom + f,
    a * right + c * bottom + e,
    b * right + d * bottom + f,
    a * right + c * top + e,
    b * right + d * top + f,
    a * left + c * top + e,
    b * left + d * top + f,
  ];
}

/** The smallest upright rectangle around points; NaN if a coordinate is NaN. */
export function areaAround(points: readonly number[]): Area {
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let at = 0; at + 1 < points.length; at += 2) {
    const x = points[at] as number;
    const y = points[at + 1] as number;
    left = Math.min(left, x);
    right = Math.max(right, x);
    bottom = Math.min(bottom, y);
    top = Math.max(top, y);
  }
  return [left, bottom, right, top];
}

/** The upright rectangle around a line, with `margin` on each side. */
export function areaOfLine([x1, y1, x2, y2]: Area, margin: number): Area {
  return [
    Math.min(x1, x2) - margin,
    Math.min(y1, y2) - margin,
    Math.max(x1, x2) + margin,
    Math.max(y1, y2) + margin,
  ];
}

/** The intersection of two rectangles; without a positive width or height if they are disjoint. */
export function intersection(a: Area, b: Area): Area {
  return [Math.max(a[0], b[0]), Math.max(a[1], b[1]), Math.min(a[2], b[2]), Math.min(a[3], b[3])];
}

/** Whether rectangles remain upright, possibly rotated by a multiple of 90°, and not slanted. */
export function isUpright([a, b, c, d]: Matrix): boolean {
  const slack = 1e-3 * (Math.abs(a) + Math.abs(b) + Math.abs(c) + Math.abs(d));
  return (
    (Math.abs(b) <= slack && Math.abs(c) <= slack) || (Math.abs(a) <= slack && Math.abs(d) <= slack)
  );
}
