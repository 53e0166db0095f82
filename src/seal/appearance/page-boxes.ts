import {
  asArray,
  asNumber,
  inheritedEntry,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../formats/pdf/index.ts';
import type { Box, Rotation, StampPage } from './placement.ts';

/** What viewers take for a page without a usable box: US letter. */
const DEFAULT_BOX: Box = [0, 0, 612, 792];

/**
 * The boxes and the rotation of a page, its own or inherited from the page tree.
 *
 * @throws pdf.syntax.invalid and the other codes of reading an object
 * @spec ISO 32000-1 §7.7.3.4
 */
export function readStampPage(file: PdfFile, page: PdfDict): StampPage {
  const cropBox = boxOf(file, inheritedEntry(file, page, 'CropBox'));
  return {
    mediaBox: boxOf(file, inheritedEntry(file, page, 'MediaBox')) ?? DEFAULT_BOX,
    ...(cropBox === undefined ? {} : { cropBox }),
    rotation: rotationOf(asNumber(inheritedEntry(file, page, 'Rotate'))),
  };
}

function boxOf(file: PdfFile, value: PdfObject): Box | undefined {
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
