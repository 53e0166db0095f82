import { limits } from '../../base/limits.ts';
import {
  asArray,
  asDict,
  asNumber,
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
  const cropBox = boxOf(file, inherited(file, page, 'CropBox'));
  return {
    mediaBox: boxOf(file, inherited(file, page, 'MediaBox')) ?? DEFAULT_BOX,
    ...(cropBox === undefined ? {} : { cropBox }),
    rotation: rotationOf(asNumber(inherited(file, page, 'Rotate'))),
  };
}

function inherited(file: PdfFile, page: PdfDict, key: string): PdfObject {
  let node: PdfDict | undefined = page;
  for (let depth = 0; node !== undefined && depth <= limits.pdfTreeDepth; depth++) {
    const value = file.resolve(node.get(key));
    if (value !== null) return value;
    node = asDict(file.resolve(node.get('Parent')));
  }
  return null;
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
