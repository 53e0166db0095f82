import { CoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { PdfFile } from './file.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asReference,
  type PdfDict,
  type PdfReference,
} from './objects.ts';

/** A page with the reference that leads to it. */
export interface PdfPage {
  readonly reference: PdfReference;
  readonly dict: PdfDict;
}

/**
 * The first page of the document.
 *
 * @throws pdf.structure.invalid when the page tree has no page
 * @throws limit.exceeded when the tree is too deep or has too many nodes
 * @spec ISO 32000-1 §7.7.3
 */
export function firstPage(file: PdfFile): PdfPage {
  const root = asReference(file.catalog.get('Pages'));
  const page = root === undefined ? undefined : firstLeaf(file, root, { seen: new Set(), kids: 0 });
  if (page !== undefined) return page;
  throw new CoreError('pdf.structure.invalid', 'the document has no page');
}

interface Walk {
  readonly seen: Set<number>;
  /** Entries of /Kids looked at: many nodes can share one long array. */
  kids: number;
}

function firstLeaf(
  file: PdfFile,
  reference: PdfReference,
  walk: Walk,
  depth = 0,
): PdfPage | undefined {
  if (depth > limits.pdfTreeDepth) {
    throw new CoreError(
      'limit.exceeded',
      `the page tree is deeper than ${limits.pdfTreeDepth} levels`,
    );
  }
  if (walk.seen.has(reference.objectNumber)) return undefined;
  walk.seen.add(reference.objectNumber);
  const dict = asDict(file.resolve(reference));
  if (dict === undefined) return undefined;
  const kids = asArray(file.resolve(dict.get('Kids')));
  if (kids === undefined) {
    return asName(file.resolve(dict.get('Type')))?.value === 'Pages'
      ? undefined
      : { reference, dict };
  }
  for (const kid of kids) {
    if (++walk.kids > limits.pdfTreeNodes) {
      throw new CoreError('limit.exceeded', 'the page tree has too many nodes');
    }
    const next = asReference(kid);
    const page = next === undefined ? undefined : firstLeaf(file, next, walk, depth + 1);
    if (page !== undefined) return page;
  }
  return undefined;
}

/**
 * The permission of the certification signature: 1 no changes, 2 forms and signatures, 3 also
 * annotations; undefined when the document is not certified.
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
