/** Lines drawn by hand, cut to what is drawn. */
export interface StampDrawing {
  readonly width: number;
  readonly height: number;
  /** `x y x y …`, y from the top down. */
  readonly strokes: readonly (readonly number[])[];
}
