import type { XmlDocument, XmlElement } from '../../xml/index.ts';
import type { ReferenceContext } from '../reference-context.ts';
import { documentOf, holds, type NodeSet, refusal } from '../referenced-data.ts';

/**
 * The nodes that are not in the signature of the context. A fragment that is not yet in the
 * document leaves nothing out of it.
 *
 * @throws xml.signature.invalid when nothing is left, or the nodes are of another document
 */
export function withoutOwnSignature(
  nodes: NodeSet,
  { document, signature }: ReferenceContext,
): NodeSet {
  const own = documentOf(nodes.target);
  if (own === signature.document) return without(nodes, [signature]);
  if (own === document) return nodes;
  throw refusal('the enveloped-signature transform needs a node-set of this document');
}

/**
 * The nodes that are in none of the subtrees.
 *
 * @throws xml.signature.invalid when nothing is left: the target stands inside one of them
 */
export function without(nodes: NodeSet, subtrees: readonly XmlElement[]): NodeSet {
  const { target, scope } = nodes;
  const isElement = 'index' in target;
  const added: XmlElement[] = [];
  for (const subtree of subtrees) {
    const isAround = isElement ? subtree.contains(target) : isRootOf(subtree, target);
    if (isAround)
      throw refusal('nothing is left: the reference is inside the part that it removes');
    if (holds(target, subtree)) added.push(subtree);
  }
  if (added.length === 0) return nodes;
  const excluded = [...nodes.excluded, ...added];
  const isOwn = scope.target !== undefined;
  return { ...nodes, excluded, scope: isOwn ? { target, excluded } : scope };
}

function isRootOf(element: XmlElement, document: XmlDocument): boolean {
  return element.index === 0 && element.document === document;
}
