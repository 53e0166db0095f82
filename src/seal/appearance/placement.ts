import { assert, InnsigliError } from '../../base/errors.ts';
import type { PageView } from '../../formats/pdf/index.ts';

/** Two opposite corners of a rectangle, `[x1, y1, x2, y2]`, in points. */
export type Box = readonly [number, number, number, number];

/** Clockwise rotation of a page by the viewer, in degrees. */
export type Rotation = 0 | 90 | 180 | 270;

/** The entries of a page that determine how it is displayed. */
export interface StampPage {
  readonly mediaBox: Box;
  /** The displayed part. Undefined: the whole page. */
  readonly cropBox?: Box;
  readonly rotation: Rotation;
  /** User unit in points; default 1. */
  readonly unit?: number;
}

/** A corner of the page as displayed. */
export type Corner = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';

/**
 * Requested position of a stamp on the page as displayed: rotated and clipped to its crop box, with
 * `0, 0` in the lower left corner.
 *
 * - `rect`: exactly there, in units of the page; must be inside the page
 * - `corner`: a stamp of this size in points in a corner, reduced if the page is too small
 * - `flow`: slot `index` of {@link slotsPerPage}, counted left to right and top to bottom, or from
 *   the bottom row up; with a span also the slots to the right of it and in the following rows
 */
export type StampPosition =
  | { readonly kind: 'rect'; readonly rect: Box }
  | {
      readonly kind: 'corner';
      readonly corner: Corner;
      readonly width: number;
      readonly height: number;
    }
  | {
      readonly kind: 'flow';
      readonly index: number;
      readonly from?: 'top' | 'bottom';
      readonly span?: SlotSpan;
    };

/** Number of adjacent slots in a row, and of rows. */
export interface SlotSpan {
  readonly columns: number;
  readonly rows: number;
}

/** Position of a stamp. */
export interface Placement {
  /** `/Rect` of the annotation in default user space, lower left corner first. */
  readonly rect: Box;
  /** Rotation of the page, which the form has to undo to be upright. */
  readonly rotation: Rotation;
  /** Displayed width of the stamp in points. */
  readonly width: number;
  readonly height: number;
}

/** Number of stamp slots per page. */
export const slotsPerPage = 80;

/** Recommended size in points of a stamp in a corner. */
export const cornerStampSize: { readonly width: number; readonly height: number } = {
  width: 210,
  height: 70,
};

/** Maximum distance from the edge of the page. Small pages have less. */
const MARGIN = 20;
/** Space between two stamps, as a fraction of a slot. */
const GAP = 0.05;
/** Aspect ratio of a stamp that suits a few lines of text: width by height. */
const GOOD_SHAPE = 2.3;
/** Minimum side length of a stamp. Below it nothing is readable. */
const MIN_SIDE = 4;
/** Maximum side length of a PDF 1.x page. @spec ISO 32000-1 Annex C.2 */
const MAX_SIDE = 14_400;

interface View {
  readonly width: number;
  readonly height: number;
}

/** A page as displayed, in its own units. */
interface ScaledView extends View {
  /** Length of a unit in points. */
  readonly unit: number;
}

function scaledView(page: StampPage): ScaledView {
  return { ...pageView(page), unit: page.unit ?? 1 };
}

/** The size of a page as displayed, in units of default user space. */
export function pageView(page: StampPage): View {
  const [x1, y1, x2, y2] = visibleBox(page);
  const turned = page.rotation === 90 || page.rotation === 270;
  return turned ? { width: y2 - y1, height: x2 - x1 } : { width: x2 - x1, height: y2 - y1 };
}

/** A page as displayed, for finding what is printed on it. */
export function pageSight(page: StampPage): PageView {
  const [x1, y1, x2, y2] = visibleBox(page);
  const { width, height } = pageView(page);
  switch (page.rotation) {
    case 0:
      return { width, height, matrix: [1, 0, 0, 1, -x1, -y1] };
    case 90:
      return { width, height, matrix: [0, -1, 1, 0, -y1, x2] };
    case 180:
      return { width, height, matrix: [-1, 0, 0, -1, x2, y2] };
    case 270:
      return { width, height, matrix: [0, 1, -1, 0, y2, -x1] };
  }
}

