import type { IndexedDocument, XmlDocument, XmlElement } from '../tree/document.ts';
import { Evaluator } from './evaluate-xpath.ts';
import type { Expression } from './expression.ts';
import { NodeSelection } from './node-selection.ts';
import { NodeTree, type Steps, type XPathNode } from './node-tree.ts';
import type { Nodes } from './values.ts';
import { notEvaluated } from './xpath-error.ts';

/** What an expression may access besides the nodes. */
export interface XPathReferences {
  /** The element that contains the expression, for `here()`. */
  readonly here: XmlElement;
  /** Returns the element with an Id. */
  readonly findById: (id: string) => XmlElement | undefined;
}

/**
 * Selects a document, or an element with its content, excluding some subtrees.
 *
 * @param steps limits the work on it
 */
export function selectTarget(
  target: XmlDocument | XmlElement,
  excluded: readonly XmlElement[],
  steps: Steps,
): NodeSelection {
  const isElement = 'index' in target;
  // Every document is created by the parser.
  const document = (isElement ? target.document : target) as IndexedDocument;
  const selection = new NodeSelection(new NodeTree(document, steps), !isElement);
  if (isElement) selection.setSubtree(target.index, true);
  for (const { index } of excluded) selection.setSubtree(index, false);
  return selection;
}

function evaluatorOf(tree: NodeTree, { here, findById }: XPathReferences): Evaluator {
  return new Evaluator(tree, {
    here: () => {
      if (here.document === tree.document) return tree.element(here.index);
      throw notEvaluated('XPath: here() is in another document than the nodes');
    },
    byId: (id) => {
      const found = findById(id);
      return found?.document === tree.document ? tree.element(found.index) : undefined;
    },
  });
}

/**
 * Selects all nodes that an expression selects in the document of a selection, with their content.
 *
 * @throws xml.signature.invalid if it does not return a node-set; xml.limit
 * @spec XML-Signature XPath Filter 2.0 §3.4
 */
export function selectSubtrees(
  expression: Expression,
  { tree }: NodeSelection,
  references: XPathReferences,
): NodeSelection {
  if (expression.type !== 'nodes') {
    throw notEvaluated(`XPath: expected nodes to filter by, found a ${expression.type}`);
  }
  const nodes = evaluatorOf(tree, references).evaluate(expression, tree.root()) as Nodes;
  const selection = new NodeSelection(tree, nodes[0]?.kind === 'root');
  if (selection.isRootSelected) return selection;
  const { after } = tree.document.columns;
  // A nested subtree comes after the outer one.
  let end = 0;
  for (const node of nodes) {
    if (node.kind !== 'element') selection.setLone(node, true);
    else if (node.element >= end) {
      end = after[node.element] as number;
      selection.elements.fill(1, node.element, end);
    }
  }
  return selection;
}

/** Result of filtering nodes by an expression. */
export interface FilteredNodes {
  readonly selection: NodeSelection;
  /** False if no comment remains; comments are then not listed as omitted. */
  readonly hasComments: boolean;
}

/**
 * Selects the nodes of a selection for which an expression is true.
 *
 * @param hasComments false to select no comments
 * @throws xml.signature.invalid, xml.limit
 * @spec XML-Signature Syntax and Processing 1.1 §6.6.3
 */
export function selectWhere(
  expression: Expression,
  input: NodeSelection,
  hasComments: boolean,
  references: XPathReferences,
): FilteredNodes {
  const { tree } = input;
  const evaluator = evaluatorOf(tree, references);
  const isLeft = (node: XPathNode) => input.has(node) && evaluator.test(expression, node);
  const selection = new NodeSelection(tree, false);
  const { elements } = selection;
  selection.isRootSelected = isLeft(tree.root());
  if (expression.isInherited && input.isOfElements) {
    const subtrees = evaluator.elementsAvoided(expression);
    if (subtrees !== undefined) {
      elements.set(input.elements);
      // A nested subtree comes after the outer one.
      let end = 0;
      for (const index of subtrees) {
        if (index < end) continue;
        end = tree.document.columns.after[index] as number;
        selection.setSubtree(index, false);
      }
      return { selection, hasComments };
    }
    for (let index = 0; index < elements.length; index++) {
      if (input.elements[index] === 1 && evaluator.test(expression, tree.element(index))) {
        elements[index] = 1;
      }
    }
    return { selection, hasComments };
  }
  const comments: (readonly [comment: XPathNode, isLeft: boolean])[] = [];
  const decide = (node: XPathNode) => selection.setLone(node, isLeft(node));
  tree.content(tree.root(), true, (node) => {
    if (node.kind === 'element') {
      if (isLeft(node)) elements[node.element] = 1;
      for (const each of tree.attributes(node.element)) decide(each);
      for (const each of tree.namespaces(node.element)) {
        if (!tree.isXmlNamespace(each)) decide(each);
      }
    } else if (node.kind !== 'comment') decide(node);
    else if (hasComments) comments.push([node, isLeft(node)]);
    return false;
  });
  const keepsComments = comments.length === 0 || comments.some(([, isKept]) => isKept);
  if (keepsComments) for (const [node, isKept] of comments) selection.setLone(node, isKept);
  return { selection, hasComments: hasComments && keepsComments };
}
