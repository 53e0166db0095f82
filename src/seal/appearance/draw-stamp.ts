import type { PDFOperator, PDFRef } from 'pdf-lib';
import { InnsigliError } from '../../base/errors.ts';
import type { TrueTypeFont } from '../../formats/font/index.ts';
import { type EmbeddedFont, embedFont } from './embed-font.ts';
import { calibratedRgb, flateStream, loadPdfKit, type PdfContext, type PdfKit } from './pdf-kit.ts';
import { buildQrCode, type QrCode } from './qr-code.ts';
import type { StampDrawing } from './stamp-drawing.types.ts';
import type { StampImage } from './stamp-image.ts';
import { isTooSmall, layoutStamp, neededSize, type StampParts } from './stamp-layout.ts';
import { paintStamp } from './stamp-painter.ts';
import type { StampLine } from './template.ts';
import { cleanLines } from './text-layout.ts';
import { textWidth } from './text-width.ts';

/** Fonts of a stamp: regular, and bold for strong lines. */
export interface StampFonts {
  readonly regular: TrueTypeFont;
  readonly bold: TrueTypeFont;
}

/** Content of a stamp. All parts are optional; without any, the stamp is an empty frame. */
export interface StampContent {
  /** Width in points, as displayed. */
  readonly width: number;
  readonly height: number;
  readonly lines: readonly StampLine[];
  readonly image?: StampImage;
  /** Used if there is no image. */
  readonly drawing?: StampDrawing;
  /** Text of the QR code: an address or verification data. */
  readonly qr?: string;
  /** Fixed text size in points, whatever the amount of text; default: the size that fits best. */
  readonly textSize?: number;
  /** A thin frame with a coloured bar; default true. */
  readonly frame?: boolean;
  /** White background, so that text of the page does not show through the stamp. Default: true. */
  readonly background?: boolean;
}

/** A drawn stamp. */
export interface Stamp {
  /** A PDF with one page that is the stamp. */
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** Characters that are not in the fonts and appear as an empty box. */
  readonly missing: readonly string[];
  /** True if the text did not fit and ends with an ellipsis. */
  readonly cut: boolean;
  /** True if the QR code is too small to be read from an image of 150 dots per inch. */
  readonly isCodeTooSmall: boolean;
}

/** Fonts, images and colour spaces by the names used in the content stream. */
interface StampResources {
  readonly Font: Record<string, PDFRef>;
  readonly XObject: Record<string, PDFRef>;
  readonly ColorSpace: Record<string, PDFRef>;
}

/**
 * Draws a stamp. It uses only what every PDF/A conformance level permits: embedded font subsets,
 * device-independent colours, no transparency. The same content results in the same bytes.
 *
 * @throws seal.rect.invalid if the size is unusable
 * @throws limit.exceeded if there is too much text
 * @throws font.invalid
 */
export async function drawStamp(content: StampContent, fonts: StampFonts): Promise<Stamp> {
  const { width, height } = content;
  requireSize(width, height);
  const lines = cleanLines(content.lines);
  const kit = await loadPdfKit();
  const document = await kit.PDFDocument.create({ updateMetadata: false });
  const { context } = document;
  const parts: StampParts = {
    width,
    height,
    lines,
    framed: content.frame ?? true,
    image: content.image,
    drawing: content.drawing,
    codes: await qrCodesOf(content.qr),
    textSize: content.textSize,
  };
  const layout = layoutStamp(parts, (text, strong) =>
    textWidth(text, strong ? fonts.bold : fonts.regular, 1),
  );
  const resources: StampResources = { Font: {}, XObject: {}, ColorSpace: {} };
  const shown = (strong: boolean): string =>
    layout.text.lines.map((line) => (line.strong === strong ? line.text : '')).join('');
  const missing = new Set<number>();
  const embed = (strong: boolean): EmbeddedFont | undefined => {
    const text = shown(strong);
    if (text === '') return undefined;
    const font = embedFont(kit, context, strong ? fonts.bold : fonts.regular, text);
    for (const codePoint of font.missing) missing.add(codePoint);
    resources.Font[strong ? 'Bold' : 'Text'] = font.reference;
    return font;
  };
  const embedded = { regular: embed(false), bold: embed(true) };
  const rgb = context.register(calibratedRgb(context));
  resources.ColorSpace['Rgb'] = rgb;
  if (parts.image !== undefined) resources.XObject['Image'] = embedImage(context, parts.image, rgb);
  const operators = paintStamp(kit, parts, layout, embedded, content.background ?? true);
  finishPage(kit, document.addPage([width, height]).node, context, operators, resources);
  const bytes = await document.save({
    useObjectStreams: false,
    addDefaultPage: false,
    objectsPerTick: Number.POSITIVE_INFINITY,
    updateFieldAppearances: false,
  });
  return {
    bytes,
    width,
    height,
    missing: [...missing].map((codePoint) => String.fromCodePoint(codePoint)),
    cut: layout.text.cut,
    isCodeTooSmall: isTooSmall(layout),
  };
}

/**
 * Returns the minimum size of a stamp: in a smaller box its text is cut or its QR code is
 * unreadable.
 *
 * @throws limit.exceeded if there is too much text
 */
export async function stampSize(
  content: Pick<StampContent, 'lines' | 'image' | 'qr'>,
): Promise<{ readonly width: number; readonly height: number }> {
  const lines = cleanLines(content.lines);
  return neededSize({ lines, image: content.image, codes: await qrCodesOf(content.qr) });
}

/** QR codes of a text, the one with more error correction first. */
async function qrCodesOf(text: string | undefined): Promise<readonly QrCode[]> {
  if (text === undefined) return [];
  return [await buildQrCode(text, 'M'), await buildQrCode(text, 'L')];
}

function requireSize(width: number, height: number): void {
  const sane = [width, height].every((side) => side >= 1 && side <= 14_400);
  if (sane) return;
  throw new InnsigliError('seal.rect.invalid', `a stamp cannot be ${width} × ${height} points`, {
    hint: 'use at least 4 points and at most the size of the page',
  });
}

function embedImage(context: PdfContext, image: StampImage, rgb: PDFRef): PDFRef {
  const gray = context.obj(['CalGray', { WhitePoint: [0.9505, 1, 1.089], Gamma: 2.2 }]);
  return context.register(
    context.stream(image.data, {
      Type: 'XObject',
      Subtype: 'Image',
      Width: image.width,
      Height: image.height,
      BitsPerComponent: 8,
      ColorSpace: image.channels === 1 ? gray : rgb,
      Filter: image.filter,
    }),
  );
}

function finishPage(
  kit: PdfKit,
  page: ReturnType<Awaited<ReturnType<PdfKit['PDFDocument']['create']>>['addPage']>['node'],
  context: PdfContext,
  operators: readonly PDFOperator[],
  resources: StampResources,
): void {
  const content = operators.join('\n');
  const used = Object.entries(resources).filter(([, entries]) => Object.keys(entries).length > 0);
  page.set(kit.PDFName.of('Resources'), context.obj(Object.fromEntries(used)));
  page.set(kit.PDFName.of('Contents'), context.register(flateStream(context, content)));
}
