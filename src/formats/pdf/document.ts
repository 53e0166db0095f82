import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { createMemo } from '../../base/memo.ts';
import type { PdfFile } from './pdf-file.types.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asReference,
  type PdfDict,
  type PdfObject,
  type PdfReference,
} from './syntax/objects.ts';

/** A page and the reference to it. */
export interface PdfPage {
  /** Undefined if /Kids contains the dictionary itself instead of a reference. */
  readonly reference: PdfReference | undefined;
  readonly dict: PdfDict;
  /** For a page without reference: the node whose /Kids contains it, if that has a reference. */
  readonly holder?: PdfReference | undefined;
}

/**
 * The first page of the document.
 *
 * @throws pdf.structure.invalid if the page tree has no page
 * @throws limit.exceeded if the tree is too deep or has too many nodes
 * @spec ISO 32000-1 §7.7.3
 */
export function firstPage(file: PdfFile): PdfPage {
  const page = firstPages.get(file) ?? listPages(file, 1)[0];
  if (page !== undefined) {
    firstPages.set(file, page);
    return page;
  }
  throw new InnsigliError('pdf.structure.invalid', whyNoPage(file));
}

/** Sealing needs it at every step. */
const firstPages = createMemo<PdfFile, PdfPage>();

function whyNoPage(file: PdfFile): string {
  const entry = file.catalog.get('Pages');
  if (entry === undefined) return 'the document has no page: its catalog has no /Pages';
  if (asDict(file.resolve(entry)) !== undefined) return 'the document has no page';
  const number = asReference(entry)?.objectNumber;
  const root = number === undefined ? '/Pages' : `object ${number}`;
  return (
    `the pages of the document are lost: ${root}, the root of their tree, ` +
    'is missing or not a dictionary'
  );
}

/**
 * The pages in order, at most `most`. The page tree is read only as far as needed.
 *
 * @throws limit.exceeded if the tree is too deep or has too many nodes
 * @spec ISO 32000-1 §7.7.3
 */
export function listPages(file: PdfFile, most = Number.POSITIVE_INFINITY): readonly PdfPage[] {
  const walk: Walk = { file, seen: new Set(), pages: [], most, kids: 0 };
  collectPages(walk, file.catalog.get('Pages'), undefined, 0);
  return walk.pages;
}

interface Walk {
  readonly file: PdfFile;
  readonly seen: Set<number>;
  readonly pages: PdfPage[];
  readonly most: number;
  /** Number of /Kids entries visited: many nodes can share one long array. */
  kids: number;
}

/** `holder` is the node with `node` in its /Kids. */
function collectPages(
  walk: Walk,
  node: PdfObject | undefined,
  holder: PdfReference | undefined,
  depth: number,
): void {
  const { file, seen, pages, most } = walk;
  if (depth > limits.pdfTreeDepth) {
    const message = `the page tree is deeper than ${limits.pdfTreeDepth} levels`;
    throw new InnsigliError('limit.exceeded', message);
  }
  const reference = asReference(node);
  if (reference !== undefined) {
    if (seen.has(reference.objectNumber)) return;
    seen.add(reference.objectNumber);
  }
  const dict = asDict(file.resolve(node));
  if (dict === undefined) return;
  const kids = asArray(file.resolve(dict.get('Kids')));
  if (kids === undefined) {
    const isNode = asName(file.resolve(dict.get('Type')))?.value === 'Pages';
    if (isNode) return;
    pages.push(reference === undefined ? { reference, dict, holder } : { reference, dict });
    return;
  }
  for (const kid of kids) {
    if (pages.length >= most) return;
    if (++walk.kids > limits.pdfTreeNodes) {
      throw new InnsigliError('limit.exceeded', 'the page tree has too many nodes');
    }
    collectPages(walk, kid, reference, depth + 1);
  }
}

/**
 * Rejects a document of more than `most` pages as counted by viewers: a page listed several times
 * in the tree counts each time.
 *
 * @throws limit.exceeded
 */
export function requireFewPages(file: PdfFile, most: number): void {
  const root = file.resolve(file.catalog.get('Pages'));
  const open: (PdfObject | undefined)[] = [root];
  const stated = asInteger(file.resolve(asDict(root)?.get('Count'))) ?? 0;
  let pages = stated > most ? stated : 0;
  let nodes = 0;
  while (open.length > 0 && pages <= most && nodes <= most) {
    const dict = asDict(file.resolve(open.pop()));
    const kids = asArray(file.resolve(dict?.get('Kids')));
    if (kids === undefined) pages += 1;
    else {
      nodes += 1;
      if (kids.length + open.length <= 2 * most) open.push(...kids);
      else pages = most + 1;
    }
  }
  // Nodes without pages cost as much.
  if (pages <= most && nodes <= most) return;
  throw new InnsigliError('limit.exceeded', `expected at most ${most} pages, found more`, {
    details: { expectedPages: most },
    hint: 'split the document',
  });
}

/**
 * An entry of a page, its own or inherited from the page tree; null if there is none.
 *
 * @throws pdf.syntax.invalid and the other codes for reading an object
 * @spec ISO 32000-1 §7.7.3.4
 */
export function inheritedEntry(file: PdfFile, page: PdfDict, key: string): PdfObject {
  let node: PdfDict | undefined = page;
  for (let depth = 0; node !== undefined && depth <= limits.pdfTreeDepth; depth++) {
    const value = file.resolve(node.get(key));
    if (value !== null) return value;
    node = asDict(file.resolve(node.get('Parent')));
  }
  return null;
}

/**
 * The permission of the certification signature: 1 no changes, 2 forms and signatures, 3 also
 * annotations; undefined if the document is not certified.
 *
 * @spec ISO 32000-1 §12.8.2.2, §12.8.4
 */
export function certificationOf(file: PdfFile): 1 | 2 | 3 | undefined {
  const permissions = asDict(file.resolve(file.catalog.get('Perms')));
  const signature = asDict(file.resolve(permissions?.get('DocMDP')));
  if (signature === undefined) return undefined;
  for (const item of asArray(file.resolve(signature.get('Reference'))) ?? []) {
    const reference = asDict(file.resolve(item));
    const method = asName(file.resolve(reference?.get('TransformMethod')))?.value;
    if (method !== 'DocMDP') continue;
    const parameters = asDict(file.resolve(reference?.get('TransformParams')));
    const permission = asInteger(file.resolve(parameters?.get('P')));
    if (permission === 1 || permission === 3) return permission;
    return 2;
  }
  return 2;
}
