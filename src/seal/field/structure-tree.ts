import {
  asArray,
  asDict,
  asInteger,
  asName,
  asReference,
  encodeText,
  listSignatureFields,
  type PdfDict,
  type PdfFile,
  type PdfObject,
  type PdfReference,
  type PdfUpdate,
  pdfName,
} from '../../formats/pdf/index.ts';
import type { PageObject } from './page-objects.ts';

/** An annotation added by a seal. */
export interface AddedAnnotation {
  readonly reference: PdfReference;
  readonly page: PageObject;
  /** Role of the annotation: form field or stamp. */
  readonly role: 'Form' | 'Annot';
  /** Text for screen readers. */
  readonly description: string;
  readonly isVisible: boolean;
}

/** Entries that make additions part of the structure tree of a tagged document. */
export interface StructureTags {
  /** Entries of the annotation. */
  annotation(reference: PdfReference): ReadonlyMap<string, PdfObject>;
  /** Entries of the page with the annotation. */
  readonly page: ReadonlyMap<string, PdfObject>;
}

const none: ReadonlyMap<string, PdfObject> = new Map();
const untagged: StructureTags = { annotation: () => none, page: none };

/**
 * Adds visible annotations to the structure tree of a tagged document, so that it stays PDF/UA: one
 * element per annotation after the existing ones, its key in the parent tree, and the tab order of
 * the page. A document without tags, with a malformed tree or with signatures is not changed:
 * verifiers would report such changes to a signed document.
 *
 * @spec ISO 14289-1 §7.18.1, §7.18.3, §7.18.4; ISO 32000-1 §14.7.4
 */
export function tagAnnotations(
  file: PdfFile,
  update: PdfUpdate,
  added: readonly AddedAnnotation[],
): StructureTags {
  const marks = asDict(file.resolve(file.catalog.get('MarkInfo')));
  if (marks === undefined || file.resolve(marks.get('Marked')) !== true) return untagged;
  if (listSignatureFields(file).some(({ value }) => value !== undefined)) return untagged;
  const page = new Map<string, PdfObject>([['Tabs', pdfName('S')]]);
  const visible = added.filter(({ isVisible }) => isVisible);
  const tree = visible.length === 0 ? undefined : openTree(file);
  if (tree === undefined) return { annotation: () => none, page };
  const entries = new Map<number, ReadonlyMap<string, PdfObject>>();
  const elements: PdfReference[] = [];
  for (const [index, annotation] of visible.entries()) {
    const element = update.allocate();
    elements.push(element);
    update.set(element, elementOf(annotation, tree.parent));
    const text = encodeText(annotation.description);
    entries.set(
      annotation.reference.objectNumber,
      new Map<string, PdfObject>([
        ['StructParent', tree.nextKey + index],
        [annotation.role === 'Form' ? 'TU' : 'Contents', text],
      ]),
    );
  }
  extendTree(file, update, tree, elements);
  return { annotation: ({ objectNumber }) => entries.get(objectNumber) ?? none, page };
}

/** The changed parts of the structure tree. */
interface OpenTree {
  readonly root: PdfReference;
  readonly rootDict: PdfDict;
  /** The top-level element that contains all others, or the root. */
  readonly parent: PdfReference;
  readonly parentDict: PdfDict;
  readonly nextKey: number;
  /** The parent tree, a number tree from annotations to elements, and its reference. */
  readonly parentTree: PdfDict;
  readonly parentTreeReference: PdfReference | undefined;
}

function openTree(file: PdfFile): OpenTree | undefined {
  const root = asReference(file.catalog.get('StructTreeRoot'));
  const rootDict = asDict(file.resolve(root));
  const nextKey = asInteger(file.resolve(rootDict?.get('ParentTreeNextKey')));
  const entry = rootDict?.get('ParentTree');
  const parentTree = asDict(file.resolve(entry));
  if (root === undefined || rootDict === undefined || parentTree === undefined) return undefined;
  const key = nextKey ?? nextFreeKey(file, parentTree);
  if (key === undefined || key < 0) return undefined;
  const kids = file.resolve(rootDict.get('K'));
  const [only, ...others] = asArray(kids) ?? [rootDict.get('K') ?? null];
  const top = others.length === 0 ? asReference(only) : undefined;
  const topDict = asDict(file.resolve(top));
  const isElement = topDict?.has('S') === true && top !== undefined;
  return {
    root,
    rootDict,
    parent: isElement ? top : root,
    parentDict: isElement ? topDict : rootDict,
    nextKey: key,
    parentTree,
    parentTreeReference: asReference(entry),
  };
}

