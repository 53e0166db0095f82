import { limits } from '../../../base/limits.ts';
import type { NodeKind, NodeTree, XPathNode } from './node-tree.ts';
import { beyondLimit } from './xpath-error.ts';

/** Set operation that combines two selections. */
export type SetOperation = 'intersect' | 'subtract' | 'union';

/** A subtree, excluding subtrees inside it. */
export interface Subtree {
  /** Index of the element; -1 for the document. */
  readonly apex: number;
  /** Indexes of the elements excluded with their content, ascending. */
  readonly excluded: readonly number[];
}

/** A node that is not selected although its parent is. */
export interface OmittedNode {
  /** The element itself, or the node's parent; -1 for nodes next to the root element. */
  readonly element: number;
  /** `tags`: an element of which only part of the content is selected. */
  readonly what: NodeKind | 'tags';
  /** Name of an attribute. */
  readonly name?: string;
}

/**
 * A set of nodes of one document: whether each element is selected, and the other nodes whose
 * selection differs from that of their element.
 */
export class NodeSelection {
  readonly tree: NodeTree;
  isRootSelected: boolean;
  /** 1 for each selected element. */
  readonly elements: Uint8Array;
  /** Index of the element, by the order of each node whose selection differs from it. */
  readonly #lone = new Map<number, number>();

  /** Selects all nodes of the document, or none. */
  constructor(tree: NodeTree, isAll: boolean) {
    this.tree = tree;
    this.isRootSelected = isAll;
    this.elements = new Uint8Array(tree.document.columns.count);
    if (isAll) this.elements.fill(1);
  }

  /** Whether all attributes, text nodes and so on are selected exactly if their element is. */
  get isOfElements(): boolean {
    return this.#lone.size === 0;
  }

  /** Whether a node is selected. */
  has({ kind, order, element }: XPathNode): boolean {
    if (kind === 'root') return this.isRootSelected;
    return kind === 'element' ? this.elements[element] === 1 : this.hasAt(order, element);
  }

  /** Whether the attribute, text node or other non-element at this position is selected. */
  hasAt(order: number, element: number): boolean {
    return this.#isOf(element) !== (this.#lone.size > 0 && this.#lone.has(order));
  }

