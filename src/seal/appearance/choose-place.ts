import { InnsigliError } from '../../base/errors.ts';
import type { PrintedPage } from '../../formats/pdf/index.ts';
import {
  type Box,
  hasSpan,
  type Placement,
  pageFull,
  pageSight,
  pageView,
  placementAt,
  placeStamp,
  type SlotSpan,
  type StampPage,
  slotsFor,
  slotsPerPage,
} from './placement.ts';

/** A page and the stamp to place on it. */
export interface PlaceRequest {
  readonly page: StampPage;
  readonly from: 'top' | 'bottom';
  /** Minimum size at which the stamp is readable. */
  readonly need: { readonly width: number; readonly height: number };
  /** Fields and stamps in default user space, which are never drawn over. */
  readonly taken: readonly Box[];
  /** Content printed on the page. Undefined if unknown. */
  readonly printed: PrintedPage | undefined;
  /** Remaining comparisons for all pages of the document. */
  readonly allowance: PlaceAllowance;
}

/** Limits of the search for a position, in comparisons of two rectangles. */
export interface PlaceAllowance {
  /** Comparisons of candidate positions with fields and stamps. */
  comparisons: number;
  /** Comparisons in the search of the whole page. After that, only slots are compared. */
  looks: number;
}

/** A fresh allowance for the pages of one document, about a second for each limit. */
export function placeAllowance(): PlaceAllowance {
  return { comparisons: 100_000_000, looks: 100_000_000 };
}

/** Whether the rectangle overlaps a field or stamp. @throws limit.exceeded if there are too many */
export function overlapsAny(rect: Box, taken: readonly Box[], allowance: PlaceAllowance): boolean {
  const at = taken.findIndex((area) => overlaps(area, rect));
  allowance.comparisons -= at < 0 ? taken.length : at;
  if (allowance.comparisons >= 0) return at >= 0;
  throw new InnsigliError('limit.exceeded', 'the pages have too many fields to find a free area', {
    hint: 'seal fewer pages with --page, or none by omitting --visible',
  });
}

/** Content under a position. Unknown if the page has too much content. */
export type Covered = 'nothing' | 'print' | 'unknown' | 'picture';

/** A position, and what it covers. */
export interface ChosenPlace {
  readonly placement: Placement;
  readonly covered: Covered;
}

/**
 * Returns the first of the 80 slots, in reading order, that covers nothing; failing that, the first
 * such rectangle of the same size anywhere on the page; then a position that covers no letters; and
 * last the slot that covers least. A stamp that needs more space spans several slots.
 *
 * @throws seal.page.full if fields and stamps leave no slot
 */
export function choosePlace(request: PlaceRequest): ChosenPlace {
  const { page, need } = request;
  const { span } = slotsFor(page, need);
  const slots = openSlots(request, span);
  if (slots.length > 0) return choose(request, slots);
  const single = openSlots(request, { columns: 1, rows: 1 });
  if (single.length > 0) return choose(request, single);
  throw pageFull(slotsPerPage);
}

/** Width in points of the edge of a requested position that is ignored: frames are drawn there. */
const FRAME = 2;

/**
 * Determines what a stamp would cover at a requested position: a field, another stamp, or known
 * print.
 *
 * @throws limit.exceeded if there are too many fields
 */
export function coveredAt(
  { rect }: Placement,
  { page, taken, printed, allowance }: Omit<PlaceRequest, 'from' | 'need'>,
): 'stamp' | 'named' | 'nothing' {
  if (overlapsAny(rect, taken, allowance)) return 'stamp';
  if (printed === undefined) return 'nothing';
  const [left, bottom, right, top] = toView(page, rect);
  const edge = Math.min(FRAME, (right - left) / 4, (top - bottom) / 4);
  const inside: Box = [left + edge, bottom + edge, right - edge, top - edge];
  return printed.covered(inside, 'anything') > 0 ? 'named' : 'nothing';
}

/** A slot in default user space and on the page as displayed. */
interface Slot {
  readonly placement: Placement;
  /** On the page as displayed. */
  readonly seen: Box;
}