/**
 * Returns the rectangle for a stamp on a page, in default user space.
 *
 * @throws seal.rect.invalid if the rectangle is not inside the page, or too small
 * @throws seal.page.full if the page has no such slot
 */
export function placeStamp(page: StampPage, position: StampPosition): Placement {
  const view = scaledView(page);
  const seen = requireInside(seenRect(view, position), view, position.kind);
  return placementAt(page, seen);
}

/** Converts a rectangle of the page as displayed to the position of a stamp. */
export function placementAt(page: StampPage, seen: Box): Placement {
  const { rotation, unit = 1 } = page;
  const [left, bottom, right, top] = seen;
  const [width, height] = [unit * (right - left), unit * (top - bottom)];
  return { rect: toUserSpace(page, seen), rotation, width, height };
}

function seenRect(view: ScaledView, position: StampPosition): Box {
  if (position.kind === 'rect') return ordered(position.rect);
  if (position.kind === 'flow') return slotRect(view, position);
  const margin = marginOf(view);
  const width = Math.min(position.width / view.unit, view.width - 2 * margin);
  const height = Math.min(position.height / view.unit, view.height - 2 * margin);
  const x = position.corner.endsWith('left') ? margin : view.width - margin - width;
  const y = position.corner.startsWith('bottom') ? margin : view.height - margin - height;
  return [x, y, x + width, y + height];
}

function marginOf({ width, height, unit }: ScaledView): number {
  return Math.min(MARGIN / unit, width / 20, height / 20);
}

interface SlotGrid extends SlotSpan {
  readonly margin: number;
  readonly slotWidth: number;
  readonly slotHeight: number;
  /** Space between the edges of a slot and the stamp in it. */
  readonly gap: number;
}

/**
 * Divides the page into 80 slots. Of all grids with this number, the one is chosen whose slots come
 * closest to the aspect ratio of a stamp. A4 has 5 × 16 in portrait and 8 × 10 in landscape format.
 */
function slotGrid(view: ScaledView): SlotGrid {
  const margin = marginOf(view);
  const width = view.width - 2 * margin;
  const height = view.height - 2 * margin;
  let columns = 1;
  for (let count = 1; count <= slotsPerPage; count++) {
    if (slotsPerPage % count !== 0) continue;
    const badness = (each: number): number =>
      Math.abs(Math.log((width * slotsPerPage) / (each * each * height * GOOD_SHAPE)));
    if (badness(count) < badness(columns)) columns = count;
  }
  const rows = slotsPerPage / columns;
  const slotWidth = width / columns;
  const slotHeight = height / rows;
  return {
    margin,
    columns,
    rows,
    slotWidth,
    slotHeight,
    gap: GAP * Math.min(slotWidth, slotHeight),
  };
}

/** Returns the usable size of one slot, and the smallest span for the needed size, in points. */
export function slotsFor(
  page: StampPage,
  need: { readonly width: number; readonly height: number },
): { readonly width: number; readonly height: number; readonly span: SlotSpan } {
  const view = scaledView(page);
  const { columns, rows, slotWidth, slotHeight, gap } = slotGrid(view);
  const count = (size: number, slot: number, most: number): number =>
    Math.min(most, Math.max(1, Math.ceil((size / view.unit + 2 * gap) / slot - 1e-6)));
  return {
    width: view.unit * (slotWidth - 2 * gap),
    height: view.unit * (slotHeight - 2 * gap),
    span: {
      columns: count(need.width, slotWidth, columns),
      rows: count(need.height, slotHeight, rows),
    },
  };
}

