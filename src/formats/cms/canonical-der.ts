import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  childrenOf,
  contentOf,
  type DerNode,
  der,
  derOf,
  readBytes,
  readNode,
} from '../asn1/index.ts';

/**
 * The element in DER: definite minimal lengths, SET OF sorted, strings in primitive form.
 *
 * @throws asn1.invalid if an inner element is truncated or the nesting is too deep
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

/**
 * Whether {@link canonicalDer} would return the same bytes. Most signers write DER, and this check
 * is cheaper than encoding again.
 *
 * @throws asn1.invalid if an inner element is truncated
 */
export function isCanonicalDer(node: DerNode, depth = 0): boolean {
  if (depth > limits.derDepth || !hasShortestLength(node)) return false;
  if (node.tag === 0x24) return false;
  if (node.tag === 0x01) {
    const content = contentOf(node);
    return content.length === 1 && (content[0] === 0 || content[0] === 0xff);
  }
  if ((node.tag & 0x20) === 0) return true;
  let previous: DerNode | undefined;
  for (let at = node.contentStart; at < node.contentEnd; ) {
    const child = readNode(node.bytes, at, node.contentEnd);
    if (!isCanonicalDer(child, depth + 1)) return false;
    if (node.tag === 0x31 && previous !== undefined && !isInOrder(previous, child)) return false;
    previous = child;
    at = child.end;
  }
  return true;
}

/** Whether two elements are in the order of a SET OF. @spec X.690 §11.6 */
function isInOrder(one: DerNode, next: DerNode): boolean {
  return Buffer.compare(derOf(one), derOf(next)) <= 0;
}

/** Whether the length has the definite form with the fewest bytes. @spec X.690 §10.1 */
function hasShortestLength({ start, contentStart, contentEnd, end }: DerNode): boolean {
  if (end !== contentEnd) return false;
  const length = contentEnd - contentStart;
  const lengthBytes = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8);
  return contentStart - start === 2 + lengthBytes;
}
