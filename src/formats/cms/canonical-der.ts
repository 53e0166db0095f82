import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { childrenOf, contentOf, type DerNode, der, readBytes } from '../asn1/index.ts';

/**
 * The element in DER: definite minimal lengths, SET OF sorted, strings in one piece.
 *
 * @throws asn1.invalid when an inner element is cut off or elements nest too deep
 * @spec X.690 §10, §11
 */
export function canonicalDer(node: DerNode, depth = 0): Uint8Array {
  if (depth > limits.derDepth)
    throw new InnsigliError('asn1.invalid', 'elements nested too deeply');
  if (node.tag === 0x24) return der.octetString(readBytes(node));
  if (node.tag === 0x01) return der.boolean(contentOf(node)[0] !== 0);
  if ((node.tag & 0x20) === 0) return der.element(node.tag, [contentOf(node)]);
  const children = childrenOf(node).map((child) => canonicalDer(child, depth + 1));
  return der.element(node.tag, node.tag === 0x31 ? der.sortedSet(children) : children);
}
