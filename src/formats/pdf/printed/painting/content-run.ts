import {
  asArray,
  asDict,
  asNumber,
  asStream,
  type PdfDict,
  PdfName,
  type PdfObject,
} from '../../syntax/objects.ts';
import type { Operand } from '../content-tokens.ts';
import { MARKS, type PaintTarget } from '../coverage.ts';
import { combine, identity } from '../matrix.ts';
import type { PrintSource } from '../print-source.ts';
import type { PrintBudget } from '../work.ts';
import { isWhite } from './colors.ts';
import type { GraphicsState } from './graphics-state.ts';
import { areNumbers, asMatrix, numberAt, operandsOf } from './operands.ts';
import { deviceColors, paintings, pathOperands } from './operators.table.ts';
import { PathPainter } from './path-painter.ts';
import { TextPainter } from './text-painter.ts';

/** Maximum number of states saved by `q`. */
const STATES = 2_048;

/** Execution of one content stream with its state, except XObjects and inline images. */
export class ContentRun {
  /** Current graphics state. */
  state: GraphicsState;
  readonly #resources: PdfDict | undefined;
  readonly #source: PrintSource;
  readonly #coverage: PaintTarget;
  readonly #paths: PathPainter;
  readonly #text: TextPainter;
  readonly #saved: GraphicsState[] = [];

  constructor(
    resources: PdfDict | undefined,
    first: GraphicsState,
    source: PrintSource,
    coverage: PaintTarget,
    budget: PrintBudget,
  ) {
    this.state = { ...first };
    this.#resources = resources;
    this.#source = source;
    this.#coverage = coverage;
    this.#paths = new PathPainter(coverage, budget);
    this.#text = new TextPainter(coverage, budget);
  }

