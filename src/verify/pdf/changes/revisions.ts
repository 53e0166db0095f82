import type { PdfFile, PrintBudget } from '../../../formats/pdf/index.ts';
import { collectFormNodes, type FormNode } from './form-nodes.ts';
import { type PageIndex, pageIndex } from './page-index.ts';
import type { ReferenceGraph } from './reference-graph.ts';

/** Decision whether pages under later signatures are compared, and its budget. */
export interface Looking {
  readonly printing: PrintBudget;
  isLookedAt(field: string): boolean;
}

/** The signed revision and the file as it is read now, with what the rules look up in them. */
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

/** Both states of a file; costly parts are computed on demand. */
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

/** True when the signed revision has no such object: nothing there can mean it. */
export function isNewObject({ before, graph }: Revisions, objectNumber: number): boolean {
  return before.locate(objectNumber) === undefined && !graph.absent.has(objectNumber);
}