/** The slots without a field or stamp, in reading order. */
function openSlots(
  { page, from, taken, allowance }: PlaceRequest,
  span: SlotSpan,
): readonly Slot[] {
  const slots: Slot[] = [];
  for (let index = 0; index < slotsPerPage; index++) {
    if (!hasSpan(page, index, span)) continue;
    const placement = placeStamp(page, { kind: 'flow', index, from, span });
    if (overlapsAny(placement.rect, taken, allowance)) continue;
    slots.push({ placement, seen: toView(page, placement.rect) });
  }
  return slots;
}

function choose(request: PlaceRequest, slots: readonly Slot[]): ChosenPlace {
  const { printed } = request;
  const [first] = slots as [Slot, ...Slot[]];
  if (printed === undefined) return { placement: first.placement, covered: 'unknown' };
  for (const what of ['anything', 'words'] as const) {
    const free = slots.find(({ seen }) => printed.covered(seen, what) === 0)?.placement;
    const placement = free ?? findAnywhere(request, printed, first.seen, what);
    if (placement === undefined) continue;
    if (printed.isPartial) return { placement, covered: 'unknown' };
    if (printed.isPicture) return { placement, covered: 'picture' };
    return { placement, covered: what === 'anything' ? 'nothing' : 'print' };
  }
  const cost = ({ seen }: Slot): number => printed.covered(seen, 'words');
  const best = slots.reduce((least, slot) => (cost(slot) < cost(least) ? slot : least));
  return { placement: best.placement, covered: 'print' };
}

/** Distances from the page edge: first one that printers reach, then none if no space is left. */
const EDGES = [12, 0];

/** Limit of comparisons in the search of one page: a tenth of a second. */
const LOOKS_MAX = 10_000_000;
/** Cost of comparing the content of a rectangle, and the additional cost if it covers something. */
const LOOK = 8;
const SKIP = 64;

/** First free rectangle of this size in reading order; undefined if none within the limit. */
function findAnywhere(
  { page, from, taken, allowance }: PlaceRequest,
  printed: PrintedPage,
  like: Box,
  what: 'anything' | 'words',
): Placement | undefined {
  const view = pageView(page);
  const [width, height] = [like[2] - like[0], like[3] - like[1]];
  const step = 2 * printed.cell;
  const least = Math.max(0, allowance.looks - LOOKS_MAX);
  for (const edge of EDGES) {
    const highest = view.height - edge - height;
    for (let down = 0; down <= highest - edge; down += step) {
      const bottom = from === 'bottom' ? edge + down : highest - down;
      let left = edge;
      while (left <= view.width - edge - width) {
        const seen: Box = [left, bottom, left + width, bottom + height];
        const isCovered = printed.covered(seen, what) > 0;
        allowance.looks -= LOOK + (isCovered ? SKIP : taken.length);
        if (allowance.looks < least) return undefined;
        if (isCovered) {
          left += step * (1 + Math.floor((lastCovered(printed, seen, what) - left) / step));
          continue;
        }
        const placement = placementAt(page, seen);
        if (!taken.some((area) => overlaps(area, placement.rect))) return placement;
        left += step;
      }
    }
  }
  return undefined;
}

/** Left edge of a rectangle's last covered strip. Positions further left are covered, too. */
function lastCovered(
  printed: PrintedPage,
  [left, bottom, right, top]: Box,
  what: 'anything' | 'words',
): number {
  let [from, to] = [left, right];
  while (to - from > printed.cell) {
    const middle = (from + to) / 2;
    if (printed.covered([middle, bottom, right, top], what) > 0) from = middle;
    else to = middle;
  }
  return from;
}

/** Converts a box from default user space to the page as displayed. */
function toView(page: StampPage, [x1, y1, x2, y2]: Box): Box {
  const [a, b, c, d, e, f] = pageSight(page).matrix;
  const xs = [a * x1 + c * y1 + e, a * x2 + c * y2 + e] as const;
  const ys = [b * x1 + d * y1 + f, b * x2 + d * y2 + f] as const;
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** Whether two rectangles share more than an edge. */
function overlaps(a: Box, b: Box): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
