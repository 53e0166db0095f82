import type { PDFOperator } from 'pdf-lib';
import { roundTo } from '../../base/round-to.ts';
import type { EmbeddedFont } from './embed-font.ts';
import type { PdfKit } from './pdf-kit.ts';
import { type QrCode, quietModules } from './qr-code.ts';
import { paintStrokes } from './stamp-drawing.ts';
import type { Area, StampLayout, StampParts } from './stamp-layout.ts';

type Color = readonly [number, number, number];

const WHITE: Color = [1, 1, 1];
const BLACK: Color = [0, 0, 0];
const NAVY: Color = [0.09, 0.25, 0.43];
const FRAME: Color = [0.55, 0.63, 0.72];
const STRONG_TEXT: Color = [0.05, 0.13, 0.24];
const TEXT: Color = [0.2, 0.24, 0.3];
const INK: Color = [0.06, 0.13, 0.42];
const FRAME_WIDTH = 0.6;

/** The fonts of a stamp. A font is undefined if no line needs it. */
export interface PaintFonts {
  readonly regular: EmbeddedFont | undefined;
  readonly bold: EmbeddedFont | undefined;
}

/** Operators that paint a stamp. Resources: fonts `Text`, `Bold`, colour space `Rgb`, `Image`. */
export function paintStamp(
  kit: PdfKit,
  parts: StampParts,
  layout: StampLayout,
  fonts: PaintFonts,
  background: boolean,
): readonly PDFOperator[] {
  const { width, height } = parts;
  const whole: Area = { x: 0, y: 0, width, height };
  const operators = [kit.pushGraphicsState()];
  if (background) operators.push(...fillArea(kit, whole, WHITE));
  if (parts.framed) operators.push(...paintFrame(kit, whole, layout.bar));
  if (layout.image !== undefined && parts.image !== undefined) {
    operators.push(...paintImage(kit, layout.image));
  } else if (layout.image !== undefined && parts.drawing !== undefined) {
    operators.push(
      ...setColor(kit, INK, 'Stroking'),
      ...paintStrokes(kit, layout.image, parts.drawing),
    );
  }
  if (layout.qr !== undefined && layout.code !== undefined) {
    operators.push(...fillArea(kit, layout.qr, WHITE), ...paintQr(kit, layout.qr, layout.code));
  }
  operators.push(...paintText(kit, layout, fonts), kit.popGraphicsState());
  return operators;
}

function setColor(kit: PdfKit, color: Color, of: 'NonStroking' | 'Stroking'): PDFOperator[] {
  const { PDFOperator, PDFOperatorNames, PDFName, PDFNumber } = kit;
  const parts = color.map((part) => PDFNumber.of(part));
  return [
    PDFOperator.of(PDFOperatorNames[`${of}Colorspace`], [PDFName.of('Rgb')]),
    PDFOperator.of(PDFOperatorNames[`${of}Color`], parts),
  ];
}

function fillColor(kit: PdfKit, color: Color): PDFOperator[] {
  return setColor(kit, color, 'NonStroking');
}

function area(kit: PdfKit, { x, y, width, height }: Area): PDFOperator {
  return kit.rectangle(rounded(x), rounded(y), rounded(width), rounded(height));
}

function fillArea(kit: PdfKit, place: Area, color: Color): PDFOperator[] {
  return [...fillColor(kit, color), area(kit, place), kit.fill()];
}

/** Draws the frame as filled strips: the edge of the form would clip half of a stroke. */
function paintFrame(kit: PdfKit, { width, height }: Area, bar: number): PDFOperator[] {
  const line = Math.min(FRAME_WIDTH, height / 20);
  return [
    ...fillColor(kit, FRAME),
    area(kit, { x: 0, y: 0, width, height: line }),
    area(kit, { x: 0, y: height - line, width, height: line }),
    area(kit, { x: width - line, y: 0, width: line, height }),
    kit.fill(),
    ...fillArea(kit, { x: 0, y: 0, width: bar, height }, NAVY),
  ];
}

function paintImage(kit: PdfKit, { x, y, width, height }: Area): PDFOperator[] {
  const [w, h] = [rounded(width), rounded(height)];
  return [
    kit.pushGraphicsState(),
    kit.concatTransformationMatrix(w, 0, 0, h, rounded(x), rounded(y)),
    kit.drawObject('Image'),
    kit.popGraphicsState(),
  ];
}

/** Draws one rectangle per run of dark modules, all in one path, so that no seams are visible. */
function paintQr(kit: PdfKit, place: Area, { size, dark }: QrCode): PDFOperator[] {
  const module = place.width / (size + 2 * quietModules);
  const operators = [
    ...fillColor(kit, BLACK),
    kit.pushGraphicsState(),
    kit.concatTransformationMatrix(module, 0, 0, module, rounded(place.x), rounded(place.y)),
  ];
  dark.forEach((row, index) => {
    for (let start = 0; start < size; start++) {
      if (row[start] !== true) continue;
      let end = start;
      while (row[end] === true) end++;
      const y = size + quietModules - 1 - index;
      operators.push(kit.rectangle(start + quietModules, y, end - start, 1));
      start = end;
    }
  });
  return [...operators, kit.fill(), kit.popGraphicsState()];
}

function paintText(kit: PdfKit, layout: StampLayout, fonts: PaintFonts): PDFOperator[] {
  return layout.text.lines.flatMap((line) => {
    const font = line.strong ? fonts.bold : fonts.regular;
    if (font === undefined) return [];
    return [
      ...fillColor(kit, line.strong ? STRONG_TEXT : TEXT),
      kit.beginText(),
      ...(layout.text.stretch === 1 ? [] : [kit.setCharacterSqueeze(layout.text.stretch * 100)]),
      kit.setFontAndSize(line.strong ? 'Bold' : 'Text', rounded(line.size)),
      kit.moveText(rounded(layout.textX), rounded(layout.textTop - line.baseline)),
      kit.showText(font.encode(line.text)),
      kit.endText(),
    ];
  });
}

/** Thousandths of a point are finer than the resolution of any printer. */
const rounded = (value: number): number => roundTo(value, 3);
