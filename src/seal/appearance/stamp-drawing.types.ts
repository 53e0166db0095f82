/** A freehand drawing, cropped to its lines. */
export interface StampDrawing {
  readonly width: number;
  readonly height: number;
  /** `x y x y …`, with y increasing downwards. */
  readonly strokes: readonly (readonly number[])[];
}
