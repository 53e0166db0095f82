import {
  parseXPath,
  type SetOperation,
  selectSubtrees,
  selectTarget,
  selectWhere,
  type XmlElement,
  type XPathReferences,
} from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import type { ReferenceBudget } from '../reference-budget.ts';
import type { ReferenceContext } from '../reference-context.ts';
import { documentOf, type NodeSet, refusal, unsupported } from '../referenced-data.ts';
import { findById } from '../resolve-uri.ts';
import { leftOf } from './left-nodes.ts';

/**
 * The nodes for which the expression of an XPath transform is true.
 *
 * @throws xml.signature.invalid if it cannot be evaluated, or the document is left without its root
 * element; xml.limit
 * @spec XML-Signature Syntax and Processing 1.1 §6.6.3
 */
export function applyXPath(
  nodes: NodeSet,
  transform: XmlElement,
  context: ReferenceContext,
  budget: ReferenceBudget,
): NodeSet {
  const [bearer, ...more] = transform.children;
  if (bearer?.is(namespaces.dsig, 'XPath') !== true || more.length > 0) {
    throw refusal('expected one XPath in the transform');
  }
  const expression = expressionOf(bearer, budget);
  const input = selectionOf(nodes, budget);
  const references = referencesOf(bearer, context);
  const left = selectWhere(expression, input, nodes.hasComments, references);
  return leftOf(nodes, left.selection, left.hasComments);
}

const operations: ReadonlySet<string> = new Set<SetOperation>(['intersect', 'subtract', 'union']);

/**
 * The nodes that remain after the filters of an XPath Filter 2.0 transform: `subtract` removes
 * subtrees, `intersect` keeps only subtrees, `union` adds subtrees.
 *
 * @throws xml.signature.invalid if a filter cannot be evaluated, or the document is left without
 * its root element; xml.limit
 * @spec XML-Signature XPath Filter 2.0 §3.4
 */
export function applyFilter(
  nodes: NodeSet,
  transform: XmlElement,
  context: ReferenceContext,
  budget: ReferenceBudget,
): NodeSet {
  const { children } = transform;
  if (children.length === 0) throw refusal('a filter transform without XPath');
  const input = selectionOf(nodes, budget);
  // A union may add nodes outside the input; these are removed again at the end.
  let left = selectTarget(documentOf(nodes.target), [], budget);
  for (const filter of children) {
    if (!filter.is(namespaces.filter2, 'XPath'))
      throw refusal('a filter that is not an XPath element');
    const operation = filter.attribute('Filter') ?? '';
    if (!isOperation(operation)) {
      throw unsupported('a filter that is neither subtract, intersect nor union');
    }
    const references = referencesOf(filter, context);
    budget.spend(documentOf(nodes.target).bytes.length >> 4);
    left = left.with(operation, selectSubtrees(expressionOf(filter, budget), input, references));
  }
  return leftOf(nodes, left.with('intersect', input), nodes.hasComments);
}

function isOperation(name: string): name is SetOperation {
  return operations.has(name);
}

function expressionOf(bearer: XmlElement, budget: ReferenceBudget) {
  if (bearer.children.length > 0) throw refusal('elements inside an XPath expression');
  budget.step(bearer.text.length);
  return parseXPath(bearer.text, (prefix) => bearer.namespaceOf(prefix));
}

function selectionOf(nodes: NodeSet, budget: ReferenceBudget) {
  budget.spend(documentOf(nodes.target).bytes.length >> 4);
  return nodes.selection ?? selectTarget(nodes.target, nodes.excluded, budget);
}

function referencesOf(here: XmlElement, context: ReferenceContext): XPathReferences {
  return { here, findById: (id) => findById(id, context) };
}
