import { defined } from '../../base/defined.ts';
import {
  asArray,
  asNumber,
  inheritedEntry,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../formats/pdf/index.ts';
import type { Box, Rotation, StampPage } from './placement.ts';

/** Page box that viewers use for a page without a usable one: US letter. */
const DEFAULT_BOX: Box = [0, 0, 612, 792];

/**
 * Reads the boxes and the rotation of a page, its own or inherited from the page tree, and its
 * unit.
 *
 * @throws pdf.syntax.invalid and the other codes of reading an object
 * @spec ISO 32000-1 §7.7.3.3, §7.7.3.4
 */
export function readStampPage(file: PdfFile, page: PdfDict): StampPage {
  const cropBox = readBox(file, inheritedEntry(file, page, 'CropBox'));
  const mediaBox = readBox(file, inheritedEntry(file, page, 'MediaBox')) ?? DEFAULT_BOX;
  const unit = unitOf(asNumber(file.resolve(page.get('UserUnit'))), mediaBox);
  return {
    mediaBox,
    ...defined({ cropBox }),
    rotation: rotationOf(asNumber(inheritedEntry(file, page, 'Rotate'))),
    ...(unit === 1 ? {} : { unit }),
  };
}

/** Minimum user unit: with a smaller one, the smallest stamp would have less than a point. */
const LEAST_UNIT = 0.25;
/** Maximum side length of a stamp in points. */
const LARGEST_STAMP = 14_400;

/** The user unit in points, limited to values for which stamps can be drawn. */
function unitOf(unit = 1, [x1, y1, x2, y2]: Box): number {
  if (!(unit > 0)) return 1;
  const most = LARGEST_STAMP / Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1));
  return Math.max(LEAST_UNIT, Math.min(unit, Math.max(1, most)));
}

function readBox(file: PdfFile, value: PdfObject): Box | undefined {
  const items = asArray(value);
  if (items?.length !== 4) return undefined;
  const [x1, y1, x2, y2] = items.map((item) => asNumber(file.resolve(item)));
  if (x1 === undefined || y1 === undefined || x2 === undefined || y2 === undefined) {
    return undefined;
  }
  return x1 === x2 || y1 === y2 ? undefined : [x1, y1, x2, y2];
}

function rotationOf(degrees = 0): Rotation {
  const turn = ((degrees % 360) + 360) % 360;
  return turn === 90 || turn === 180 || turn === 270 ? turn : 0;
}
