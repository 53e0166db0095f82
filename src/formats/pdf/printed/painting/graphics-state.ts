import type { Area, Matrix } from '../matrix.ts';
import { type PrintFont, unknownFont } from '../print-font.ts';
import type { ColorKind } from './colors.ts';

/** State that `q` saves and `Q` restores. @spec ISO 32000-1 §8.4 */
export interface GraphicsState {
  /** Matrix from content space to the displayed page. */
  matrix: Matrix;
  /** Nothing is painted outside it. */
  clip: Area;
  fillKind: ColorKind;
  strokeKind: ColorKind;
  /** True for a colour that is invisible on white paper. */
  isFillBlank: boolean;
  isStrokeBlank: boolean;
  /** True for a tiling pattern, which can contain anything. */
  isFillTiled: boolean;
  fillAlpha: number;
  strokeAlpha: number;
  lineWidth: number;
  font: PrintFont;
  fontSize: number;
  characterSpace: number;
  wordSpace: number;
  /** Horizontal scaling; 1 is normal width. */
  stretch: number;
  leading: number;
  rise: number;
}

/** The state at the start of a page. */
export function initialState(matrix: Matrix, clip: Area): GraphicsState {
  return {
    matrix,
    clip,
    fillKind: 'light',
    strokeKind: 'light',
    isFillBlank: false,
    isStrokeBlank: false,
    isFillTiled: false,
    fillAlpha: 1,
    strokeAlpha: 1,
    lineWidth: 1,
    font: unknownFont,
    fontSize: 0,
    characterSpace: 0,
    wordSpace: 0,
    stretch: 1,
    leading: 0,
    rise: 0,
  };
}