/** The next free key of a tree that does not state it. Undefined if it cannot be determined. */
function nextFreeKey(file: PdfFile, tree: PdfDict): number | undefined {
  const numbers = asArray(file.resolve(tree.get('Nums')));
  if (numbers !== undefined) return (asInteger(file.resolve(numbers.at(-2))) ?? -1) + 1;
  const last = asArray(file.resolve(tree.get('Kids')))?.at(-1);
  const bounds = asArray(file.resolve(asDict(file.resolve(last))?.get('Limits')));
  const highest = asInteger(file.resolve(bounds?.[1]));
  return highest === undefined ? undefined : highest + 1;
}

function elementOf(annotation: AddedAnnotation, parent: PdfReference): PdfDict {
  const { page, reference, role, description } = annotation;
  const target: [string, PdfObject][] = [
    ['Type', pdfName('OBJR')],
    ['Obj', reference],
    ['Pg', page.reference],
  ];
  return new Map<string, PdfObject>([
    ['Type', pdfName('StructElem')],
    ['S', pdfName(role)],
    ['P', parent],
    ['Pg', page.reference],
    ['Alt', encodeText(description)],
    ['K', new Map(target)],
  ]);
}

function extendTree(
  file: PdfFile,
  update: PdfUpdate,
  tree: OpenTree,
  elements: readonly PdfReference[],
): void {
  const { root, rootDict, parent, parentDict, nextKey } = tree;
  const rootNow = new Map<string, PdfObject>(rootDict);
  rootNow.set('ParentTreeNextKey', nextKey + elements.length);
  const grown = growParentTree(file, update, tree, elements);
  if (tree.parentTreeReference === undefined) rootNow.set('ParentTree', grown);
  else update.set(tree.parentTreeReference, grown);
  if (parent.objectNumber === root.objectNumber)
    rootNow.set('K', kidsWith(file, rootDict, elements));
  else {
    const parentNow = new Map<string, PdfObject>(parentDict);
    parentNow.set('K', kidsWith(file, parentDict, elements));
    update.set(parent, parentNow);
  }
  update.set(root, rootNow);
}

/** Appends entries to a flat tree, and a new leaf to any other tree. */
function growParentTree(
  file: PdfFile,
  update: PdfUpdate,
  { parentTree, nextKey }: OpenTree,
  elements: readonly PdfReference[],
): PdfDict {
  const rows = elements.flatMap((element, index): PdfObject[] => [nextKey + index, element]);
  const kids = asArray(file.resolve(parentTree.get('Kids')));
  const grown = new Map<string, PdfObject>(parentTree);
  if (kids === undefined) {
    const numbers = asArray(file.resolve(parentTree.get('Nums'))) ?? [];
    return grown.set('Nums', [...numbers, ...rows]);
  }
  const leaf = update.allocate();
  const bounds = [nextKey, nextKey + elements.length - 1];
  update.set(
    leaf,
    new Map<string, PdfObject>([
      ['Limits', bounds],
      ['Nums', rows],
    ]),
  );
  return grown.set('Kids', [...kids, leaf]);
}

function kidsWith(
  file: PdfFile,
  dict: PdfDict,
  elements: readonly PdfReference[],
): readonly PdfObject[] {
  const entry = dict.get('K');
  const kids = asArray(file.resolve(entry));
  if (kids !== undefined) return [...kids, ...elements];
  const isName = asName(entry) !== undefined;
  return entry === undefined || entry === null || isName ? elements : [entry, ...elements];
}
