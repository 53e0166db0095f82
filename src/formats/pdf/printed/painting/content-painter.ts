import {
  asDict,
  asName,
  asStream,
  type PdfDict,
  PdfName,
  type PdfStream,
} from '../../syntax/objects.ts';
import { ContentTokens, type Operand } from '../content-tokens.ts';
import { MARKS, type PaintTarget, WORDS } from '../coverage.ts';
import { inlineImageBytes } from '../inline-image.ts';
import {
  type Area,
  areaAround,
  combine,
  cornersOf,
  identity,
  intersection,
  isUpright,
  type Matrix,
} from '../matrix.ts';
import type { PrintSource } from '../print-source.ts';
import { type PrintBudget, spend } from '../work.ts';
import { ContentRun } from './content-run.ts';
import { type GraphicsState, initialState } from './graphics-state.ts';
import { areaOf, matrixOf } from './operands.ts';
import { clipTo } from './path-painter.ts';

/** Maximum nesting depth of forms. */
const DEPTH = 24;
/** Cost of a byte of content and of an operator, in steps. */
const OCTET = 2;
const OPERATOR = 20;

/** Executes content streams and marks what they paint. */
export class ContentPainter {
  readonly #source: PrintSource;
  readonly #coverage: PaintTarget;
  readonly #budget: PrintBudget;
  readonly #running = new Set<PdfStream>();

  constructor(source: PrintSource, coverage: PaintTarget, budget: PrintBudget) {
    this.#source = source;
    this.#coverage = coverage;
    this.#budget = budget;
  }

  /** Runs a content stream. @throws limit.exceeded, pdf.stream.invalid, pdf.filter.unsupported */
  paint(content: Uint8Array, resources: PdfDict | undefined, matrix: Matrix): void {
    this.#run(content, resources, initialState(matrix, this.#coverage.view));
  }

  /** Paints a form; a form nested in itself paints nothing, as in viewers. */
  paintForm(
    form: PdfStream,
    resources: PdfDict | undefined,
    matrix: Matrix,
    clip: Area = this.#coverage.view,
  ): void {
    this.#runForm(form, resources, initialState(matrix, clip));
  }

  #runForm(form: PdfStream, inherited: PdfDict | undefined, outer: GraphicsState): void {
    if (this.#running.has(form)) return;
    if (this.#running.size >= DEPTH) {
      this.#coverage.isPartial = true;
      return;
    }
    const source = this.#source;
    const { dict } = form;
    const own = matrixOf(source.resolve(dict.get('Matrix')), source) ?? identity;
    const matrix = combine(own, outer.matrix);
    const box = areaOf(source.resolve(dict.get('BBox')), source);
    const clip = box === undefined ? outer.clip : clipTo(outer.clip, box, matrix);
    const resources = asDict(source.resolve(dict.get('Resources'))) ?? inherited;
    const content = source.decode(form);
    if (content === undefined) {
      // Damaged content may paint anywhere in its box.
      this.#coverage.fillUnknown(clip);
      return;
    }
    this.#running.add(form);
    try {
      this.#run(content, resources, { ...outer, matrix, clip });
    } finally {
      this.#running.delete(form);
    }
  }

  #run(content: Uint8Array, resources: PdfDict | undefined, first: GraphicsState): void {
    spend(this.#budget, OCTET * content.length);
    const tokens = new ContentTokens(content);
    const run = new ContentRun(resources, first, this.#source, this.#coverage, this.#budget);
    for (let operator = tokens.next(); operator !== undefined; operator = tokens.next()) {
      spend(this.#budget, OPERATOR);
      if (operator === 'Do') this.#paintObject(tokens.operands, resources, run.state);
      else if (operator === 'ID') {
        tokens.skipImageData(inlineImageBytes(tokens.operands));
        this.#paintImage(run.state);
      } else if (operator === 'EI') {
        // The assumed end of the image was incorrect.
        this.#coverage.isPartial = true;
      } else run.apply(operator, tokens.operands);
    }
    if (tokens.isBroken) this.#coverage.isPartial = true;
  }

  #paintObject(
    operands: readonly Operand[],
    resources: PdfDict | undefined,
    state: GraphicsState,
  ): void {
    const name = operands.at(-1);
    if (!(name instanceof PdfName)) return;
    const object = this.#source.find(resources, 'XObject', name.value);
    const stream = asStream(object);
    const kind = asName(this.#source.resolve(stream?.dict.get('Subtype')))?.value;
    if (kind === 'Image') this.#paintImage(state);
    else if (stream !== undefined && kind === 'Form') this.#runForm(stream, resources, state);
  }

  /** Marks a rectangle whose content is unknown. */
  paintBox(box: Area, matrix: Matrix): void {
    this.#coverage.fillArea(areaAround(cornersOf(box, matrix)), WORDS);
  }

  /** An image fills the unit square. */
  #paintImage({ matrix, clip, fillAlpha }: GraphicsState): void {
    if (fillAlpha === 0) return;
    const corners = cornersOf([0, 0, 1, 1], matrix);
    const area = intersection(areaAround(corners), clip);
    if (this.#coverage.isGround(area)) this.#coverage.isPicture = true;
    else if (isUpright(matrix)) this.#coverage.fillArea(area, MARKS);
    else this.#coverage.fillPaths([corners], false, clip);
  }
}
