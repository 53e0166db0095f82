import type { Operand } from '../content-tokens.ts';
import { type PaintTarget, WORDS } from '../coverage.ts';
import { areaAround, combine, cornersOf, identity, isUpright, type Matrix } from '../matrix.ts';
import { type GlyphReach, usualHeights } from '../print-font.ts';
import { type PrintBudget, spend } from '../work.ts';
import type { GraphicsState } from './graphics-state.ts';

/** A wider gap, relative to the font size, ends a word. */
const GAP = 0.15;

/**
 * Marks the areas of text. Invisible text counts: it is the text of a scanned page, and searchable.
 *
 * @spec ISO 32000-1 §9.4
 */
export class TextPainter {
  readonly #coverage: PaintTarget;
  readonly #budget: PrintBudget;
  #text: Matrix = identity;
  #line: Matrix = identity;

  constructor(coverage: PaintTarget, budget: PrintBudget) {
    this.#coverage = coverage;
    this.#budget = budget;
  }

  /** `BT` and `Tm`. */
  setMatrix(matrix: Matrix): void {
    this.#text = matrix;
    this.#line = matrix;
  }

  /** `Td`: moves to the start of another line. */
  moveLine(x: number, y: number): void {
    this.setMatrix(combine([1, 0, 0, 1, x, y], this.#line));
  }

  /** `Tj` and `TJ`. */
  show(items: readonly Operand[], state: GraphicsState): void {
    for (const item of items) {
      if (typeof item === 'number') this.#advance((-item / 1000) * state.fontSize, state);
      else if (item instanceof Uint8Array) this.#showString(item, state);
    }
  }

  #advance(distance: number, { font, stretch }: GraphicsState): void {
    const [x, y] = font.isVertical ? [0, distance] : [distance * stretch, 0];
    const [a, b, c, d, e, f] = this.#text;
    this.#text = [a, b, c, d, a * x + c * y + e, b * x + d * y + f];
  }

  #showString(bytes: Uint8Array, state: GraphicsState): void {
    const { font, fontSize, characterSpace, wordSpace } = state;
    const isOneRun = !font.isVertical && isUpright(combine(this.#text, state.matrix));
    spend(this.#budget, 10 + 4 * bytes.length);
    let start: Matrix | undefined;
    let width = 0;
    const flush = (): void => {
      if (start !== undefined) this.#markRun(start, width, state);
      start = undefined;
      width = 0;
    };
    font.codes(bytes, (code, lengthBytes) => {
      const own = font.isVertical ? -fontSize : font.widthOf(code) * fontSize;
      const space = characterSpace + (code === 0x20 && lengthBytes === 1 ? wordSpace : 0);
      if (font.isBlank(code)) flush();
      else {
        this.#markGlyph(font.reachOf?.(code), state);
        start ??= this.#text;
        width += own;
        const isGap = Math.abs(space) > GAP * Math.abs(fontSize);
        if (!isOneRun || isGap) flush();
        else width += space;
      }
      this.#advance(own + space, state);
    });
    flush();
  }

  /** Marks what a glyph with a content stream paints, wherever that is. */
  #markGlyph(reach: GlyphReach, { fontSize, stretch, rise, matrix }: GraphicsState): void {
    if (reach === undefined) return;
    if (reach === 'unknown') {
      this.#coverage.isPartial = true;
      return;
    }
    const [left, bottom, right, top] = reach;
    const across = fontSize * stretch;
    const area = [left * across, rise + bottom * fontSize, right * across, rise + top * fontSize];
    const corners = cornersOf(
      area as [number, number, number, number],
      combine(this.#text, matrix),
    );
    this.#coverage.fillArea(areaAround(corners), WORDS);
  }

  /** Marks a run of adjacent letters from `start` on. */
  #markRun(start: Matrix, width: number, state: GraphicsState): void {
    const { font, fontSize, stretch, rise } = state;
    const matrix = combine(start, state.matrix);
    const { ascent, descent } = this.#isTooHigh(matrix, state) ? usualHeights : font;
    const bottom = rise + descent * fontSize;
    const top = rise + ascent * fontSize;
    const box = font.isVertical
      ? ([-fontSize / 2, -fontSize, fontSize / 2, 0] as const)
      : ([0, bottom, width * stretch, top] as const);
    this.#coverage.fillArea(areaAround(cornersOf(box, matrix)), WORDS);
  }

  /** A font box higher than the page gives no information about its letters. */
  #isTooHigh([, , c, d]: Matrix, { font, fontSize }: GraphicsState): boolean {
    const height = (font.ascent - font.descent) * Math.abs(fontSize);
    const { view } = this.#coverage;
    return height * Math.sqrt(c * c + d * d) > Math.max(view[2], view[3]);
  }
}
