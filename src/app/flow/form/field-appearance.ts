import { latin1Bytes } from '../../../base/bytes.ts';
import { roundTo } from '../../../base/round-to.ts';
import type { TrueTypeFont } from '../../../formats/font/index.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asNumber,
  asString,
  decodeText,
  inheritedEntry,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  PdfStream,
  pdfName,
} from '../../../formats/pdf/index.ts';
import { deflated, type ImportedFont, textWidth } from '../../../seal/appearance/index.ts';
import { wrapLines } from '../text-lines.ts';
import { refuseTemplate } from './form-fields.ts';

/** Typesetting of the text of a field. */
export interface FieldText {
  readonly text: string;
  readonly isMultiline: boolean;
  /** Number of cells of a comb field, which has one cell per character. */
  readonly cells?: number;
  /** 0 left, 1 centred, 2 right. */
  readonly alignment: number;
}

/** The box of a widget, and what is drawn under its text. */
interface FieldBox {
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  /** Operators that set the colour. */
  readonly background: string | undefined;
  readonly border: string | undefined;
  readonly borderWidth: number;
}

/** A text laid out in its field. */
interface FieldLayout {
  readonly box: FieldBox;
  /** Operator that sets the text colour. */
  readonly colour: string;
  readonly size: number;
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
}

const largestSize = 12;
const smallestSize = 4;
const sizeStep = 0.5;
const padding = 2;
const leading = 1.25;

/**
 * Lays out the text in a widget: at the font size of the field or, if it does not fit, at the
 * largest size that does. Undefined if it fits at none: no one must sign truncated text.
 *
 * @throws template.invalid if the widget has no valid rectangle
 */
export function layoutField(
  file: PdfFile,
  form: PdfDict,
  widget: PdfDict,
  field: FieldText,
  font: TrueTypeFont,
): FieldLayout | undefined {
  const box = boxOf(file, widget);
  const own = asString(inheritedEntry(file, widget, 'DA') ?? file.resolve(form.get('DA')));
  const style = own === undefined ? '' : decodeText(own);
  const colour = /((?:[\d.]+\s+){1,4}(?:g|rg|k))\b/.exec(style)?.[1] ?? '0 g';
  const stated = Number(/([\d.]+)\s+Tf/.exec(style)?.[1] ?? 0);
  const start = stated > 0 ? Math.min(stated, 200) : Math.min(largestSize, box.height * 0.75);
  for (let size = start; size >= Math.min(start, smallestSize); size -= sizeStep) {
    const lines = linesAt(field, font, size, box);
    if (lines !== undefined) return { box, colour, size, lines };
  }
  return undefined;
}

function linesAt(
  { text, isMultiline, cells, alignment }: FieldText,
  font: TrueTypeFont,
  size: number,
  { width, height }: FieldBox,
): FieldLayout['lines'] | undefined {
  const capital = (font.capHeight * size) / font.unitsPerEm;
  const middle = (height - capital) / 2;
  if (cells !== undefined) {
    const cell = width / cells;
    return [...text].map((character, index) => ({
      text: character,
      x: index * cell + (cell - textWidth(character, font, size)) / 2,
      y: middle,
    }));
  }
  const space = width - 2 * padding;
  const lines = isMultiline ? wrapLines(text, font, size, space) : [text.replaceAll('\n', ' ')];
  const widths = lines.map((line) => textWidth(line, font, size));
  const isTooHigh = isMultiline && lines.length * size * leading > height - padding;
  if (isTooHigh || widths.some((each) => each > space)) return undefined;
  const top = height - padding - (font.ascent * size) / font.unitsPerEm;
  return lines.map((line, index) => ({
    text: line,
    x: padding + ((space - (widths[index] as number)) * alignment) / 2,
    y: isMultiline ? top - index * size * leading : middle,
  }));
}

/**
 * The form XObject that shows a text in its widget.
 *
 * @spec ISO 32000-1 §12.7.3.3
 */
export function textAppearance(layout: FieldLayout, font: ImportedFont): PdfStream {
  const { box, colour, size, lines } = layout;
  const painted = lines.map(
    ({ text, x, y }) => `1 0 0 1 ${rounded(x)} ${rounded(y)} Tm ${font.encode(text)} Tj\n`,
  );
  const inner = `1 1 ${rounded(box.width - 2)} ${rounded(box.height - 2)} re W n`;
  const text = `BT\n${colour}\n/Text ${size} Tf\n${painted.join('')}ET\n`;
  return formOf(box, `${frameOf(box)}/Tx BMC\nq\n${inner}\n${text}Q\nEMC\n`, [
    ['Resources', new Map([['Font', new Map([['Text', font.reference]])]])],
  ]);
}

