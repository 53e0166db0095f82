import {
  asInteger,
  inheritedEntry,
  type PdfFile,
  type PdfPage,
  readPrinted,
  readUndamaged,
} from '../../../formats/pdf/index.ts';
import { type FormNode, rectangleOf, visibleArea } from './form-nodes.ts';
import type { Revisions } from './revisions.ts';

/** NoZoom and NoRotate: not displayed in the annotation's rectangle. @spec ISO 32000-2 §12.5.3 */
const ELSEWHERE = 8 | 16;

/**
 * Whether an added widget covers something printed on its page in the signed revision. Also true if
 * that cannot be determined, for example because the page is a picture.
 */
export function coversPrint(
  { before, after, oldPages, newPages, looking }: Revisions,
  widgets: readonly FormNode[],
): boolean {
  return widgets.some(({ objectNumber, dict }) => {
    const area = visibleArea(after, dict);
    const number = newPages.pageOfAnnotation(objectNumber);
    if (area === undefined || number === undefined) return false;
    if (((asInteger(dict.get('F')) ?? 0) & ELSEWHERE) !== 0) return true;
    const page = oldPages.page(number);
    const box = page === undefined ? undefined : pageBox(before, page);
    if (page === undefined || box === undefined) return true;
    const [left, bottom, right, top] = box;
    const view = {
      width: right - left,
      height: top - bottom,
      matrix: [1, 0, 0, 1, -left, -bottom],
    } as const;
    const printed = readPrinted(before, page, view, looking.printing);
    if (typeof printed !== 'object' || printed.isPartial || printed.isPicture) return true;
    const [x1, y1, x2, y2] = area;
    return printed.covered([x1 - left, y1 - bottom, x2 - left, y2 - bottom], 'anything') > 0;
  });
}

function pageBox(file: PdfFile, { dict }: PdfPage) {
  return rectangleOf(
    file,
    readUndamaged(() => inheritedEntry(file, dict, 'MediaBox')),
  );
}
