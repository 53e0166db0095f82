import type { PDFArray, PDFRef, PDFWidgetAnnotation } from 'pdf-lib';
import { roundTo } from '../../../base/round-to.ts';
import type { TrueTypeFont } from '../../../formats/font/index.ts';
import {
  type EmbeddedFont,
  flateStream,
  type PdfContext,
  type PdfKit,
} from '../../../seal/appearance/index.ts';

/** How the text of a field is shown. */
export interface FieldText {
  readonly text: string;
  readonly isMultiline: boolean;
  /** Number of cells, for a field with one cell a character. */
  readonly cells?: number;
  /** 0 left, 1 centred, 2 right. */
  readonly alignment: number;
  /** Default appearance string of the field. */
  readonly style: string;
}

/** A text with its place in a field. */
interface FieldLayout {
  readonly width: number;
  readonly height: number;
  readonly rotation: number;
  readonly size: number;
  readonly lines: readonly { readonly text: string; readonly x: number; readonly y: number }[];
}

const largestSize = 12;
const smallestSize = 4;
const sizeStep = 0.5;
const padding = 2;
const leading = 1.25;

/**
 * Where the text stands in the field: at the size of the field or, where it does not fit, at the
 * largest one that does. Undefined when it does not fit at any: nobody shall sign a text that is
 * cut off.
 */
export function layoutField(
  field: FieldText,
  widget: PDFWidgetAnnotation,
  font: TrueTypeFont,
): FieldLayout | undefined {
  const rectangle = widget.getRectangle();
  const rotation =
    (((widget.getAppearanceCharacteristics()?.getRotation() ?? 0) % 360) + 360) % 360;
  const isTurned = rotation === 90 || rotation === 270;
  const width = Math.abs(isTurned ? rectangle.height : rectangle.width);
  const height = Math.abs(isTurned ? rectangle.width : rectangle.height);
  const wished = Number(/([\d.]+)\s+Tf/.exec(field.style)?.[1] ?? 0);
  const start = wished > 0 ? Math.min(wished, 200) : Math.min(largestSize, height * 0.75);
  for (let size = start; size >= Math.min(start, smallestSize); size -= sizeStep) {
    const lines = linesAt(field, font, size, width, height);
    if (lines !== undefined) return { width, height, rotation, size, lines };
  }
  return undefined;
}

function linesAt(
  { text, isMultiline, cells, alignment }: FieldText,
  font: TrueTypeFont,
  size: number,
  width: number,
  height: number,
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

/** Gives the widget the appearance of `layout`. @spec ISO 32000-1 §12.7.3.3 */
export function drawField(
  kit: PdfKit,
  context: PdfContext,
  widget: PDFWidgetAnnotation,
  layout: FieldLayout,
  style: string,
  embedded: EmbeddedFont,
): void {
  const { width, height, rotation, size, lines } = layout;
  const colour = /((?:[\d.]+\s+){1,4}(?:g|rg|k))\b/.exec(style)?.[1] ?? '0 g';
  const painted = lines.map(
    ({ text, x, y }) =>
      `1 0 0 1 ${rounded(x)} ${rounded(y)} Tm ${embedded.encode(text).toString()} Tj\n`,
  );
  const frame = frameOf(widget, width, height);
  const inner = `1 1 ${rounded(width - 2)} ${rounded(height - 2)} re W n`;
  const text = `BT\n${colour}\n/Text ${size} Tf\n${painted.join('')}ET\n`;
  const content = `${frame}/Tx BMC\nq\n${inner}\n${text}Q\nEMC\n`;
  const stream = flateStream(context, content);
  const entries = {
    Type: 'XObject',
    Subtype: 'Form',
    BBox: [0, 0, width, height],
    Matrix: matrixOf(rotation, width, height),
    Resources: { Font: { Text: embedded.reference } },
  };
  for (const [name, value] of context.obj(entries).entries()) stream.dict.set(name, value);
  const reference: PDFRef = context.register(stream);
  widget.setNormalAppearance(reference);
  widget.dict.delete(kit.PDFName.of('AS'));
}

function matrixOf(rotation: number, width: number, height: number): readonly number[] & number[] {
  if (rotation === 90) return [0, 1, -1, 0, height, 0];
  if (rotation === 180) return [-1, 0, 0, -1, width, height];
  if (rotation === 270) return [0, -1, 1, 0, 0, width];
  return [1, 0, 0, 1, 0, 0];
}

function frameOf(widget: PDFWidgetAnnotation, width: number, height: number): string {
  const characteristics = widget.getAppearanceCharacteristics();
  const background = colourOf(characteristics?.BG(), ['g', 'rg', 'k']);
  const border = colourOf(characteristics?.BC(), ['G', 'RG', 'K']);
  const line = widget.getBorderStyle()?.getWidth() ?? 1;
  const box = (inset: number) => {
    const sides = [inset, inset, width - 2 * inset, height - 2 * inset];
    return `${sides.map(rounded).join(' ')} re`;
  };
  return [
    background === undefined ? '' : `q ${background} ${box(0)} f Q\n`,
    border === undefined || line <= 0 ? '' : `q ${border} ${line} w ${box(line / 2)} S Q\n`,
  ].join('');
}

function colourOf(
  components: PDFArray | undefined,
  operators: readonly [string, string, string],
): string | undefined {
  const numbers = (components?.asArray() ?? []).map((each) => Number(each.toString()));
  if (numbers.some((each) => !(each >= 0 && each <= 1))) return undefined;
  const operator = { 1: operators[0], 3: operators[1], 4: operators[2] }[numbers.length];
  return operator === undefined ? undefined : `${numbers.join(' ')} ${operator}`;
}

const rounded = (value: number): number => roundTo(value, 2);

/** Width of `text` at `size`, in points. */
export function textWidth(text: string, font: TrueTypeFont, size: number): number {
  let units = 0;
  for (const character of text) {
    units += font.advanceOf(font.glyphOf(character.codePointAt(0) as number));
  }
  return (units * size) / font.unitsPerEm;
}

/** Composed, on one kind of line end, without controls and format characters. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[^\n\P{Cc}]|\p{Cf}|\p{Cs}/gu, '');
}

/** Lines of at most `width` points; a word that is wider is broken where it must be. */
export function wrapLines(
  text: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, font, size, width));
}

function wrapParagraph(
  paragraph: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  const lines: string[] = [];
  const space = textWidth(' ', font, size);
  let line = '';
  let lineWidth = 0;
  for (const word of paragraph.split(' ')) {
    const wordWidth = textWidth(word, font, size);
    if (line !== '' && lineWidth + space + wordWidth > width) {
      lines.push(line);
      line = '';
      lineWidth = 0;
    }
    if (line !== '') {
      line += ` ${word}`;
      lineWidth += space + wordWidth;
      continue;
    }
    const pieces = wordWidth > width ? breakWord(word, font, size, width) : [word];
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
    lineWidth = textWidth(line, font, size);
  }
  return [...lines, line];
}

function breakWord(
  word: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let pieceWidth = 0;
  for (const character of word) {
    const advance = textWidth(character, font, size);
    if (piece !== '' && pieceWidth + advance > width) {
      pieces.push(piece);
      piece = '';
      pieceWidth = 0;
    }
    piece += character;
    pieceWidth += advance;
  }
  return [...pieces, piece];
}

/** Characters of `text` that the font cannot show, each once. */
export function missingCharacters(text: string, font: TrueTypeFont): readonly string[] {
  const characters = new Set(text.replaceAll('\n', ''));
  return [...characters].filter((each) => font.glyphOf(each.codePointAt(0) as number) === 0);
}
