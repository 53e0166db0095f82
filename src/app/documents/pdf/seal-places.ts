import { InnsigliError } from '../../../base/errors.ts';
import {
  asArray,
  asDict,
  asName,
  asNumber,
  asReference,
  listPages,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfPage,
} from '../../../formats/pdf/index.ts';
import {
  type Box,
  type Covered,
  choosePlace,
  cornerStampSize,
  coveredAt,
  type Placement,
  placeAllowance,
  placeStamp,
  readStampPage,
  rowTextSize,
  slotsFor,
} from '../../../seal/appearance/index.ts';
import type { FieldChoice } from '../../../seal/field/index.ts';
import { PAGES_MAX, PageLooks } from './page-looks.ts';
import type { VisibleSeal } from './visible-seal.ts';

/** Position of a seal. */
export interface SealPlace {
  readonly page: PdfPage;
  /** Counted from 1. */
  readonly pageNumber: number;
  readonly placement: Placement;
  /** Common text size of all seals in a row; undefined for a single seal. */
  readonly textSize?: number;
  /** Content under it; `stamp`: a field or another stamp; `named`: print where the caller chose. */
  readonly covered: Covered | 'stamp' | 'named';
}

type Size = { readonly width: number; readonly height: number };

/**
 * Returns the positions of a seal: the area of the existing field, a corner, a rectangle, or the
 * first free position of the page; on all pages if requested.
 *
 * @throws usage.invalid for an unknown page
 * @throws seal.rect.invalid, seal.page.full, limit.exceeded
 */
export function placesOf(
  file: PdfFile,
  choice: FieldChoice,
  options: VisibleSeal,
  need: Size,
): readonly SealPlace[] {
  if (choice.existing !== undefined) return [fieldPlace(file, choice.existing.dict, choice.name)];
  const looks = new PageLooks(file);
  const areas = new TakenAreas(file);
  const allowance = placeAllowance();
  return wantedPages(file, options.page ?? 1).map(({ page, pageNumber }) => {
    const view = readStampPage(file, page.dict);
    const taken = areas.of(page);
    const printed = looks.at(page, pageNumber);
    const request = { page: view, taken, printed, allowance };
    if (options.rect !== undefined || options.corner !== undefined) {
      const placement = fixedPlace(view, options, need);
      return { page, pageNumber, placement, covered: coveredAt(placement, request) };
    }
    const from = options.startAt ?? 'top';
    const chosen = choosePlace({ ...request, from, need });
    return { page, pageNumber, ...chosen, textSize: rowTextSize(slotsFor(view, need)) };
  });
}

/** Warnings about the positions: one sentence for each kind of problem. */
export function placeWarnings(places: readonly SealPlace[]): readonly string[] {
  const warnings: string[] = [];
  for (const [covered, text] of Object.entries(covering)) {
    const [first, ...more] = places.filter((place) => place.covered === covered);
    if (first === undefined) continue;
    const others = more.length === 0 ? '' : ` (and of ${more.length} more)`;
    warnings.push(text.replace('#', `${first.pageNumber}${others}`));
  }
  return warnings;
}

const covering = {
  stamp: 'the seal covers an existing field or stamp of the page',
  named: 'the seal covers content on page # at the given position: choose a different one',
  print: 'page # has no free space: the seal covers content; choose a position with --rect',
  unknown: 'the content of page # could not be read: the seal may cover it',
  picture: 'page # is an image: the seal may cover parts of it',
} as const;

/** Whether an existing field has an area for an appearance. */
export function hasArea(file: PdfFile, field: PdfDict): boolean {
  const rect = rectOf(file, field);
  return rect !== undefined && rect[2] - rect[0] >= 4 && rect[3] - rect[1] >= 4;
}

function fieldPlace(file: PdfFile, field: PdfDict, name: string): SealPlace {
  const rect = hasArea(file, field) ? rectOf(file, field) : undefined;
  if (rect === undefined) {
    const message = `the field "${name}" has no area for a visible seal`;
    const hint = 'omit --field to create a new field, or omit --visible';
    throw new InnsigliError('seal.rect.invalid', message, { hint });
  }
  const reference = asReference(field.get('P'));
  const dict = asDict(file.resolve(reference));
  const [first] = listPages(file, 1);
  const page = reference !== undefined && dict !== undefined ? { reference, dict } : first;
  if (page === undefined) {
    throw new InnsigliError('pdf.structure.invalid', 'the document has no page');
  }
  const { rotation, unit = 1 } = readStampPage(file, page.dict);
  const sides = [unit * (rect[2] - rect[0]), unit * (rect[3] - rect[1])] as const;
  const isTurned = rotation === 90 || rotation === 270;
  const [width, height] = isTurned ? [sides[1], sides[0]] : sides;
  const placement = { rect, rotation, width, height };
  return { page, pageNumber: 1, placement, covered: 'nothing' };
}

function fixedPlace(
  view: ReturnType<typeof readStampPage>,
  options: VisibleSeal,
  need: Size,
): Placement {
  if (options.rect !== undefined) return placeStamp(view, { kind: 'rect', rect: options.rect });
  const corner = options.corner ?? 'top-left';
  const width = Math.max(cornerStampSize.width, need.width);
  const height = Math.max(cornerStampSize.height, need.height);
  return placeStamp(view, { kind: 'corner', corner, width, height });
}

function wantedPages(
  file: PdfFile,
  wanted: number | 'last' | 'all',
): readonly { readonly page: PdfPage; readonly pageNumber: number }[] {
  if (typeof wanted === 'number' && !(Number.isInteger(wanted) && wanted > 0)) {
    throw new InnsigliError('usage.invalid', `page ${wanted}: expected a whole number from 1`);
  }
  const pages = listPages(file, typeof wanted === 'number' ? wanted : PAGES_MAX + 1);
  if (pages.length > PAGES_MAX) {
    throw new InnsigliError('limit.exceeded', `more than ${PAGES_MAX} pages cannot be sealed`);
  }
  const numbered = pages.map((page, index) => ({ page, pageNumber: index + 1 }));
  if (wanted === 'all' && pages.length > 0) return numbered;
  const one = wanted === 'last' ? numbered.at(-1) : numbered[Number(wanted) - 1];
  if (one !== undefined) return [one];
  const count = `${pages.length} page${pages.length === 1 ? '' : 's'}`;
  throw new InnsigliError('usage.invalid', `page ${wanted}: the document has ${count}`, {
    hint: 'choose a page of the document, or last',
  });
}

/** Areas of signature fields and of stamps of earlier seals, on the pages of one document. */
class TakenAreas {
  readonly #file: PdfFile;
  /** Pages can share one list with as many annotations as the file has bytes: it is read once. */
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

/**
 * The normalised rectangle of an annotation in default user space.
 *
 * @spec ISO 32000-1 §7.9.5
 */
function rectOf(file: PdfFile, annotation: PdfDict): Box | undefined {
  const items = asArray(file.resolve(annotation.get('Rect')));
  if (items?.length !== 4) return undefined;
  const box = items.map((item) => asNumber(file.resolve(item)) ?? Number.NaN);
  if (!box.every(Number.isFinite)) return undefined;
  const [x1, y1, x2, y2] = box as [number, number, number, number];
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}
