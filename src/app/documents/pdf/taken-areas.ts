import {
  asArray,
  asDict,
  asName,
  asNumber,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfPage,
} from '../../../formats/pdf/index.ts';
import type { Box } from '../../../seal/appearance/index.ts';

/** Where signature fields and stamps of earlier seals stand, on the pages of one document. */
export class TakenAreas {
  readonly #file: PdfFile;
  /** Pages can share one list, of as many annotations as the file has bytes: it is read once. */
  readonly #known = new Map<readonly PdfObject[], readonly Box[]>();

  constructor(file: PdfFile) {
    this.#file = file;
  }

  /** The areas on a page, each annotation once. */
  of(page: PdfPage): readonly Box[] {
    const list = asArray(this.#file.resolve(page.dict.get('Annots')));
    if (list === undefined) return [];
    const areas = this.#known.get(list) ?? this.#read(list);
    this.#known.set(list, areas);
    return areas;
  }

  #read(list: readonly PdfObject[]): readonly Box[] {
    const areas: Box[] = [];
    const seen = new Set<PdfDict>();
    for (const item of list) {
      const annotation = asDict(this.#file.resolve(item));
      if (annotation === undefined || seen.has(annotation)) continue;
      seen.add(annotation);
      const subtype = asName(this.#file.resolve(annotation.get('Subtype')))?.value;
      if (subtype !== 'Stamp' && subtype !== 'Widget') continue;
      const rect = rectOf(this.#file, annotation);
      if (rect !== undefined && rect[2] > rect[0] && rect[3] > rect[1]) areas.push(rect);
    }
    return areas;
  }
}

/** The rectangle of an annotation in default user space, in order. @spec ISO 32000-1 §7.9.5 */
export function rectOf(file: PdfFile, annotation: PdfDict): Box | undefined {
  const items = asArray(file.resolve(annotation.get('Rect')));
  if (items?.length !== 4) return undefined;
  const [x1, y1, x2, y2] = items.map((item) => asNumber(file.resolve(item)) ?? Number.NaN);
  const box = [x1, y1, x2, y2] as [number, number, number, number];
  if (!box.every(Number.isFinite)) return undefined;
  return [
    Math.min(box[0], box[2]),
    Math.min(box[1], box[3]),
    Math.max(box[0], box[2]),
    Math.max(box[1], box[3]),
  ];
}
