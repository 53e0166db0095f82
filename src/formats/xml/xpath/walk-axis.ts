import { limits } from '../../../base/limits.ts';
import type { Axis, NodeTest, Step } from './expression.ts';
import type { NodeTree, Steps, TakeNode, XPathNode } from './node-tree.ts';
import { tooManyNodes } from './xpath-error.ts';

/** A test for the nodes of one axis of one document. */
export interface AxisTest {
  readonly axis: Axis;
  /** Whether the nodes must be visited in axis order. */
  readonly isOrdered: boolean;
  /** Whether a node passes. */
  readonly passes: (node: XPathNode) => boolean;
  /** The same by element index, without a node; undefined if other kinds of nodes may pass. */
  readonly passesIndex: ((index: number) => boolean) | undefined;
  /** Number of the URI of all elements that pass; undefined if it may be any. */
  readonly uri?: number | undefined;
}

/** The node test, reduced to comparing numbers. @spec XPath 1.0 §2.3 */
export function axisTest({ axis, test, predicates }: Step, tree: NodeTree): AxisTest {
  const isOrdered = predicates.some(({ isPositional }) => isPositional);
  return { axis, isOrdered, ...matcher(axis, test, tree) };
}

function matcher(
  axis: Axis,
  test: NodeTest,
  tree: NodeTree,
): Pick<AxisTest, 'passes' | 'passesIndex' | 'uri'> {
  if (test.kind === 'node') return { passes: () => true, passesIndex: undefined };
  if (test.kind === 'instruction') {
    const { target } = test;
    const passes = (node: XPathNode) =>
      node.kind === 'instruction' && (target === undefined || tree.naming(node).name === target);
    return { passes, passesIndex: undefined };
  }
  if (test.kind !== 'name') {
    return { passes: ({ kind }) => kind === test.kind, passesIndex: undefined };
  }
  const { document } = tree;
  const { columns, names, uris } = document;
  const { namespaceUri, localName } = test;
  if (axis === 'namespace') {
    const prefix = localName === undefined ? undefined : names.prefixes.find(localName);
    const isNamed = namespaceUri === '' || namespaceUri === undefined;
    const passes = (node: XPathNode) =>
      node.kind === 'namespace' && isNamed && (localName === undefined || node.name === prefix);
    return { passes, passesIndex: undefined };
  }
  const uri = namespaceUri === undefined ? undefined : (uris.find(namespaceUri) ?? -1);
  const local = localName === undefined ? undefined : (names.locals.find(localName) ?? -1);
  if (axis === 'attribute') {
    const passes = (node: XPathNode) => {
      const found = tree.nameNumbers(node);
      if (node.kind !== 'attribute' || found === undefined) return false;
      return (uri ?? found.uri) === found.uri && (local ?? found.local) === found.local;
    };
    return { passes, passesIndex: undefined };
  }
  // By name number, so that testing an element takes two lookups.
  const isNamed = new Uint8Array(names.known.length);
  for (const [name, known] of names.known.entries()) {
    if ((local ?? known.local) === known.local) isNamed[name] = 1;
  }
  const { name: nameOf, uri: uriOf } = columns;
  const passesIndex = (index: number) =>
    isNamed[nameOf[index] as number] === 1 && (uri === undefined || uriOf[index] === uri);
  const passes = ({ kind, element }: XPathNode) => kind === 'element' && passesIndex(element);
  return { passes, passesIndex, uri };
}

/** Number of elements tested by number alone per step. */
const ELEMENTS_PER_STEP = 8;

/** Up to this many elements, the range is not first narrowed to the namespace. */
const FEW_ELEMENTS = 64;

/** Number of bytes skipped per step. */
const SKIPPED_A_STEP = 1_024;

/** Elements are skipped by index, text byte by byte. */
function costOf({ kind, start, end }: XPathNode): number {
  return kind === 'element' || kind === 'root' ? 1 : 1 + (end - start) / SKIPPED_A_STEP;
}

/**
 * Passes the matching nodes of an axis to `take`; returns whether `take` ended the walk.
 *
 * @spec XPath 1.0 §2.2
 */
export function walkAxis(
  tree: NodeTree,
  from: XPathNode,
  test: AxisTest,
  steps: Steps,
  take: TakeNode,
): boolean {
  const offer = (node: XPathNode): boolean => {
    steps.step(costOf(node));
    return test.passes(node) && take(node);
  };
  switch (test.axis) {
    case 'self':
      return offer(from);
    case 'parent': {
      const parent = tree.parent(from);
      return parent !== undefined && offer(parent);
    }
    case 'ancestor':
    case 'ancestor-or-self':
      return walkUp(tree, from, test, steps, take);
    case 'attribute':
      return from.kind === 'element' && tree.attributes(from.element).some(offer);
    case 'namespace':
      return from.kind === 'element' && tree.namespaces(from.element).some(offer);
    case 'child':
      return tree.content(from, false, offer);
    case 'descendant':
    case 'descendant-or-self':
      if (test.axis === 'descendant-or-self' && offer(from)) return true;
      return walkDown(tree, from, test, steps, take) ?? tree.content(from, true, offer);
    case 'following-sibling':
    case 'preceding-sibling':
      return walkSiblings(tree, from, test, steps, offer);
    case 'following':
      return walkFollowing(tree, from, test, steps, take, offer);
    case 'preceding':
      return walkPreceding(tree, from, test, steps, take, offer);
  }
}

