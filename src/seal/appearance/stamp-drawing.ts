import type { PDFOperator } from 'pdf-lib';
import { roundTo } from '../../base/round-to.ts';
import type { PdfKit } from './pdf-kit.ts';
import type { StampDrawing } from './stamp-drawing.types.ts';
import type { Area } from './stamp-layout.ts';

type Point = readonly [x: number, y: number];

/** Minimum size of a drawing, so that a short dash is not magnified. */
const LEAST_WIDTH = 240;
const LEAST_HEIGHT = 90;
/** Space for half the line width at the edges. */
const MARGIN = 12;
/** Line width relative to the height of the area, and its bounds in points. */
const [PEN, THINNEST, THICKEST] = [1 / 26, 0.6, 2.4];

/** Crops a drawing to its lines. */
export function cutDrawing(strokes: readonly (readonly number[])[]): StampDrawing {
  const all = strokes.flatMap(pointsOf);
  const [left, width] = spanOf(
    all.map(([x]) => x),
    LEAST_WIDTH,
  );
  const [top, height] = spanOf(
    all.map(([, y]) => y),
    LEAST_HEIGHT,
  );
  const moved = strokes.map((each) => pointsOf(each).flatMap(([x, y]) => [x - left, y - top]));
  return { width, height, strokes: moved };
}

function spanOf(values: readonly number[], least: number): [start: number, length: number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const length = Math.max(least, high - low) + 2 * MARGIN;
  return [(low + high - length) / 2, length];
}

/** The operators that draw the lines into an area. The stroking colour must already be set. */
export function paintStrokes(kit: PdfKit, place: Area, drawing: StampDrawing): PDFOperator[] {
  const scale = place.width / drawing.width;
  const pen = Math.min(THICKEST, Math.max(THINNEST, place.height * PEN));
  const on = ([x, y]: Point): Point => [
    roundTo(place.x + x * scale, 2),
    roundTo(place.y + place.height - y * scale, 2),
  ];
  return [
    kit.setLineWidth(roundTo(pen, 2)),
    kit.setLineCap(kit.LineCapStyle.Round),
    kit.setLineJoin(kit.LineJoinStyle.Round),
    ...drawing.strokes.flatMap((stroke) => paintStroke(kit, smoothed(pointsOf(stroke)).map(on))),
    kit.stroke(),
  ];
}

/** A curve through all points. A single point becomes a dot of the round pen. */
function paintStroke(kit: PdfKit, points: readonly Point[]): PDFOperator[] {
  const [first] = points;
  if (first === undefined) return [];
  const operators = [kit.moveTo(...first)];
  if (points.length < 2) return [...operators, kit.lineTo(...first)];
  const at = (index: number) => points[Math.min(points.length - 1, Math.max(0, index))] ?? first;
  for (let index = 0; index + 1 < points.length; index++) {
    const [from, to] = [at(index), at(index + 1)];
    const leaving = toward(from, at(index - 1), to, 1);
    const arriving = toward(to, from, at(index + 2), -1);
    operators.push(kit.appendBezierCurve(...leaving, ...arriving, ...to));
  }
  return operators;
}

/** Control point next to `point`, parallel to the line between its neighbours (Catmull and Rom). */
function toward([x, y]: Point, before: Point, after: Point, side: 1 | -1): Point {
  const [dx, dy] = [after[0] - before[0], after[1] - before[1]];
  return [roundTo(x + (side * dx) / 6, 2), roundTo(y + (side * dy) / 6, 2)];
}

/** Removes repeated points, and averages out the tremor of the hand. */
function smoothed(points: readonly Point[]): readonly Point[] {
  const own = points.filter(([x, y], at) => {
    const before = points[at - 1];
    return before === undefined || before[0] !== x || before[1] !== y;
  });
  return own.map((point, at) => {
    const [before, after] = [own[at - 1], own[at + 1]];
    if (before === undefined || after === undefined) return point;
    return [(before[0] + 2 * point[0] + after[0]) / 4, (before[1] + 2 * point[1] + after[1]) / 4];
  });
}

function pointsOf(stroke: readonly number[]): readonly Point[] {
  return Array.from({ length: stroke.length / 2 }, (_, at) => [
    stroke[2 * at] ?? 0,
    stroke[2 * at + 1] ?? 0,
  ]);
}
