import { defined } from '../../../base/defined.ts';
import type { NodeSelection, OmittedNode, XmlDocument, XmlElement } from '../../xml/index.ts';
import type { OmittedPart, ReferenceScope } from '../reference-context.ts';
import { documentOf, type NodeSet, refusal } from '../referenced-data.ts';

/** Parts that a scope names; there may be many more. */
const MOST_NAMED = 4;

/**
 * The node-set of the nodes that a transform left of another, maybe none. What is one subtree less
 * others is described as such; the scope of any other set names what it leaves out beside that.
 *
 * @throws xml.signature.invalid when the document is left without its root
 */
export function leftOf(input: NodeSet, selection: NodeSelection, hasComments: boolean): NodeSet {
  const document = documentOf(input.target);
  const subtree = selection.asSubtree();
  // What stands beside the root element is not what anybody signs.
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

/** Both are in the order of the document, and subtrees apart. */
function areSame(some: readonly XmlElement[], others: readonly XmlElement[]): boolean {
  return some.length === others.length && some.every(({ index }, i) => index === others[i]?.index);
}

function isSameTarget({ target }: NodeSet, other: NodeSet['target']): boolean {
  const index = 'index' in target ? target.index : -1;
  return index === ('index' in other ? other.index : -1);
}

/** Subtrees that are left out as a whole apart from all else. */
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

/** The scope of nodes that an earlier transform made, or of those of a file. */
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
