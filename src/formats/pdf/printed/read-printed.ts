import { InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { attemptRead } from '../budget.ts';
import { inheritedEntry, type PdfPage } from '../document.ts';
import type { PdfFile } from '../pdf-file.types.ts';
import { asArray, asDict, asStream } from '../syntax/objects.ts';
import { Coverage, type PaintTarget } from './coverage.ts';
import { type Area, areaOfLine, identity, intersection, type Matrix } from './matrix.ts';
import { paintAnnotations } from './painting/annotation-painter.ts';
import { ContentPainter } from './painting/content-painter.ts';
import { PrintSource } from './print-source.ts';
import { type PrintedPage, summarize } from './printed-page.ts';
import { type PrintBudget, pageBudget, spend } from './work.ts';

/** A page as displayed. */
export interface PageView {
  readonly width: number;
  readonly height: number;
  /** Matrix from default user space to the view, whose lower left corner is 0, 0. */
  readonly matrix: Matrix;
}

/** Maximum side of a PDF 1.x page. @spec ISO 32000-1 Annex C.2 */
const MAX_SIDE = 14_400;
/** Cost per cell of the raster, in steps: it is cleared, and summed up twice. */
const CELL = 0.5;
/** Cost per part of the content, in steps. */
const PART = 200;

/**
 * The printed content of a page; `costly` or `damaged` if it cannot be read. Clips are approximated
 * by their bounding boxes, invisible text counts as painted, and a background does not count.
 */
export function readPrinted(
  file: PdfFile,
  page: PdfPage,
  view: PageView,
  budget: PrintBudget,
): PrintedPage | 'costly' | 'damaged' {
  const own = pageBudget(budget);
  const before = { ...own };
  try {
    return readPage(file, page, view, own);
  } catch (error) {
    if (isInnsigliError(error)) return error.code === 'limit.exceeded' ? 'costly' : 'damaged';
    throw error;
  } finally {
    budget.steps -= before.steps - Math.max(0, own.steps);
    budget.decodedBytes -= before.decodedBytes - Math.max(0, own.decodedBytes);
  }
}

function readPage(file: PdfFile, page: PdfPage, view: PageView, budget: PrintBudget): PrintedPage {
  // Also true for infinite or NaN sides.
  if (!(view.width <= MAX_SIDE && view.height <= MAX_SIDE)) {
    const message = `a side of the page is longer than ${MAX_SIDE} points`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const coverage = new Coverage(view.width, view.height, budget);
  spend(budget, CELL * coverage.cells.length);
  const source = new PrintSource(file, budget, (own, content, resources) => {
    const extent = new Extent();
    new ContentPainter(own, extent, budget).paint(content, resources, identity);
    return extent.isPartial ? 'unknown' : extent.area;
  });
  const painter = new ContentPainter(source, coverage, budget);
  const resources = asDict(attemptRead(() => inheritedEntry(file, page.dict, 'Resources')));
  painter.paint(contentOf(page, source, budget), resources, view.matrix);
  paintAnnotations(page.dict, painter, source, budget, view.matrix);
  return summarize(coverage);
}

/** The content streams of the page, concatenated. @spec ISO 32000-1 §7.8.2 */
function contentOf(page: PdfPage, source: PrintSource, budget: PrintBudget): Uint8Array {
  // Unlike elsewhere, errors are thrown here: unreadable content is not blank.
  const { file } = source;
  const contents = file.resolve(page.dict.get('Contents'));
  const parts = (asArray(contents) ?? [contents]).flatMap((item) => {
    spend(budget, PART);
    const stream = asStream(file.resolve(item));
    if (stream === undefined) return [];
    const data = source.contentOf(stream);
    // All parts can be the same stream: each copy counts.
    spend(budget, data.length >> 2);
    return [data, Uint8Array.of(0x0a)];
  });
  return Buffer.concat(parts);
}

/** Beyond the extent of any page. */
const FAR = 1e9;

/** Bounding box of painted content. */
class Extent implements PaintTarget {
  readonly view: Area = [-FAR, -FAR, FAR, FAR];
  isPicture = false;
  isPartial = false;
  /** Undefined if nothing is painted. */
  area: Area | undefined;

  isGround(): boolean {
    return false;
  }

  fillUnknown(): void {
    this.isPartial = true;
  }

  fillArea(area: Area): void {
    const [left, bottom, right, top] = intersection(area, this.view);
    // Also false for NaN: meaningless numbers paint nothing.
    if (!(right >= left && top >= bottom)) return;
    const own = this.area ?? [left, bottom, right, top];
    this.area = [
      Math.min(own[0], left),
      Math.min(own[1], bottom),
      Math.max(own[2], right),
      Math.max(own[3], top),
    ];
  }

  strokeLine(x1: number, y1: number, x2: number, y2: number, width: number, clip: Area): void {
    this.fillArea(intersection(areaOfLine([x1, y1, x2, y2], width / 2), clip));
  }

  fillPaths(paths: readonly (readonly number[])[], _isEvenOdd: boolean, clip: Area): void {
    for (const path of paths) {
      for (let at = 0; at + 1 < path.length; at += 2) {
        const [x, y] = [path[at] as number, path[at + 1] as number];
        const [nextX, nextY] = [path[at + 2] ?? x, path[at + 3] ?? y];
        this.strokeLine(x, y, nextX, nextY, 0, clip);
      }
    }
  }
}
