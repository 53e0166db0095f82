import { latin1Text } from '../../base/bytes.ts';
import { canonicalMethods, selectTarget } from '../xml/index.ts';
import { transformUris } from './namespaces.table.ts';
import { readPrefixList } from './prefix-list.ts';
import type { XmlTransform } from './reference.ts';
import type { ReferenceBudget } from './reference-budget.ts';
import type { ReferenceContext } from './reference-context.ts';
import {
  canonicalData,
  collectBytes,
  documentOf,
  holds,
  type NodeSet,
  nodesOf,
  octetData,
  type ReferencedData,
  refusal,
  unsupported,
} from './referenced-data.ts';
import { parseBase64 } from './structure.ts';
import { leftOf } from './xpath/left-nodes.ts';
import { applyFilter, applyXPath } from './xpath/xpath-transforms.ts';

/**
 * The result of one transform.
 *
 * @throws xml.signature.invalid if the transform is not supported, or nothing is left
 * @spec XML-Signature Syntax and Processing 1.1 §6.6
 */
export function applyTransform(
  data: ReferencedData,
  transform: XmlTransform,
  context: ReferenceContext,
  budget: ReferenceBudget,
): ReferencedData {
  const { element, uri } = transform;
  const method = canonicalMethods.get(uri);
  if (method !== undefined) {
    return canonicalData(nodesOf(data, budget), method, readPrefixList(element), budget);
  }
  switch (uri) {
    case transformUris.enveloped:
      return withoutOwnSignature(nodesOf(data, budget), context, budget);
    case transformUris.base64:
      return decoded(data, budget);
    case transformUris.xpath:
      return applyXPath(nodesOf(data, budget), element, context, budget);
    case transformUris.filter2:
      return applyFilter(nodesOf(data, budget), element, context, budget);
    default:
      throw unsupported(`the transform ${uri.slice(0, 100)} is not supported`);
  }
}

const markup = /<\?.*?\?>|<[^<>"]*(?:"[^"]*"[^<>"]*)*>/gs;

/** Text of a node-set, or bytes, decoded as base64. @spec XML-Signature 1.1 §6.6.2 */
function decoded(data: ReferencedData, budget: ReferenceBudget): ReferencedData {
  const bytes = parseBase64(base64Text(data, budget));
  if (bytes === undefined) throw refusal('the text to decode is not base64');
  budget.spend(bytes.length);
  return octetData(bytes, data.scope);
}

function base64Text(data: ReferencedData, budget: ReferenceBudget): string {
  if (data.kind === 'bytes') return latin1Text(collectBytes(data));
  const { target, selection } = data;
  if (selection !== undefined) {
    budget.spend(documentOf(target).bytes.length);
    return selection.text();
  }
  if ('index' in target && target.children.length === 0) {
    budget.spend(target.endOffset - target.startOffset);
    return target.text;
  }
  const canonical = collectBytes(canonicalData(data, 'c14n10', [], budget));
  return latin1Text(canonical).replace(markup, '').replaceAll('&#xD;', '\r');
}

/**
 * The nodes that are not in the signature of the context. If the signature is still in a separate
 * fragment, nodes of the document are unchanged.
 *
 * @throws xml.signature.invalid if nothing is left, or the nodes are from another document
 */
function withoutOwnSignature(
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
  if (isAround) throw refusal('nothing remains: the reference is inside the part it removes');
  if (!holds(target, signature)) return nodes;
  if (selection !== undefined) {
    const left = selection.with('subtract', selectTarget(signature, [], budget));
    return leftOf(nodes, left, nodes.hasComments);
  }
  const excluded = [...nodes.excluded, signature];
  const isOwn = scope.target !== undefined;
  return { ...nodes, excluded, scope: isOwn ? { target, excluded } : scope };
}
