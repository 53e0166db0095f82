import { selectTarget } from '../../xml/index.ts';
import type { ReferenceBudget } from '../reference-budget.ts';
import type { ReferenceContext } from '../reference-context.ts';
import { documentOf, holds, type NodeSet, refusal } from '../referenced-data.ts';
import { leftOf } from './left-nodes.ts';

/**
 * The nodes that are not in the signature of the context. A fragment that is not yet in the
 * document leaves nothing out of it.
 *
 * @throws xml.signature.invalid when nothing is left, or the nodes are of another document
 */
export function withoutOwnSignature(
  nodes: NodeSet,
  { document, signature }: ReferenceContext,
  budget: ReferenceBudget,
): NodeSet {
  const { target, scope, selection } = nodes;
  const own = documentOf(target);
  if (own !== signature.document) {
    if (own === document) return nodes;
    throw refusal('the enveloped-signature transform needs a node-set of this document');
  }
  const isAround = 'index' in target ? signature.contains(target) : signature.index === 0;
  if (isAround) throw refusal('nothing is left: the reference is inside the part that it removes');
  if (!holds(target, signature)) return nodes;
  if (selection !== undefined) {
    const left = selection.with('subtract', selectTarget(signature, [], budget));
    return leftOf(nodes, left, nodes.hasComments);
  }
  const excluded = [...nodes.excluded, signature];
  const isOwn = scope.target !== undefined;
  return { ...nodes, excluded, scope: isOwn ? { target, excluded } : scope };
}
