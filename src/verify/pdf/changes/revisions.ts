import { limits } from '../../../base/limits.ts';
import { once } from '../../../base/memo.ts';
import {
  asArray,
  asName,
  asReference,
  listPages,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfPage,
  PdfReference,
  PdfStream,
  type PrintBudget,
  readUndamaged,
} from '../../../formats/pdf/index.ts';
import { collectFormNodes, type FormNode } from './form-nodes.ts';
import { type ReferenceGraph, referencesIn } from './reference-graph.ts';

/** Which pages under later signatures are compared, and the budget for it. */
export interface Looking {
  readonly printing: PrintBudget;
  isLookedAt(field: string): boolean;
}

/** The signed revision and the current file, with the indexes that the rules need. */
export interface Revisions {
  readonly before: PdfFile;
  readonly after: PdfFile;
  readonly graph: ReferenceGraph;
  readonly oldNodes: ReadonlyMap<number, FormNode>;
  readonly newNodes: ReadonlyMap<number, FormNode>;
  readonly oldPages: PageIndex;
  readonly newPages: PageIndex;
  readonly looking: Looking;
}

/** Indexes both states of a file. Costly parts are computed on demand. */
export function compareRevisions(
  before: PdfFile,
  after: PdfFile,
  graph: ReferenceGraph,
): Omit<Revisions, 'looking'> {
  const oldNodes = collectFormNodes(before);
  const newNodes = collectFormNodes(after);
  const [oldPages, newPages] = [pageIndex(before), pageIndex(after)];
  return { before, after, graph, oldNodes, newNodes, oldPages, newPages };
}

/** Whether the signed revision has no such object, so that nothing in it can refer to it. */
export function isNewObject({ before, graph }: Revisions, objectNumber: number): boolean {
  return before.locate(objectNumber) === undefined && !graph.absent.has(objectNumber);
}

/** Look-up of the pages of a revision by the objects they refer to. Pages are counted from 1. */
interface PageIndex {
  /** Number of the page that is this object. */
  pageNumber(objectNumber: number): number | undefined;
  page(pageNumber: number): PdfPage | undefined;
  /** First page with this annotation. */
  pageOfAnnotation(objectNumber: number): number | undefined;
  /** First page whose annotation array is this object. */
  pageOfList(objectNumber: number): number | undefined;
  /** Whether the annotation array belongs to several pages. */
  isSharedList(objectNumber: number): boolean;
  /** First page that refers to the object, and the entry through which it does. */
  findShown(objectNumber: number): { readonly page: number; readonly entry: string } | undefined;
}

/** Creates an index that is built on demand. */
function pageIndex(file: PdfFile): PageIndex {
  const all = once(() => readUndamaged(() => listPages(file)) ?? []);
  const numbers = once(() => numbersOf(all()));
  const lists = once(() => annotationsOf(file, all()));
  const shown = once(() => reachedFrom(file, all()));
  return {
    pageNumber: (objectNumber) => numbers().get(objectNumber),
    page: (pageNumber) => all()[pageNumber - 1],
    pageOfAnnotation: (objectNumber) => lists().pages.get(objectNumber),
    pageOfList: (objectNumber) => lists().lists.get(objectNumber),
    isSharedList: (objectNumber) => lists().shared.has(objectNumber),
    findShown: (objectNumber) => shown().get(objectNumber),
  };
}

function numbersOf(pages: readonly PdfPage[]): ReadonlyMap<number, number> {
  const numbers = new Map<number, number>();
  for (const [index, { reference }] of pages.entries()) {
    if (reference !== undefined) numbers.set(reference.objectNumber, index + 1);
  }
  return numbers;
}

function annotationsOf(file: PdfFile, pages: readonly PdfPage[]) {
  const [found, lists] = [new Map<number, number>(), new Map<number, number>()];
  const shared = new Set<number>();
  let left: number = limits.pdfTreeNodes;
  for (const [index, { dict }] of pages.entries()) {
    const list = asReference(dict.get('Annots'))?.objectNumber;
    // Many pages can share one long array, which is read once.
    if (list !== undefined && lists.has(list)) {
      shared.add(list);
      continue;
    }
    if (list !== undefined) lists.set(list, index + 1);
    const items = readUndamaged(() => asArray(file.resolve(dict.get('Annots')))) ?? [];
    left -= items.length;
    if (left < 0) break;
    for (const item of items) {
      const number = asReference(item)?.objectNumber;
      if (number !== undefined && !found.has(number)) found.set(number, index + 1);
    }
  }
  return { pages: found, lists, shared };
}

/** Entries that refer to other pages or back. */
const elsewhere = new Set(['Parent', 'P', 'Dest', 'A', 'AA', 'B', 'StructParents', 'IRT', 'Popup']);

/** Objects by the first page that refers to them, up to the limit in {@link limits}. */
function reachedFrom(file: PdfFile, pages: readonly PdfPage[]) {
  const found = new Map<number, { readonly page: number; readonly entry: string }>();
  let left: number = limits.describedObjects;
  for (const [index, { dict }] of pages.entries()) {
    // Content of the page itself precedes its annotations.
    for (const [entry, value] of [...dict].sort(byAnnotations)) {
      if (elsewhere.has(entry)) continue;
      const open: PdfObject[] = [value];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        for (const number of referencesIn(next)) {
          if (found.has(number)) continue;
          if (--left < 0) return found;
          found.set(number, { page: index + 1, entry });
          const target = readUndamaged(() => file.resolve(new PdfReference(number))) ?? null;
          if (!isPageNode(target)) open.push(withoutElsewhere(target));
        }
      }
    }
  }
  return found;
}

function byAnnotations([a]: readonly [string, PdfObject], [b]: readonly [string, PdfObject]) {
  return Number(a === 'Annots') - Number(b === 'Annots');
}

function isPageNode(value: PdfObject): boolean {
  const type = value instanceof Map ? asName(value.get('Type'))?.value : undefined;
  return type === 'Page' || type === 'Pages' || type === 'Catalog';
}

function withoutElsewhere(value: PdfObject): PdfObject {
  const dict: PdfDict | undefined =
    value instanceof PdfStream ? value.dict : value instanceof Map ? value : undefined;
  if (dict === undefined) return value;
  return new Map([...dict].filter(([key]) => !elsewhere.has(key)));
}
