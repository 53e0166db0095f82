import { InnsigliError } from '../../base/errors.ts';
import { invalid, refuse } from '../../base/input.ts';
import { limits } from '../../base/limits.ts';

/** A hand-drawn signature. */
export interface Drawing {
  /** The strokes in drawing order: `x y x y …`, with y from top to bottom. */
  readonly strokes: readonly (readonly number[])[];
}

/** Size of the drawing area. Coordinates are integers starting at 0. */
export const drawingArea = { width: 900, height: 300 } as const;

/** Minimum extent of a drawing, in width or height: anything smaller is accidental. */
const LEAST_SIDE = 30;

/**
 * Parses a drawing: a JSON list of strokes, each a list of numbers.
 *
 * @throws validation.error
 */
export function parseDrawing(text: string): Drawing {
  const { drawingBytes } = limits;
  if (text.length > drawingBytes) {
    refuse('drawing', `at most ${drawingBytes} bytes`, `${text.length} bytes`);
  }
  try {
    return requireDrawing({ strokes: JSON.parse(text) as unknown });
  } catch (error) {
    if (error instanceof InnsigliError) throw error;
    return invalid('drawing', 'expected a JSON list of lines');
  }
}

/**
 * Validates a drawing and its limits, and returns a copy.
 *
 * @throws validation.error
 */
export function requireDrawing(value: { readonly strokes: unknown }): Drawing {
  const { strokes } = value;
  const { drawingStrokes, drawingPoints } = limits;
  if (!Array.isArray(strokes)) return invalid('drawing', 'expected a list of lines');
  if (strokes.length === 0 || strokes.length > drawingStrokes) {
    refuse('drawing', `1 to ${drawingStrokes} lines`, strokes.length);
  }
  let left = drawingPoints;
  // Callers may pass sparse arrays: unlike `map`, this visits their holes.
  const own = Array.from(strokes, (stroke: unknown) => {
    if (!Array.isArray(stroke) || stroke.length === 0 || stroke.length % 2 !== 0) {
      return invalid('drawing', 'expected a line of pairs of numbers');
    }
    left -= stroke.length / 2;
    if (left < 0) return invalid('drawing', `expected at most ${drawingPoints} points, found more`);
    return Array.from(stroke, requireCoordinate);
  });
  requireExtent(own);
  return { strokes: own };
}

function requireCoordinate(value: unknown, at: number): number {
  const most = at % 2 === 0 ? drawingArea.width : drawingArea.height;
  const isFit = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
  return isFit ? value : invalid('drawing', `expected whole numbers from 0 to ${most}`);
}

function requireExtent(strokes: readonly (readonly number[])[]): void {
  const all = strokes.flat();
  const spans = [0, 1].map((axis) => {
    const values = all.filter((_, at) => at % 2 === axis);
    return Math.max(...values) - Math.min(...values);
  });
  if (Math.max(...spans) >= LEAST_SIDE) return;
  invalid('drawing', `expected a drawing of at least ${LEAST_SIDE} units, found a smaller one`);
}
