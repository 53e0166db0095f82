import type { XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import type { ReferenceBudget } from '../reference-budget.ts';
import type { ReferenceContext } from '../reference-context.ts';
import { documentOf, holds, type NodeSet, refusal, unsupported } from '../referenced-data.ts';
import { expandedName, selectElements, type XPathContext } from './location-path.ts';
import { without } from './subtract.ts';
import type { XPathNames } from './xpath-forms.ts';
import { readXPathTokens } from './xpath-tokens.ts';

/** Cost of one subtree, in bytes: it is compared, kept and left out again. */
const SUBTREE_COST = 128;

/**
 * The nodes that remain after the filters of an XPath Filter 2.0 transform: `subtract` takes
 * subtrees out, `intersect` keeps one subtree, `union` puts subtrees back. The result is
 * intersected with the input nodes; only a result of one subtree is supported.
 *
 * @throws xml.signature.invalid when a filter is not understood, or nothing is left
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
  const document = documentOf(nodes.target);
  if (document !== context.document && document !== context.signature.document) {
    throw refusal('a filter on bytes or on a file');
  }
  const isUnion = children.some((filter) => filter.attribute('Filter') === 'union');
  // A union may reach what was not in the nodes: that is cut off again at the end.
  let left = isUnion ? { ...nodes, target: document, excluded: [] } : nodes;
  for (const filter of children) {
    if (!filter.is(namespaces.filter2, 'XPath'))
      throw refusal('a filter that is not an XPath element');
    const selected = selectAll(readXPathTokens(filter), {
      document,
      here: filter,
      context,
      budget,
    });
    budget.spend(SUBTREE_COST * (selected.length + left.excluded.length));
    const operation = filter.attribute('Filter');
    if (operation === 'subtract') left = without(left, selected);
    else if (operation === 'intersect') left = within(left, selected);
    else if (operation === 'union') left = joined(left, selected);
    else throw unsupported('a filter that is neither subtract, intersect nor union');
  }
  return isUnion ? cut(left, nodes) : left;
}

/** The elements that the paths select, with `|` between them. @spec XPath 1.0 §3.3 */
function selectAll(tokens: readonly string[], context: XPathContext): readonly XmlElement[] {
  const bar = tokens.indexOf('|');
  if (bar < 0) return selectElements(tokens, context);
  const rest = selectAll(tokens.slice(bar + 1), context);
  const first = selectElements(tokens.slice(0, bar), context);
  return [...first, ...rest.filter((each) => !first.some((one) => isSame(one, each)))];
}

function isSame(a: XmlElement, b: XmlElement): boolean {
  return a.index === b.index && a.document === b.document;
}

/** The nodes with the subtrees. */
function joined(nodes: NodeSet, subtrees: readonly XmlElement[]): NodeSet {
  let { target, excluded } = nodes;
  for (const subtree of subtrees) {
    if (excluded.some((each) => each.contains(subtree) && !isSame(each, subtree))) {
      throw unsupported('a filter that puts back a part of what was left out');
    }
    if ('index' in target && !target.contains(subtree)) {
      if (!subtree.contains(target)) throw unsupported('a filter that keeps several subtrees');
      target = subtree;
    }
    excluded = excluded.filter((each) => !subtree.contains(each));
  }
  return { ...nodes, target, excluded };
}

/** The nodes that are in both. */
function cut(filtered: NodeSet, nodes: NodeSet): NodeSet {
  const { target } = filtered;
  const inner = 'index' in target ? within(nodes, [target]) : nodes;
  const own = inner.target;
  // The input may stand inside of what the filters leave out.
  const around = filtered.excluded.some((each) => 'index' in own && each.contains(own));
  if (around) throw refusal('the filter leaves nothing');
  return without(inner, filtered.excluded);
}

/**
 * The nodes that are in a subtree of each name to keep, and in none of a name to leave out.
 *
 * @throws xml.signature.invalid when nothing is left, or several subtrees are
 * @spec XML-Signature Syntax and Processing 1.1 §6.6.3
 */
export function applyNames(
  nodes: NodeSet,
  { within: kept, without: left }: XPathNames,
  budget: ReferenceBudget,
): NodeSet {
  const document = documentOf(nodes.target);
  const named = (name: string) => {
    const { namespaceUri, localName } = expandedName(name);
    const found = document.findAll(namespaceUri, localName);
    budget.spend((document.bytes.length >> 4) + SUBTREE_COST * found.length);
    return found;
  };
  const inside = kept.reduce((some, name) => within(some, named(name)), nodes);
  return left.reduce((some, name) => without(some, named(name)), inside);
}

/** The nodes that are in one of the subtrees; only a result of one subtree can be shown. */
function within(nodes: NodeSet, subtrees: readonly XmlElement[]): NodeSet {
  const { target, excluded, scope } = nodes;
  const isElement = 'index' in target;
  if (isElement && subtrees.some((subtree) => subtree.contains(target))) return nodes;
  const inside = subtrees.filter((subtree) => holds(target, subtree));
  const [outermost, ...more] = inside;
  if (outermost === undefined) throw refusal('the filter leaves nothing');
  if (more.some((subtree) => !outermost.contains(subtree))) {
    throw unsupported('a filter that keeps several subtrees');
  }
  if (excluded.some((subtree) => subtree.contains(outermost))) {
    throw refusal('the filter leaves nothing');
  }
  const kept = excluded.filter((subtree) => outermost.contains(subtree));
  const isOwn = scope.target !== undefined;
  return {
    ...nodes,
    target: outermost,
    excluded: kept,
    scope: isOwn ? { target: outermost, excluded: kept } : scope,
  };
}
