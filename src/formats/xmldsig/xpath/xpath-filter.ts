import type { XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import type { ReferenceBudget } from '../reference-budget.ts';
import type { ReferenceContext } from '../reference-context.ts';
import { documentOf, holds, type NodeSet, refusal, unsupported } from '../referenced-data.ts';
import { selectElements } from './location-path.ts';
import { without } from './subtract.ts';
import { readXPathTokens } from './xpath-tokens.ts';

/** What one subtree costs, in bytes to go through: it is compared, kept and left out again. */
const SUBTREE_COST = 128;

/**
 * The nodes that the filters of an XPath Filter 2.0 transform leave: `subtract` takes subtrees
 * out, `intersect` keeps one subtree. `union` is refused.
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
  let left = nodes;
  for (const filter of children) {
    if (!filter.is(namespaces.filter2, 'XPath'))
      throw refusal('a filter that is not an XPath element');
    const tokens = readXPathTokens(filter);
    const selected = selectElements(tokens, { document, here: filter, context, budget });
    budget.spend(SUBTREE_COST * (selected.length + left.excluded.length));
    const operation = filter.attribute('Filter');
    if (operation === 'subtract') left = without(left, selected);
    else if (operation === 'intersect') left = within(left, selected);
    else throw unsupported('a filter that is neither subtract nor intersect');
  }
  return left;
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
