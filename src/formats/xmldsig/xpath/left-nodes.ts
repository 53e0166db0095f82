import { defined } from '../../../base/defined.ts';
import type { NodeSelection, OmittedNode, XmlDocument, XmlElement } from '../../xml/index.ts';
import type { OmittedPart, ReferenceScope } from '../reference-context.ts';
import { documentOf, type NodeSet, refusal } from '../referenced-data.ts';

/** Maximum number of omitted parts listed in a scope; there may be many more. */
const MOST_NAMED = 4;

/**
 * The node-set that remains after a transform, possibly empty. If it is one subtree with
 * exclusions, it is described as such; for any other set, the scope lists some of the other omitted
 * parts.
 *
 * @throws xml.signature.invalid if the document is left without its root element
 */
export function leftOf(input: NodeSet, selection: NodeSelection, hasComments: boolean): NodeSet {
  const document = documentOf(input.target);
  const subtree = selection.asSubtree();
  // Nothing next to the root element is worth signing.
  if (subtree?.apex === -1 && subtree.excluded[0] === 0) throw refusal('the filter leaves nothing');
  const own = input.scope.target;
  const isOwn = own !== undefined && documentOf(own) === document;
  if (subtree === undefined) {
    const scope = isOwn ? ownScope(input, selection) : foreignScope(input, selection);
    return { ...input, excluded: [], hasComments, scope, selection };
  }
  const target = subtree.apex < 0 ? document : document.elementAt(subtree.apex);
  const excluded = subtree.excluded.map((index) => document.elementAt(index));
  const left = { kind: 'nodes', target, excluded, hasComments } as const;
  if (isOwn) return { ...left, scope: { target, excluded } };
  const isSame = isSameTarget(input, target) && areSame(excluded, input.excluded);
  return { ...left, scope: isSame ? input.scope : foreignScope(input, selection) };
}

/** Both are in document order, and their subtrees are disjoint. */
function areSame(some: readonly XmlElement[], others: readonly XmlElement[]): boolean {
  return some.length === others.length && some.every(({ index }, i) => index === others[i]?.index);
}

function isSameTarget({ target }: NodeSet, other: NodeSet['target']): boolean {
  const index = 'index' in target ? target.index : -1;
  return index === ('index' in other ? other.index : -1);
}

/** The scope within the document: subtrees omitted whole are separate from other omitted parts. */
function ownScope({ target }: NodeSet, selection: NodeSelection): ReferenceScope {
  const excluded: XmlElement[] = [];
  const omitted: OmittedPart[] = [];
  const document = documentOf(target);
  for (const node of selection.omitted('index' in target ? target.index : -1)) {
    if (node.what === 'element') excluded.push(document.elementAt(node.element));
    else if (omitted.length < MOST_NAMED) omitted.push(partOf(document, node));
  }
  return { target, excluded, omitted };
}

/** The scope of nodes of a file, or of the result of an earlier transform. */
function foreignScope({ target, scope }: NodeSet, selection: NodeSelection): ReferenceScope {
  const omitted: OmittedPart[] = [...(scope.omitted ?? [])];
  const document = documentOf(target);
  for (const node of selection.omitted(-1)) {
    if (omitted.length >= MOST_NAMED) break;
    omitted.push(partOf(document, node));
  }
  return { ...scope, omitted };
}

function partOf(document: XmlDocument, { element, what, name }: OmittedNode): OmittedPart {
  return { what, element: document.elementAt(Math.max(element, 0)), ...defined({ name }) };
}