/**
 * Plain appearances for the states of a button that lacks one for its current state; undefined if
 * it has one.
 *
 * @spec ISO 32000-1 §12.7.4.2
 */
export function buttonStates(
  file: PdfFile,
  widget: PdfDict,
  onState: string,
  kind: 'checkbox' | 'radio',
): readonly (readonly [state: string, look: PdfStream])[] | undefined {
  const normal = asDict(file.resolve(asDict(file.resolve(widget.get('AP')))?.get('N')));
  const shown = asName(file.resolve(widget.get('AS')))?.value ?? 'Off';
  if (normal !== undefined && (shown === 'Off' || normal.has(shown))) return undefined;
  const box = boxOf(file, widget);
  const frame = frameOf(box);
  const [x, y, size] = [box.width / 2, box.height / 2, Math.min(box.width, box.height)];
  const at = (right: number, up: number) =>
    `${rounded(x + right * size)} ${rounded(y + up * size)}`;
  const tick = `q 0 G ${rounded(size * 0.1)} w ${at(-0.25, 0)} m ${at(-0.06, -0.2)} l`;
  // A zero-length line with round caps is a dot.
  const dot = `q 0 G 1 J ${rounded(size * 0.5)} w ${at(0, 0)} m ${at(0, 0)} l S Q\n`;
  const mark = kind === 'radio' ? dot : `${tick} ${at(0.28, 0.25)} l S Q\n`;
  return [
    [onState, formOf(box, `${frame}${mark}`, [])],
    ['Off', formOf(box, frame, [])],
  ];
}

function boxOf(file: PdfFile, widget: PdfDict): FieldBox {
  const rect = numbersOf(file, widget.get('Rect'));
  if (rect?.length !== 4) return refuseTemplate('a field of the form is not well-formed');
  const [left, bottom, right, top] = rect as [number, number, number, number];
  const looks = asDict(file.resolve(widget.get('MK')));
  const turned = asInteger(file.resolve(looks?.get('R'))) ?? 0;
  const rotation = ((turned % 360) + 360) % 360;
  const [across, up] = [Math.abs(right - left), Math.abs(top - bottom)];
  const isTurned = rotation === 90 || rotation === 270;
  const style = asDict(file.resolve(widget.get('BS')));
  return {
    width: isTurned ? up : across,
    height: isTurned ? across : up,
    rotation,
    background: colourOf(numbersOf(file, looks?.get('BG')), ['g', 'rg', 'k']),
    border: colourOf(numbersOf(file, looks?.get('BC')), ['G', 'RG', 'K']),
    borderWidth: asNumber(file.resolve(style?.get('W'))) ?? 1,
  };
}

function numbersOf(file: PdfFile, value: PdfObject | undefined): readonly number[] | undefined {
  const items = asArray(file.resolve(value));
  return items?.map((item) => asNumber(file.resolve(item)) ?? Number.NaN);
}

function formOf(
  { width, height, rotation }: FieldBox,
  content: string,
  entries: readonly [string, PdfObject][],
): PdfStream {
  const dict = new Map<string, PdfObject>([
    ['Type', pdfName('XObject')],
    ['Subtype', pdfName('Form')],
    ['BBox', [0, 0, width, height]],
    ['Matrix', matrixOf(rotation, width, height)],
    ...entries,
    ['Filter', pdfName('FlateDecode')],
  ]);
  return new PdfStream(dict, deflated(latin1Bytes(content)));
}

function matrixOf(rotation: number, width: number, height: number): readonly number[] {
  if (rotation === 90) return [0, 1, -1, 0, height, 0];
  if (rotation === 180) return [-1, 0, 0, -1, width, height];
  if (rotation === 270) return [0, -1, 1, 0, 0, width];
  return [1, 0, 0, 1, 0, 0];
}

function frameOf({ width, height, background, border, borderWidth }: FieldBox): string {
  const box = (inset: number) => {
    const sides = [inset, inset, width - 2 * inset, height - 2 * inset];
    return `${sides.map(rounded).join(' ')} re`;
  };
  return [
    background === undefined ? '' : `q ${background} ${box(0)} f Q\n`,
    border === undefined || borderWidth <= 0
      ? ''
      : `q ${border} ${borderWidth} w ${box(borderWidth / 2)} S Q\n`,
  ].join('');
}

function colourOf(
  numbers: readonly number[] | undefined,
  operators: readonly [string, string, string],
): string | undefined {
  if (numbers === undefined || numbers.some((each) => !(each >= 0 && each <= 1))) return undefined;
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[numbers.length];
  return operator === undefined ? undefined : `${numbers.join(' ')} ${operator}`;
}

const rounded = (value: number): number => roundTo(value, 2);
