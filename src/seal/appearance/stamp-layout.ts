import type { QrCode } from './qr-code.ts';
import { quietModules } from './qr-code.ts';
import type { StampImage } from './stamp-image.ts';
import type { StampLine } from './template.ts';
import { layoutText, type Measure, type TextLayout } from './text-layout.ts';

/** A rectangle by its lower left corner and size, in points of the stamp. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Where everything on a stamp stands. */
export interface StampLayout {
  /** Width of the coloured bar on the left; 0 without frame. */
  readonly bar: number;
  readonly image?: Area;
  /** The QR code with its quiet zone. */
  readonly qr?: Area;
  readonly text: TextLayout;
  /** Top left corner of the text; y grows upwards here. */
  readonly textX: number;
  readonly textTop: number;
}

/** What a stamp shows, ready to be laid out. */
export interface StampParts {
  readonly width: number;
  readonly height: number;
  readonly framed: boolean;
  readonly lines: readonly StampLine[];
  readonly image: StampImage | undefined;
  readonly qr: QrCode | undefined;
}

/** Parts of the inner width that graphics beside text may take. */
const IMAGE_SHARE = 0.32;
const QR_SHARE = 0.36;
const SHARE_OF_BOTH = 0.27;

/** Lays a stamp out: image on the left, text in the middle, QR code on the right. */
export function layoutStamp(parts: StampParts, measure: Measure): StampLayout {
  const { width, height, lines } = parts;
  const padding = clamp(Math.min(width, height) * 0.08, Math.min(width, height) * 0.05, 7);
  const bar = parts.framed ? clamp(height * 0.045, 0.8, 3) : 0;
  const inner: Area = {
    x: bar + padding,
    y: padding,
    width: width - bar - 2 * padding,
    height: height - 2 * padding,
  };
  const both = parts.image !== undefined && parts.qr !== undefined;
  const share = (alone: number): number => {
    if (lines.length === 0) return both ? 0.5 - padding / inner.width : 1;
    return both ? SHARE_OF_BOTH : alone;
  };
  let left = inner.x;
  let right = inner.x + inner.width;
  let qr: Area | undefined;
  if (parts.qr !== undefined) {
    // White modules of the quiet zone may reach into the padding, but not over the frame.
    const quiet = (padding * 0.6 * quietModules) / (quietModules + 1);
    const side = Math.min(inner.height + 2 * quiet, inner.width * share(QR_SHARE));
    const alone = lines.length === 0 && parts.image === undefined;
    const x = alone ? inner.x + (inner.width - side) / 2 : right + quiet - side;
    qr = { x, y: (height - side) / 2, width: side, height: side };
    right = x - padding * 0.6;
  }
  let image: Area | undefined;
  if (parts.image !== undefined) {
    const space = { ...inner, width: inner.width * share(IMAGE_SHARE) };
    if (lines.length === 0 && qr === undefined) space.width = inner.width;
    image = centred(parts.image, space, lines.length > 0);
    left = image.x + image.width + padding;
  }
  const text = layoutText(lines, { width: right - left, height: inner.height }, measure);
  return {
    bar,
    ...(image === undefined ? {} : { image }),
    ...(qr === undefined ? {} : { qr }),
    text,
    textX: left,
    textTop: height - (height - text.height) / 2,
  };
}

/** The largest area of the image's shape; at the left of its space when text follows. */
function centred(image: StampImage, space: Area, atLeft: boolean): Area {
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

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