function walkUp(
  tree: NodeTree,
  from: XPathNode,
  { axis, passes, passesIndex }: AxisTest,
  steps: Steps,
  take: TakeNode,
): boolean {
  steps.step(1);
  const isSelf = axis === 'ancestor-or-self';
  if (isSelf && passes(from) && take(from)) return true;
  if (from.kind === 'root') return false;
  let index = from.kind === 'element' ? tree.parentIndex(from.element) : from.element;
  for (; index >= 0; index = tree.parentIndex(index)) {
    steps.step(1);
    if (passesIndex === undefined) {
      const node = tree.element(index);
      if (passes(node) && take(node)) return true;
    } else if (passesIndex(index) && take(tree.element(index))) return true;
  }
  const root = tree.root();
  return passes(root) && take(root);
}

/** Walks elements by number alone; undefined if other nodes may pass. */
function walkDown(
  tree: NodeTree,
  { kind, element }: XPathNode,
  test: AxisTest,
  steps: Steps,
  take: TakeNode,
): boolean | undefined {
  if (test.passesIndex === undefined) return undefined;
  if (kind !== 'root' && kind !== 'element') return false;
  const { columns } = tree.document;
  const end = kind === 'root' ? columns.count : (columns.after[element] as number);
  return walkIndexes(tree, kind === 'root' ? 0 : element + 1, end, test, steps, take);
}

function walkIndexes(
  tree: NodeTree,
  first: number,
  end: number,
  { passesIndex, uri }: AxisTest,
  steps: Steps,
  take: TakeNode,
): boolean {
  steps.step(1 + Math.max(0, end - first) / ELEMENTS_PER_STEP);
  if (passesIndex === undefined) return false;
  const isLong = uri !== undefined && end - first > FEW_ELEMENTS;
  const { columns } = tree.document;
  const [start, stop] = isLong ? columns.inNamespace(uri, first, end) : [first, end];
  for (let index = start; index < stop; index++) {
    if (!passesIndex(index)) continue;
    steps.step(1);
    if (take(tree.element(index))) return true;
  }
  return false;
}

function walkSiblings(
  tree: NodeTree,
  from: XPathNode,
  { axis, isOrdered }: AxisTest,
  steps: Steps,
  offer: TakeNode,
): boolean {
  const parent = tree.parent(from);
  if (parent === undefined || from.kind === 'attribute' || from.kind === 'namespace') return false;
  const { columns, bytes, prologEnd } = tree.document;
  const { element } = parent;
  if (axis === 'following-sibling') {
    const end = element < 0 ? bytes.length : (columns.close[element] as number);
    return tree.scan(from.end, end, tree.indexAt(from.end), element, false, offer);
  }
  const start = element < 0 ? prologEnd : (columns.tagEnd[element] as number);
  const walk = (take: TakeNode) => tree.scan(start, from.start, element + 1, element, false, take);
  return isOrdered ? backwards(walk, steps, offer) : walk(offer);
}

/** Offers nodes in the reverse order of a walk. */
function backwards(walk: (take: TakeNode) => boolean, steps: Steps, offer: TakeNode): boolean {
  const nodes: XPathNode[] = [];
  walk((node) => {
    steps.step(costOf(node));
    nodes.push(node);
    if (nodes.length > limits.xmlXPathNodes) throw tooManyNodes();
    return false;
  });
  return nodes.reverse().some(offer);
}

function walkFollowing(
  tree: NodeTree,
  from: XPathNode,
  test: AxisTest,
  steps: Steps,
  take: TakeNode,
  offer: TakeNode,
): boolean {
  if (from.kind === 'root') return false;
  const { columns, bytes } = tree.document;
  const { kind, element } = from;
  const isOfTag = kind === 'attribute' || kind === 'namespace';
  // The content of an element follows its attributes.
  const start = isOfTag ? (columns.tagEnd[element] as number) : from.end;
  const index = tree.indexAt(start);
  if (test.passesIndex !== undefined) {
    return walkIndexes(tree, index, columns.count, test, steps, take);
  }
  let around = isOfTag || kind !== 'element' ? element : tree.parentIndex(element);
  // An empty tag has no separate end tag.
  if (isOfTag && start === columns.end[element]) around = tree.parentIndex(element);
  return tree.scan(start, bytes.length, index, around, true, offer);
}

function walkPreceding(
  tree: NodeTree,
  from: XPathNode,
  { passesIndex, isOrdered }: AxisTest,
  steps: Steps,
  take: TakeNode,
  offer: TakeNode,
): boolean {
  if (from.kind === 'root') return false;
  const { columns, prologEnd } = tree.document;
  const { start } = from.kind === 'attribute' ? tree.element(from.element) : from;
  if (passesIndex !== undefined) {
    for (let index = tree.indexAt(start) - 1; index >= 0; index--) {
      steps.step(1);
      const isAround = (columns.end[index] as number) > start;
      if (!isAround && passesIndex(index) && take(tree.element(index))) return true;
    }
    return false;
  }
  const walk = (give: TakeNode) =>
    tree.scan(prologEnd, start, 0, -1, true, (node) => {
      if (node.end <= start) return give(node);
      steps.step(1);
      return false;
    });
  return isOrdered ? backwards(walk, steps, offer) : walk(offer);
}