  #isOf(element: number): boolean {
    return element < 0 ? this.isRootSelected : this.elements[element] === 1;
  }

  /** Selects or deselects an element with its content. */
  setSubtree(element: number, isSelected: boolean): void {
    const { columns } = this.tree.document;
    const after = columns.after[element] as number;
    this.elements.fill(isSelected ? 1 : 0, element, after);
    const start = columns.start[element] as number;
    const end = columns.end[element] as number;
    for (const order of this.#lone.keys()) {
      if (order >= start && order < end) this.#lone.delete(order);
    }
  }

  /** Selects or deselects an attribute, text node and so on; its element must be set before. */
  setLone({ order, element }: Pick<XPathNode, 'order' | 'element'>, isSelected: boolean): void {
    if (isSelected === this.#isOf(element)) this.#lone.delete(order);
    else {
      this.#lone.set(order, element);
      if (this.#lone.size > limits.xmlXPathLoneNodes) {
        throw beyondLimit(`an XPath separates more than ${limits.xmlXPathLoneNodes} nodes`);
      }
    }
  }

  /** Returns the combination of both selections. */
  with(operation: SetOperation, other: NodeSelection): NodeSelection {
    const operate = operations[operation];
    this.tree.steps.step(LONE_STEPS * (this.#lone.size + other.#lone.size));
    const result = new NodeSelection(this.tree, false);
    result.isRootSelected = operate(+this.isRootSelected, +other.isRootSelected) === 1;
    join(operation, this.elements, other.elements, result.elements);
    for (const [order, element] of [...this.#lone, ...other.#lone]) {
      const own = +this.hasAt(order, element);
      result.setLone({ order, element }, operate(own, +other.hasAt(order, element)) === 1);
    }
    return result;
  }

  /** Returns the same nodes as one subtree with exclusions; undefined if that is not possible. */
  asSubtree(): Subtree | undefined {
    if (!this.isOfElements) return undefined;
    const { elements } = this;
    const { after } = this.tree.document.columns;
    const apex = this.isRootSelected ? -1 : elements.indexOf(1);
    if (apex < 0 && !this.isRootSelected) return undefined;
    const end = apex < 0 ? elements.length : (after[apex] as number);
    if (elements.lastIndexOf(1) >= end) return undefined;
    const excluded: number[] = [];
    const nextSelected = selectedFinder(elements);
    let index = elements.indexOf(0, Math.max(apex, 0));
    while (index >= 0 && index < end) {
      if (nextSelected(index) < (after[index] as number)) return undefined;
      excluded.push(index);
      index = elements.indexOf(0, after[index] as number);
    }
    return { apex, excluded };
  }

  /** Returns the selected text. */
  text(): string {
    const pieces: string[] = [];
    this.tree.content(this.tree.root(), true, (node) => {
      if (node.kind === 'text' && this.has(node)) pieces.push(this.tree.text(node));
      return false;
    });
    return pieces.join('');
  }

  /** Yields the omitted nodes in an element (-1: the document); of nested ones, the outermost. */
  *omitted(apex: number): Generator<OmittedNode> {
    const { elements, tree } = this;
    const { after, start, end } = tree.document.columns;
    const kept = [...this.#lone].filter(([, element]) => !this.#isOf(element));
    const keptOrders = Float64Array.from(kept, ([order]) => order).sort();
    const last = apex < 0 ? elements.length : (after[apex] as number);
    const nextSelected = selectedFinder(elements);
    let index = elements.indexOf(0, Math.max(apex, 0));
    while (index >= 0 && index < last) {
      const holdsLone = holdsNumber(keptOrders, start[index] as number, end[index] as number);
      const isMixed = holdsLone || nextSelected(index) < (after[index] as number);
      yield { element: index, what: isMixed ? 'tags' : 'element' };
      index = elements.indexOf(0, isMixed ? index + 1 : (after[index] as number));
    }
    for (const [order, element] of this.#lone) {
      const isInside = apex < 0 || (element >= apex && element < last);
      if (!isInside || !this.#isOf(element)) continue;
      const what = tree.kindAt(order, element);
      const attribute = what === 'attribute' ? tree.attributeAt(order, element) : undefined;
      yield attribute === undefined ? { element, what } : { element, what, name: attribute };
    }
  }
}

/** Cost per node that differs from its element when selections are combined, in steps. */
const LONE_STEPS = 2;

/**
 * Returns a function that finds the first selected element from an index on. Indexes must ascend;
 * the result is the number of elements if there is none.
 */
function selectedFinder(elements: Uint8Array): (index: number) => number {
  let next = -1;
  return (index) => {
    // Never searches a range twice: many subtrees may be excluded.
    if (next < index) next = elements.indexOf(1, index);
    if (next < 0) next = elements.length;
    return next;
  };
}

/** Operands and results: 1 for selected, 0 for not selected. */
const operations: Readonly<Record<SetOperation, (a: number, b: number) => number>> = {
  intersect: (a, b) => a & b,
  subtract: (a, b) => a & (b ^ 1),
  union: (a, b) => a | b,
};

/** Maximum number of runs filled individually; for more, a loop over all elements costs less. */
const MOST_RUNS = 64;

/**
 * Applies the operation to all elements. Most selections consist of few runs: the runs of `b` that
 * change anything are filled in a copy of `a`.
 */
function join(operation: SetOperation, a: Uint8Array, b: Uint8Array, result: Uint8Array): void {
  result.set(a);
  const changing = operation === 'intersect' ? 0 : 1;
  let start = b.indexOf(changing);
  for (let runs = 0; start >= 0; runs++) {
    if (runs === MOST_RUNS) {
      joinEach(operation, b, result, start);
      return;
    }
    const end = b.indexOf(1 - changing, start);
    result.fill(operation === 'union' ? 1 : 0, start, end < 0 ? b.length : end);
    start = end < 0 ? -1 : b.indexOf(changing, end);
  }
}

/** Applies the operation from an index on, in a simple loop per operation, which compiles well. */
function joinEach(operation: SetOperation, b: Uint8Array, result: Uint8Array, from: number): void {
  const { length } = result;
  if (operation === 'union') {
    for (let i = from; i < length; i++) result[i] = (result[i] as number) | (b[i] as number);
  } else {
    const flip = operation === 'subtract' ? 1 : 0;
    for (let i = from; i < length; i++) {
      result[i] = (result[i] as number) & ((b[i] as number) ^ flip);
    }
  }
}

/** Whether one of the ascending numbers is at least `low` and less than `high`. */
function holdsNumber(numbers: Float64Array, low: number, high: number): boolean {
  let first = 0;
  let last = numbers.length;
  while (first < last) {
    const middle = (first + last) >>> 1;
    if ((numbers[middle] as number) < low) first = middle + 1;
    else last = middle;
  }
  return first < numbers.length && (numbers[first] as number) < high;
}
