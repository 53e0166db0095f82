import { assert, InnsigliError } from '../../base/errors.ts';
import type { PageView } from '../../formats/pdf/index.ts';

/** Two opposite corners of a rectangle, `[x1, y1, x2, y2]`, in points. */
export type Box = readonly [number, number, number, number];

/** Clockwise turn in degrees that a viewer gives a page. */
export type Rotation = 0 | 90 | 180 | 270;

/** The members of a page that determine its displayed orientation. */
export interface StampPage {
  readonly mediaBox: Box;
  /** The part that is shown; absent: all of it. */
  readonly cropBox?: Box;
  readonly rotation: Rotation;
  /** Points of a unit of default user space; default 1. */
  readonly unit?: number;
}

/** A corner of the page as the reader sees it. */
export type Corner = 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right';

/**
 * Requested place of a stamp on the page as displayed: rotated and cut to its crop box, with `0, 0`
 * in the lower left corner.
 *
 * - `rect`: exactly there, in units of the page; must be inside the page
 * - `corner`: a stamp of this size in points in a corner, made smaller when the page is too small
 * - `flow`: slot `index` of {@link slotsPerPage}, from left to right, from the top down, or row by
 *   row from the bottom up; with a span that slot and those right of it and behind its row
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

/** Slots side by side, and rows of them. */
export interface SlotSpan {
  readonly columns: number;
  readonly rows: number;
}

/** Place of a stamp. */
export interface Placement {
  /** For the `/Rect` of the annotation: default user space, lower left corner first. */
  readonly rect: Box;
  /** Turn of the page that the form must undo to be upright. */
  readonly rotation: Rotation;
  /** Size of the stamp as the reader sees it, in points. */
  readonly width: number;
  readonly height: number;
}

/** Stamps that flow over one page. */
export const slotsPerPage = 80;

/** A good size of a stamp in a corner, in points. */
export const cornerStampSize: { readonly width: number; readonly height: number } = {
  width: 210,
  height: 70,
};

/** Largest distance from the edge of the page; small pages have less. */
const MARGIN = 20;
/** Space between two stamps, as a part of a slot. */
const GAP = 0.05;
/** Shape of a stamp that holds a few lines well: width by height. */
const GOOD_SHAPE = 2.3;
/** Smallest side of a stamp; below it nothing can be read. */
const MIN_SIDE = 4;
/** Largest side of a PDF 1.x page. @spec ISO 32000-1 Annex C.2 */
const MAX_SIDE = 14_400;

interface View {
  readonly width: number;
  readonly height: number;
}

/** A page as the reader sees it, in units of its own. */
interface ScaledView extends View {
  /** Points of a unit. */
  readonly unit: number;
}

function scaledView(page: StampPage): ScaledView {
  return { ...pageView(page), unit: page.unit ?? 1 };
}

/** The size of a page as the reader sees it, in units of default user space. */
export function pageView(page: StampPage): View {
  const [x1, y1, x2, y2] = visibleBox(page);
  const turned = page.rotation === 90 || page.rotation === 270;
  return turned ? { width: y2 - y1, height: x2 - x1 } : { width: x2 - x1, height: y2 - y1 };
}

/** A page as the reader sees it, for looking at what is printed there. */
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
 * The rectangle for a stamp on a page, in default user space.
 *
 * @throws seal.rect.invalid when the rectangle is not inside the page, or too small
 * @throws seal.page.full when the slot is behind the last one of the page
 */
export function placeStamp(page: StampPage, position: StampPosition): Placement {
  const view = scaledView(page);
  const seen = requireInside(seenRect(view, position), view, position.kind);
  return placementAt(page, seen);
}

/** A rectangle of the page as the reader sees it, as the place of a stamp. */
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
  /** Space between a slot and what stands in it. */
  readonly gap: number;
}

/**
 * The page is cut into 80 slots: of all grids with that many, the one whose slots are nearest to
 * the shape of a stamp. A4 has 5 × 16 upright and 8 × 10 on its side.
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

/** The size of what stands in one slot, and the fewest slots with room for a size, in points. */
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

/** True when the slots of a span are all on the page. */
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
  // Half a point of slack: pages are often given with rounded numbers.
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

/** The part of the page that viewers show. @spec ISO 32000-1 §14.11.2 */
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
  // Viewers ignore a crop box that leaves nothing of the page.
  return both[2] - both[0] > 0 && both[3] - both[1] > 0 ? both : media;
}

/** Converts a box from the page as displayed to default user space; a page rotates clockwise. */
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
