import {
  asArray,
  asDict,
  asInteger,
  asName,
  asStream,
  type PdfDict,
  type PdfStream,
} from '../../syntax/objects.ts';
import { areaAround, combine, cornersOf, identity, type Matrix } from '../matrix.ts';
import type { PrintSource } from '../print-source.ts';
import { type PrintBudget, spend } from '../work.ts';
import type { ContentPainter } from './content-painter.ts';
import { areaOf, matrixOf } from './operands.ts';

/** The flags Hidden, Print and NoView. @spec ISO 32000-1 §12.5.3 */
const HIDDEN = 2;
const PRINT = 4;
const NO_VIEW = 32;
/** Annotation types that viewers draw even without an appearance stream. */
const drawnByViewers: ReadonlySet<string> = new Set([
  ...['Text', 'FreeText', 'Line', 'Square', 'Circle', 'Polygon', 'PolyLine', 'Highlight'],
  ...['Underline', 'Squiggly', 'StrikeOut', 'Caret', 'Ink', 'FileAttachment'],
]);
/** Cost of inspecting an annotation, in steps. */
const ANNOTATION = 500;

/** Paints the appearances of a page's annotations over its content. */
export function paintAnnotations(
  page: PdfDict,
  painter: ContentPainter,
  source: PrintSource,
  budget: PrintBudget,
  view: Matrix,
): void {
  for (const item of asArray(source.resolve(page.get('Annots'))) ?? []) {
    spend(budget, ANNOTATION);
    const annotation = asDict(source.resolve(item));
    if (annotation === undefined) continue;
    const flags = asInteger(source.resolve(annotation.get('F'))) ?? 0;
    const kind = asName(source.resolve(annotation.get('Subtype')))?.value;
    if (isHidden(flags) || kind === 'Popup') continue;
    const form = appearanceOf(annotation, source);
    const rect = areaOf(source.resolve(annotation.get('Rect')), source);
    if (rect === undefined) continue;
    if (form === undefined) {
      if (drawnByViewers.has(kind ?? '')) painter.paintBox(rect, view);
      continue;
    }
    const placed = appearanceMatrix(form, rect, source);
    if (placed !== undefined) painter.paintForm(form, undefined, combine(placed, view));
  }
}

/** Whether the annotation is shown neither on screen nor on paper: NoView may be printed. */
function isHidden(flags: number): boolean {
  return (flags & HIDDEN) !== 0 || ((flags & NO_VIEW) !== 0 && (flags & PRINT) === 0);
}

/** The normal appearance in its current state. @spec ISO 32000-1 §12.5.5 */
function appearanceOf(annotation: PdfDict, source: PrintSource): PdfStream | undefined {
  const looks = asDict(source.resolve(annotation.get('AP')));
  const normal = source.resolve(looks?.get('N'));
  const states = asDict(normal);
  // If no state is named and there is only one, viewers use it.
  const [only] = states?.size === 1 ? states.keys() : ['Off'];
  const state = asName(source.resolve(annotation.get('AS')))?.value ?? only ?? 'Off';
  return asStream(normal) ?? asStream(source.resolve(states?.get(state)));
}

/** Maps the box of the form to the rectangle. @spec ISO 32000-1 §12.5.5, algorithm 8.1 */
function appearanceMatrix(
  { dict }: PdfStream,
  rect: readonly [number, number, number, number],
  source: PrintSource,
): Matrix | undefined {
  const box = areaOf(source.resolve(dict.get('BBox')), source);
  if (box === undefined) return undefined;
  const own = matrixOf(source.resolve(dict.get('Matrix')), source) ?? identity;
  const [left, bottom, right, top] = areaAround(cornersOf(box, own));
  if (!(right > left && top > bottom)) return undefined;
  const across = (rect[2] - rect[0]) / (right - left);
  const up = (rect[3] - rect[1]) / (top - bottom);
  return [across, 0, 0, up, rect[0] - across * left, rect[1] - up * bottom];
}