/** Whether all slots of a span are on the page. */
export function hasSpan(page: StampPage, index: number, span: SlotSpan): boolean {
  const { columns, rows } = slotGrid(scaledView(page));
  const column = index % columns;
  return column + span.columns <= columns && (index - column) / columns + span.rows <= rows;
}

/** The error for a page without a slot for the seal. */
export function pageFull(index: number): InnsigliError {
  return new InnsigliError('seal.page.full', `a page holds ${slotsPerPage} visible seals`, {
    details: { slot: index + 1, slots: slotsPerPage },
    hint: 'choose a different page, or a position with --rect',
  });
}

function slotRect(view: ScaledView, position: StampPosition & { readonly kind: 'flow' }): Box {
  const { index, from, span = { columns: 1, rows: 1 } } = position;
  assert(Number.isSafeInteger(index) && index >= 0, 'slots count from 0');
  if (index >= slotsPerPage) throw pageFull(index);
  const { margin, columns, rows, slotWidth, slotHeight, gap } = slotGrid(view);
  const left = margin + (index % columns) * slotWidth;
  const rowsBefore = Math.floor(index / columns);
  const row = from === 'bottom' ? rows - rowsBefore - span.rows : rowsBefore;
  const top = view.height - margin - row * slotHeight;
  const [width, height] = [span.columns * slotWidth, span.rows * slotHeight];
  return [left + gap, top - height + gap, left + width - gap, top - gap];
}

function requireInside(rect: Box, view: View, kind: StampPosition['kind']): Box {
  const [left, bottom, right, top] = rect;
  const page = `the page is ${formatPoints(view.width)} × ${formatPoints(view.height)} points`;
  // Half a point of tolerance: page sizes are often rounded.
  const inside =
    left >= -0.5 && bottom >= -0.5 && right <= view.width + 0.5 && top <= view.height + 0.5;
  const sides = [right - left, top - bottom];
  if (inside && sides.every((side) => side >= MIN_SIDE && side <= MAX_SIDE)) return rect;
  const details = { pageWidth: view.width, pageHeight: view.height };
  if (kind !== 'rect') {
    throw new InnsigliError('seal.rect.invalid', `there is no free space for a seal: ${page}`, {
      details,
      hint: 'the page has an unusual size: choose a position with --rect, or omit the visible seal',
    });
  }
  throw new InnsigliError(
    'seal.rect.invalid',
    `the rectangle ${rect.map(formatPoints).join(' ')} is not a valid position for a seal: ${page}`,
    {
      details,
      hint: `pass left, bottom, right and top inside the page, at least ${MIN_SIDE} points apart`,
    },
  );
}

function formatPoints(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** The part of the page that viewers display. @spec ISO 32000-1 §14.11.2 */
function visibleBox(page: StampPage): Box {
  const media = ordered(page.mediaBox);
  if (page.cropBox === undefined) return media;
  const crop = ordered(page.cropBox);
  const both: Box = [
    Math.max(media[0], crop[0]),
    Math.max(media[1], crop[1]),
    Math.min(media[2], crop[2]),
    Math.min(media[3], crop[3]),
  ];
  // Viewers ignore a crop box that does not overlap the page.
  return both[2] - both[0] > 0 && both[3] - both[1] > 0 ? both : media;
}

/** Converts a box from the page as displayed to default user space. Pages are rotated clockwise. */
function toUserSpace(page: StampPage, [left, bottom, right, top]: Box): Box {
  const [x1, y1, x2, y2] = visibleBox(page);
  switch (page.rotation) {
    case 0:
      return [x1 + left, y1 + bottom, x1 + right, y1 + top];
    case 90:
      return [x2 - top, y1 + left, x2 - bottom, y1 + right];
    case 180:
      return [x2 - right, y2 - top, x2 - left, y2 - bottom];
    case 270:
      return [x1 + bottom, y2 - right, x1 + top, y2 - left];
  }
}

function ordered([x1, y1, x2, y2]: Box): Box {
  return [Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2)];
}
