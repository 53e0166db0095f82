import type { InnsigliError } from '../../../base/errors.ts';
import type { XmlDocument, XmlElement } from '../../xml/index.ts';
import { namespaces } from '../namespaces.table.ts';
import type { ReferenceBudget } from '../reference-budget.ts';
import type { ReferenceContext } from '../reference-context.ts';
import { documentOf, holds, unsupported } from '../referenced-data.ts';
import { findById } from '../resolve-uri.ts';

/** Context of a location path, and its budget. */
export interface XPathContext {
  /** The document that `/` means. */
  readonly document: XmlDocument;
  /** The element with the expression. */
  readonly here: XmlElement;
  readonly context: ReferenceContext;
  readonly budget: ReferenceBudget;
}

type PathNode = XmlDocument | XmlElement;

/**
 * The elements that a location path selects, in document order. The paths of signers are
 * understood, not XPath as such:
 *
 *     start   /   //   id('x')/   here()/
 *     step    child, descendant, descendant-or-self, ancestor, parent, self; `..`; a name or *
 *     [1]     behind an ancestor: the nearest
 *     node()  as last step, of an element that holds one element and nothing else
 *
 * @param tokens as {@link readXPathTokens} gives them
 * @throws xml.signature.invalid for every other path
 * @spec XPath 1.0 §2
 */
export function selectElements(
  tokens: readonly string[],
  context: XPathContext,
): readonly XmlElement[] {
  let { selected, at } = readStart(tokens, context);
  while (at < tokens.length) {
    const step = readStep(tokens, at);
    at += step.tokenCount;
    context.budget.spend(context.document.bytes.length >> 4);
    if (step.test === 'node()') {
      if (at < tokens.length) throw notUnderstood();
      return selected.filter(isElement).map(onlyContent);
    }
    requireUnderstood(step);
    const found = walk(step, selected, context.budget);
    selected = step.isNearest ? found.slice(0, 1) : found;
  }
  return selected.filter(isElement);
}

interface PathStart {
  readonly selected: readonly PathNode[];
  /** Place of the first step's slash. */
  readonly at: number;
}

function readStart(
  tokens: readonly string[],
  { document, here, context }: XPathContext,
): PathStart {
  if (tokens[0]?.startsWith('/')) return { selected: [document], at: 0 };
  const opening = tokens.slice(0, 4).join(' ');
  if (opening.startsWith('here ( ) ')) return { selected: [here], at: 3 };
  const id = /^id \( ['"](.*)['"] \)$/.exec(opening)?.[1];
  if (id === undefined) throw notUnderstood();
  const element = findById(id, context);
  return { selected: element === undefined ? [] : [element], at: 4 };
}

interface PathStep {
  readonly axis: string;
  /** A name as {@link readXPathTokens} writes it, `*`, or `node()`. */
  readonly test: string;
  readonly isNearest: boolean;
  readonly tokenCount: number;
}

/** Reads `/ test`, `/ axis :: test`, `/ axis :: test [ 1 ]`, `// test`, `/ ..`, `/ node ( )`. */
function readStep(tokens: readonly string[], at: number): PathStep {
  const [slash, first, second, third] = tokens.slice(at);
  const rest = (from: number, count: number) => tokens.slice(at + from, at + from + count).join('');
  if (first === undefined || (slash !== '/' && slash !== '//')) throw notUnderstood();
  if (slash === '/' && first === '..') {
    return { axis: 'parent', test: '*', isNearest: false, tokenCount: 2 };
  }
  if (slash === '/' && rest(1, 3) === 'node()') {
    return { axis: 'child', test: 'node()', isNearest: false, tokenCount: 4 };
  }
  if (slash === '/' && second === '::' && third !== undefined) {
    const isNearest = first === 'ancestor' && rest(4, 3) === '[1]';
    return { axis: first, test: third, isNearest, tokenCount: isNearest ? 7 : 4 };
  }
  const axis = slash === '/' ? 'child' : 'descendant';
  return { axis, test: first, isNearest: false, tokenCount: 2 };
}

const axes = ['child', 'self', 'parent', 'ancestor', 'descendant', 'descendant-or-self'];

function requireUnderstood({ axis, test }: PathStep): void {
  if (!axes.includes(axis)) throw notUnderstood();
  if (test !== '*' || axis.startsWith('descendant')) expandedName(test);
}

/** Cost of visiting one element, in bytes. */
const ELEMENT_COST = 64;

function walk(
  { axis, test }: PathStep,
  from: readonly PathNode[],
  budget: ReferenceBudget,
): readonly XmlElement[] {
  if (axis === 'child') {
    const children = from.flatMap(childrenOf);
    budget.spend(ELEMENT_COST * (from.length + children.length));
    return children.filter((child) => passes(child, test));
  }
  budget.spend(ELEMENT_COST * from.length);
  if (axis === 'self') return from.filter(isElement).filter((element) => passes(element, test));
  const [origin, ...more] = from;
  if (origin === undefined) return [];
  if (more.length > 0) throw notUnderstood();
  if (axis.startsWith('descendant')) {
    const all = descendants(origin, test, budget);
    return axis === 'descendant' ? all.filter((each) => !isSame(each, origin)) : all;
  }
  const above = isElement(origin) ? ancestorsOf(origin) : [];
  budget.spend(ELEMENT_COST * above.length);
  const reached = axis === 'parent' ? above.slice(0, 1) : above;
  return reached.filter((element) => passes(element, test));
}

function isSame(element: XmlElement, node: PathNode): boolean {
  return isElement(node) && node.index === element.index;
}

function isElement(node: PathNode): node is XmlElement {
  return 'index' in node;
}

function childrenOf(node: PathNode): readonly XmlElement[] {
  return isElement(node) ? node.children : [node.root];
}

/** The ancestors from the parent up to the root. */
function ancestorsOf(element: XmlElement): readonly XmlElement[] {
  const above: XmlElement[] = [];
  for (let { parent } = element; parent !== undefined; parent = parent.parent) above.push(parent);
  return above;
}

function descendants(
  origin: PathNode,
  test: string,
  budget: ReferenceBudget,
): readonly XmlElement[] {
  const { namespaceUri, localName } = expandedName(test);
  const named = documentOf(origin).findAll(namespaceUri, localName);
  budget.spend(ELEMENT_COST * named.length);
  return named.filter((element) => holds(origin, element));
}

function passes(element: XmlElement, test: string): boolean {
  if (test === '*') return true;
  const { namespaceUri, localName } = expandedName(test);
  return element.is(namespaceUri, localName);
}

/** Namespace and local name. @throws xml.signature.invalid when it is no name */
export function expandedName(test: string): {
  readonly namespaceUri: string;
  readonly localName: string;
} {
  const named = /^(?:ds:|\{(.*)\})?([\p{L}_][\p{L}\p{N}._-]*)$/u.exec(test);
  if (named === null) throw notUnderstood();
  const namespaceUri = test.startsWith('ds:') ? namespaces.dsig : (named[1] ?? '');
  return { namespaceUri, localName: named[2] as string };
}

/** The only element inside, without text, comment or instruction beside it. */
function onlyContent(element: XmlElement): XmlElement {
  const [only] = element.children;
  const { contentStart, contentEnd } = element;
  if (only?.startOffset !== contentStart || only.endOffset !== contentEnd) {
    throw unsupported('a filter that keeps sibling nodes');
  }
  return only;
}

function notUnderstood(): InnsigliError {
  return unsupported('an unsupported filter path');
}
