import { defined } from '../../base/defined.ts';
import type { QrCode } from './qr-code.ts';
import { quietModules, readableModule } from './qr-code.ts';
import type { StampDrawing } from './stamp-drawing.types.ts';
import type { StampImage } from './stamp-image.ts';
import type { StampLine } from './template.ts';
import {
  layoutText,
  type Measure,
  smallestSize,
  type TextLayout,
  usualSize,
} from './text-layout.ts';

/** A rectangle by its lower left corner and size, in points of the stamp. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Positions of all parts of a stamp. */
export interface StampLayout {
  /** Width of the coloured bar on the left; 0 without frame. */
  readonly bar: number;
  /** Area of the image or the drawing. */
  readonly image?: Area;
  /** The QR code with its quiet zone. */
  readonly qr?: Area;
  /** The QR code to draw. */
  readonly code?: QrCode;
  readonly text: TextLayout;
  /** Top left corner of the text, with y increasing upwards. */
  readonly textX: number;
  readonly textTop: number;
}

/** Parts of a stamp, ready for layout. */
export interface StampParts {
  readonly width: number;
  readonly height: number;
  readonly framed: boolean;
  readonly lines: readonly StampLine[];
  readonly image: StampImage | undefined;
  /** Used if there is no image. */
  readonly drawing?: StampDrawing | undefined;
  /** QR codes of one text, the one with the most error correction first. Empty without a text. */
  readonly codes: readonly QrCode[];
  /** Common text size of all stamps in a row. */
  readonly textSize?: number | undefined;
}

/** Maximum fractions of the inner width for graphics next to text. */
const IMAGE_SHARE = 0.32;
const DRAWING_SHARE = 0.4;
const QR_SHARE = 0.36;
const SHARE_OF_BOTH = 0.27;

/** Minimum space for useful text: that of a slot on A4 or US letter, or less. */
const TEXT_WIDTH = 80;
const TEXT_HEIGHT = 42.2;
const LINE_HEIGHT = 1.4 * smallestSize;
/** A box larger than these multiples of the text size has larger text. */
const LINES = 7;
const EMS = 19;
/** The same for a row of stamps, some of which may have a QR code. */
const EMS_IN_ROW = 24;

/** Common text size of all stamps in areas of this size. */
export function rowTextSize({ width, height }: { width: number; height: number }): number {
  const size = Math.min(height / LINES, width / EMS_IN_ROW);
  return Math.max(smallestSize, Math.floor(4 * size) / 4);
}

/** Minimum size of a box: in a smaller one the text is cut or the QR code is unreadable. */
export function neededSize(parts: Pick<StampParts, 'lines' | 'codes' | 'image'>): {
  readonly width: number;
  readonly height: number;
} {
  const { length } = parts.lines;
  const height = Math.min(TEXT_HEIGHT, length * LINE_HEIGHT);
  const code = parts.codes.at(-1);
  // Padding and frame use less than a tenth.
  const side = code === undefined ? 0 : 1.1 * sideOf(code);
  return {
    width: side + (length > 0 ? TEXT_WIDTH : 0) + (parts.image === undefined ? 0 : side / 2),
    height: Math.max(side, height),
  };
}

function sideOf({ size }: QrCode): number {
  return (size + 2 * quietModules) * readableModule;
}

/** Computes the layout of a stamp: image on the left, text in the middle, QR code on the right. */
export function layoutStamp(parts: StampParts, measure: Measure): StampLayout {
  const { width, height, lines } = parts;
  const padding = Math.min(Math.min(width, height) * 0.06, 7);
  const bar = parts.framed ? Math.min(3, Math.max(0.8, height * 0.045)) : 0;
  const inner: Area = {
    x: bar + padding,
    y: padding,
    width: width - bar - 2 * padding,
    height: height - 2 * padding,
  };
  const code = placeCode(parts, inner, padding);
  const right = code === undefined ? inner.x + inner.width : code.area.x - padding * 0.6;
  let left = inner.x;
  let image: Area | undefined;
  const graphic = graphicOf(parts);
  if (graphic !== undefined) {
    const alone = parts.image === undefined ? DRAWING_SHARE : IMAGE_SHARE;
    const share = shareOf(parts, alone, inner, padding);
    const room = Math.max(1, right - left);
    const space = { ...inner, width: Math.min(inner.width * share, room) };
    if (lines.length === 0 && code === undefined) space.width = inner.width;
    image = centred(graphic, space, lines.length > 0);
    left = image.x + image.width + padding;
  }
  const largest = Math.max(usualSize, Math.min(height / LINES, width / EMS));
  const { textSize: fixed } = parts;
  const space = { width: right - left, height: inner.height, largest };
  const text = layoutText(lines, fixed === undefined ? space : { ...space, fixed }, measure);
  return {
    bar,
    ...defined({ image }),
    ...(code && { qr: code.area, code: code.code }),
    text,
    textX: left,
    textTop: height - (height - text.height) / 2,
  };
}

function graphicOf({ image, drawing }: StampParts): StampImage | StampDrawing | undefined {
  return image ?? drawing;
}

function shareOf(parts: StampParts, alone: number, inner: Area, padding: number): number {
  const both = graphicOf(parts) !== undefined && parts.codes.length > 0;
  if (parts.lines.length === 0) return both ? 0.5 - padding / inner.width : 1;
  return both ? SHARE_OF_BOTH : alone;
}

/** Places the QR code: as large as its share, or as needed to be readable, in the free space. */
function placeCode(
  parts: StampParts,
  inner: Area,
  padding: number,
): { readonly area: Area; readonly code: QrCode } | undefined {
  // The quiet zone may extend into the padding, but not over the frame.
  const quiet = (padding * 0.6 * quietModules) / (quietModules + 1);
  const room = Math.min(inner.height + 2 * quiet, inner.width + quiet);
  const code = parts.codes.find((each) => sideOf(each) <= room) ?? parts.codes.at(-1);
  if (code === undefined) return undefined;
  const share = inner.width * shareOf(parts, QR_SHARE, inner, padding);
  const side = Math.min(room, Math.max(share, sideOf(code)));
  const alone = parts.lines.length === 0 && graphicOf(parts) === undefined;
  const x = alone ? inner.x + (inner.width - side) / 2 : inner.x + inner.width + quiet - side;
  return { area: { x, y: (parts.height - side) / 2, width: side, height: side }, code };
}

/** Whether the QR code is too small to be read from an image of 150 dots per inch. */
export function isTooSmall({ qr, code }: StampLayout): boolean {
  return qr !== undefined && code !== undefined && qr.width < sideOf(code) - 1e-6;
}

/** The largest area with the aspect ratio of the image; left-aligned if text follows. */
function centred(image: Pick<StampImage, 'width' | 'height'>, space: Area, atLeft: boolean): Area {
  const scale = Math.min(space.width / image.width, space.height / image.height);
  const width = image.width * scale;
  const height = image.height * scale;
  return {
    x: atLeft ? space.x : space.x + (space.width - width) / 2,
    y: space.y + (space.height - height) / 2,
    width,
    height,
  };
}