  /** Executes one operator. */
  apply(operator: string, given: readonly Operand[]): void {
    const operands = operandsOf(operator, given);
    if (operands === undefined) return;
    if (this.#applyPath(operator, operands)) return;
    if (this.#applyText(operator, operands)) return;
    if (this.#applyColor(operator, operands)) return;
    const { state } = this;
    switch (operator) {
      case 'q':
        if (this.#saved.length < STATES) this.#saved.push({ ...state });
        else this.#coverage.isPartial = true;
        return;
      case 'Q':
        this.state = this.#saved.pop() ?? state;
        return;
      case 'cm':
        state.matrix = combine(asMatrix(operands) ?? identity, state.matrix);
        return;
      case 'w':
        state.lineWidth = numberAt(operands, 0) ?? state.lineWidth;
        return;
      case 'gs':
        this.#applyParameters(operands[0]);
        return;
      case 'sh':
        // A shading fills the current clip.
        if (state.fillAlpha !== 0 && !this.#coverage.isGround(state.clip)) {
          this.#coverage.fillArea(state.clip, MARKS);
        }
    }
  }

  #applyPath(operator: string, operands: readonly Operand[]): boolean {
    const paths = this.#paths;
    const { state } = this;
    const painting = paintings.get(operator);
    if (painting !== undefined) {
      if (painting.close === true) paths.close();
      paths.paint(state, painting);
      return true;
    }
    const wanted = pathOperands.get(operator);
    if (wanted === undefined) return false;
    const numbers = wanted === 0 ? [] : operands.slice(-wanted);
    if (!areNumbers(numbers, wanted)) return true;
    const [x = 0, y = 0, width = 0, height = 0] = numbers;
    if (operator === 'm') paths.move(x, y, state.matrix);
    else if (operator === 'l') paths.line(x, y, state.matrix);
    else if (operator === 're') paths.rectangle([x, y, width, height], state.matrix);
    else if (operator === 'c') paths.curve(numbers, state.matrix);
    else if (operator === 'v') paths.curve(numbers, state.matrix, true);
    else if (operator === 'y') paths.curve([...numbers, width, height], state.matrix);
    else if (operator === 'h') paths.close();
    else paths.clip();
    return true;
  }

  #applyText(operator: string, operands: readonly Operand[]): boolean {
    const { state } = this;
    const text = this.#text;
    const number = (index: number): number => numberAt(operands, index) ?? 0;
    const next = (): void => text.moveLine(0, -state.leading);
    switch (operator) {
      case 'BT':
        text.setMatrix(identity);
        return true;
      case 'Tf': {
        const [name] = operands;
        const dict = name instanceof PdfName ? this.#font(name.value) : undefined;
        state.font = this.#source.font(dict);
        state.fontSize = number(1);
        return true;
      }
      case 'Tc':
        state.characterSpace = number(0);
        return true;
      case 'Tw':
        state.wordSpace = number(0);
        return true;
      case 'Tz':
        state.stretch = number(0) / 100;
        return true;
      case 'TL':
        state.leading = number(0);
        return true;
      case 'Ts':
        state.rise = number(0);
        return true;
      case 'TD':
        state.leading = -number(1);
        text.moveLine(number(0), number(1));
        return true;
      case 'Td':
        text.moveLine(number(0), number(1));
        return true;
      case 'Tm':
        text.setMatrix(asMatrix(operands) ?? identity);
        return true;
      case 'T*':
        next();
        return true;
      case '"':
        state.wordSpace = number(0);
        state.characterSpace = number(1);
        next();
        text.show(operands.slice(2), state);
        return true;
      case "'":
        next();
        text.show(operands, state);
        return true;
      case 'Tj':
        text.show(operands, state);
        return true;
      case 'TJ':
        if (Array.isArray(operands[0])) text.show(operands[0] as readonly Operand[], state);
        return true;
      default:
        return false;
    }
  }

  #font(name: string): PdfObject {
    return this.#source.find(this.#resources, 'Font', name);
  }

  #applyColor(operator: string, operands: readonly Operand[]): boolean {
    const { state } = this;
    const device = deviceColors.get(operator.toLowerCase());
    const isStroke = operator === operator.toUpperCase();
    if (device !== undefined) this.#setColor(isStroke, device, isWhite(device, operands));
    else if (/^SCN?$/i.test(operator)) {
      const kind = isStroke ? state.strokeKind : state.fillKind;
      this.#setColor(isStroke, kind, isWhite(kind, operands));
      if (!isStroke) state.isFillTiled = this.#isTiled(operands.at(-1));
    } else if (operator === 'cs' || operator === 'CS') {
      const [name] = operands;
      if (!(name instanceof PdfName)) return true;
      this.#setColor(isStroke, this.#source.colorKind(this.#resources, name), false);
    } else return false;
    return true;
  }

  #setColor(isStroke: boolean, kind: GraphicsState['fillKind'], isBlank: boolean): void {
    if (isStroke) Object.assign(this.state, { strokeKind: kind, isStrokeBlank: isBlank });
    else Object.assign(this.state, { fillKind: kind, isFillBlank: isBlank, isFillTiled: false });
  }

  /** Whether the name is that of a tiling pattern. @spec ISO 32000-1 §8.7.3 */
  #isTiled(name: Operand | undefined): boolean {
    if (!(name instanceof PdfName)) return false;
    return asStream(this.#source.find(this.#resources, 'Pattern', name.value)) !== undefined;
  }

  /** `gs`. @spec ISO 32000-1 §8.4.5 */
  #applyParameters(name: Operand | undefined): void {
    if (!(name instanceof PdfName)) return;
    const source = this.#source;
    const { state } = this;
    const dict = asDict(source.find(this.#resources, 'ExtGState', name.value));
    if (dict === undefined) return;
    state.fillAlpha = asNumber(source.resolve(dict.get('ca'))) ?? state.fillAlpha;
    state.strokeAlpha = asNumber(source.resolve(dict.get('CA'))) ?? state.strokeAlpha;
    state.lineWidth = asNumber(source.resolve(dict.get('LW'))) ?? state.lineWidth;
    const [font, size] = asArray(source.resolve(dict.get('Font'))) ?? [];
    if (font === undefined) return;
    state.font = source.font(font);
    state.fontSize = asNumber(source.resolve(size)) ?? state.fontSize;
  }
}
