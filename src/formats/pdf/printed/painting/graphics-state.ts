import type { Area, Matrix } from '../matrix.ts';
import { type PrintFont, unknownFont } from '../print-font.ts';
import type { ColorKind } from './colors.ts';

/** State that `q` saves and `Q` restores. @spec ISO 32000-1 §8.4 */
export interface GraphicsState {
  /** Matrix from the space of the content to the displayed page. */
  matrix: Matrix;
  /** Outside of it nothing is painted. */
  clip: Area;
  fillKind: ColorKind;
  strokeKind: ColorKind;
  /** True for a colour that leaves no trace on white paper. */
  isFillBlank: boolean;
  isStrokeBlank: boolean;
  /** True for a pattern of tiles, which can hold anything. */
  isFillTiled: boolean;
  fillAlpha: number;
  strokeAlpha: number;
  lineWidth: number;
  font: PrintFont;
  fontSize: number;
  characterSpace: number;
  wordSpace: number;
  /** 1 is the usual width. */
  stretch: number;
  leading: number;
  rise: number;
}

/** The state at the beginning of a page. */
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
