import { readCharacterData } from '../reading/character-data.ts';
import { decodeCharacters } from '../reading/characters.ts';
import { instructionNameEnd } from '../reading/skip-markup.ts';
import { startsWith } from '../reading/starts-with.ts';
import type { IndexedDocument } from '../tree/document.ts';
import type { KnownName } from '../tree/name-table.ts';
import { xmlNamespace } from '../tree/namespaces.ts';
import { NO_ENTRY } from '../tree/scope-chain.ts';

/** A work budget. */
export interface Steps {
  /** Subtracts steps. @throws xml.limit if the budget is exhausted */
  step(count: number): void;
}

/** Kinds of nodes. @spec XPath 1.0 §5 */
export type NodeKind =
  | 'root'
  | 'element'
  | 'attribute'
  | 'namespace'
  | 'text'
  | 'comment'
  | 'instruction';

/** A node of a document; two nodes are the same if their `order` is equal. */
export interface XPathNode {
  readonly kind: NodeKind;
  /**
   * Position in document order: the offset at which the node starts, -1 for the root; namespace
   * nodes are ordered between the `<` of their element and the next byte.
   */
  readonly order: number;
  /** Index of the element, or of the parent; -1 for the root and nodes next to the root element. */
  readonly element: number;
  /** Byte range: the value of an attribute, otherwise the node including its markup. */
  readonly start: number;
  readonly end: number;
  /** Number of the name of an attribute, or of the prefix of a namespace node. */
  readonly name: number;
  /** Number of the URI of a namespace node. */
  readonly uri: number;
}

/** Receives nodes; true ends the walk. */
export type TakeNode = (node: XPathNode) => boolean;

/** More than the number of namespaces in scope at one element. */
const PLACES = 2_048;

/** Cost per CDATA section of a text node, each of which is searched separately, in steps. */
const SECTION_STEPS = 1;

/** Cost per declaration in scope, in steps. */
const DECLARATION_STEPS = 0.5;

/** The nodes of a document, created on demand: the document is an index, not a tree. */
export class NodeTree {
  readonly document: IndexedDocument;
  readonly steps: Steps;
  readonly #xmlPrefix: number;
  readonly #xmlUri: number;
  #scopeEntry: number | undefined;
  #scope: ReadonlyMap<number, number> = new Map();

  /** @param steps limits the work */
  constructor(document: IndexedDocument, steps: Steps) {
    this.document = document;
    this.steps = steps;
    this.#xmlPrefix = document.names.prefixes.intern('xml');
    this.#xmlUri = document.uris.intern(xmlNamespace);
  }

  root(): XPathNode {
    const end = this.document.bytes.length;
    return { kind: 'root', order: -1, element: -1, start: 0, end, name: 0, uri: 0 };
  }

  element(index: number): XPathNode {
    const { columns } = this.document;
    const start = columns.start[index] as number;
    const end = columns.end[index] as number;
    return { kind: 'element', order: start, element: index, start, end, name: 0, uri: 0 };
  }

  /** Returns the parent; undefined for the root. */
  parent({ kind, element }: XPathNode): XPathNode | undefined {
    if (kind === 'root') return undefined;
    const index = kind === 'element' ? this.parentIndex(element) : element;
    return index < 0 ? this.root() : this.element(index);
  }

  parentIndex(index: number): number {
    return this.document.columns.parent[index] as number;
  }

  /** Returns the attributes of an element, excluding namespace declarations. */
  attributes(index: number): readonly XPathNode[] {
    const tag = this.document.readTag(index);
    this.steps.step(tag.count / 2);
    const found: XPathNode[] = [];
    for (let i = 0; i < tag.count; i++) {
      if (tag.nameOf(i).declares >= 0) continue;
      found.push({
        kind: 'attribute',
        order: tag.nameStarts[i] as number,
        element: index,
        start: tag.starts[i] as number,
        end: tag.ends[i] as number,
        name: tag.names[i] as number,
        uri: 0,
      });
    }
    return found;
  }

  /** Returns the namespace nodes of an element, that of `xml` first. */
  namespaces(index: number): readonly XPathNode[] {
    const start = this.document.columns.start[index] as number;
    const { uris } = this.document;
    const inScope = [...this.#inScope(index)].filter(([, uri]) => uris.word(uri) !== '');
    this.steps.step(inScope.length / 2);
    return inScope.map(([name, uri], place) => ({
      kind: 'namespace',
      order: start + (place + 1) / PLACES,
      element: index,
      start,
      end: start,
      name,
      uri,
    }));
  }

  /** True for the namespace node of `xml`, which is never rendered. */
  isXmlNamespace({ name }: XPathNode): boolean {
    return name === this.#xmlPrefix;
  }

  /** The URI of each prefix, that of `xml` first; empty if the default namespace is undeclared. */
  #inScope(index: number): ReadonlyMap<number, number> {
    const { columns, declarations } = this.document;
    const innermost = columns.declared[index] as number;
    if (this.#scopeEntry === innermost) return this.#scope;
    const found = new Map([[this.#xmlPrefix, this.#xmlUri]]);
    for (let at = innermost; at !== NO_ENTRY; at = declarations.outer[at] as number) {
      this.steps.step(DECLARATION_STEPS);
      const prefix = declarations.key[at] as number;
      if (!found.has(prefix)) found.set(prefix, declarations.value[at] as number);
    }
    this.#scopeEntry = innermost;
    this.#scope = found;
    return found;
  }

  /** Passes on the children in order; if `isDeep`, descendants. True if `take` ended the walk. */
  content({ kind, element }: XPathNode, isDeep: boolean, take: TakeNode): boolean {
    const { columns, bytes, prologEnd } = this.document;
    if (kind === 'root') return this.scan(prologEnd, bytes.length, 0, -1, isDeep, take);
    if (kind !== 'element') return false;
    const start = columns.tagEnd[element] as number;
    return this.scan(start, columns.close[element] as number, element + 1, element, isDeep, take);
  }

  /**
   * Passes on the nodes between two offsets, neither of which is inside a node.
   *
   * @param index of the first element after `start`
   * @param parent index of the element around `start`; -1 if there is none
   */
  scan(
    start: number,
    end: number,
    index: number,
    parent: number,
    isDeep: boolean,
    take: TakeNode,
  ): boolean {
    const { columns, source } = this.document;
    for (let at = start; at < end; ) {
      const next = source[at] === LESS ? source[at + 1] : undefined;
      if (next === undefined || (next === EXCLAMATION && source[at + 2] === BRACKET)) {
        const { after, isEmpty } = this.textEnd(at, end);
        if (!isEmpty && parent >= 0 && take(leaf('text', at, after, parent))) return true;
        at = after;
      } else if (next === SLASH) {
        at = columns.end[parent] as number;
        parent = columns.parent[parent] as number;
      } else if (next === EXCLAMATION || next === QUESTION) {
        const kind = next === QUESTION ? 'instruction' : 'comment';
        const close = kind === 'comment' ? '-->' : '?>';
        const after = source.indexOf(close, at + (kind === 'comment' ? 4 : 2)) + close.length;
        if (take(leaf(kind, at, after, parent))) return true;
        at = after;
      } else {
        if (take(this.element(index))) return true;
        const elementEnd = columns.end[index] as number;
        at = isDeep ? (columns.tagEnd[index] as number) : elementEnd;
        if (at < elementEnd) parent = index;
        index = isDeep ? index + 1 : (columns.after[index] as number);
      }
    }
    return false;
  }

  /** Offset after the text node at `start` with CDATA sections; empty ones do not form a node. */
  textEnd(start: number, end: number): { readonly after: number; readonly isEmpty: boolean } {
    const { source } = this.document;
    let isEmpty = true;
    let at = start;
    while (at < end) {
      if (source[at] !== LESS) {
        const less = source.indexOf(LESS, at);
        at = less < 0 || less > end ? end : less;
        isEmpty = false;
      } else if (source[at + 1] === EXCLAMATION && source[at + 2] === BRACKET) {
        this.steps.step(SECTION_STEPS);
        const after = source.indexOf(']]>', at + 9) + 3;
        if (after - at > EMPTY_SECTION) isEmpty = false;
        at = after;
      } else break;
    }
    return { after: at, isEmpty };
  }

  /** Returns the index of the first element that starts at or after an offset. */
  indexAt(offset: number): number {
    const { start, count } = this.document.columns;
    let low = 0;
    let high = count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((start[middle] as number) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Numbers of URI and local part of the expanded name; undefined for kinds without one. */
  nameNumbers(node: XPathNode): { readonly uri: number; readonly local: number } | undefined {
    const { columns, names, uris } = this.document;
    if (node.kind === 'element') {
      const known = names.known[columns.name[node.element] as number] as KnownName;
      return { uri: columns.uri[node.element] as number, local: known.local };
    }
    if (node.kind !== 'attribute') return undefined;
    const { prefix, local } = names.known[node.name] as KnownName;
    const uri = prefix === 0 ? undefined : this.#inScope(node.element).get(prefix);
    return { uri: uri ?? uris.intern(''), local };
  }

  /** Returns the qualified name, the local part and the URI; all empty for nodes without a name. */
  naming(node: XPathNode): { readonly name: string; readonly local: string; readonly uri: string } {
    const { columns, names, uris, source } = this.document;
    if (node.kind === 'namespace') {
      const name = names.prefixes.word(node.name);
      return { name, local: name, uri: '' };
    }
    if (node.kind === 'instruction') {
      const end = instructionNameEnd(source, node.start);
      const name = source.toString('utf8', node.start + 2, end);
      return { name, local: name, uri: '' };
    }
    const numbers = this.nameNumbers(node);
    if (numbers === undefined) return { name: '', local: '', uri: '' };
    const number = node.kind === 'element' ? (columns.name[node.element] as number) : node.name;
    const name = (names.known[number] as KnownName).text;
    return { name, local: names.locals.word(numbers.local), uri: uris.word(numbers.uri) };
  }

  /** Returns the string-value. @spec XPath 1.0 §5 */
  text(node: XPathNode): string {
    const { source, uris } = this.document;
    const { kind, start, end } = node;
    if (kind === 'namespace') return uris.word(node.uri);
    if (kind === 'attribute') return decodeCharacters(source, start, end, true);
    if (kind === 'text') return readCharacterData(source, start, end);
    if (kind === 'comment') return lines(source.toString('utf8', start + 4, end - 3));
    if (kind === 'instruction') {
      const content = source.toString('utf8', instructionNameEnd(source, start), end - 2);
      return lines(content.replace(/^[ \t\r\n]+/, ''));
    }
    const pieces: string[] = [];
    this.content(node, true, (inner) => {
      if (inner.kind === 'text') pieces.push(readCharacterData(source, inner.start, inner.end));
      return false;
    });
    return pieces.join('');
  }

  /** Returns the name of the attribute at an offset. */
  attributeAt(order: number, element: number): string | undefined {
    const attribute = this.attributes(element).find((each) => each.order === order);
    return attribute && this.naming(attribute).name;
  }

  /** Returns the kind of a non-element node by its position. */
  kindAt(order: number, element: number): NodeKind {
    if (!Number.isInteger(order)) return 'namespace';
    const { source, columns } = this.document;
    if (element >= 0 && order < (columns.tagEnd[element] as number)) return 'attribute';
    if (startsWith(source, order, '<!--')) return 'comment';
    return startsWith(source, order, '<?') ? 'instruction' : 'text';
  }
}

const LESS = 0x3c;
const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const BRACKET = 0x5b;
/** Length of `<![CDATA[]]>`. */
const EMPTY_SECTION = 12;

function leaf(
  kind: 'text' | 'comment' | 'instruction',
  start: number,
  end: number,
  element: number,
): XPathNode {
  return { kind, order: start, element, start, end, name: 0, uri: 0 };
}

function lines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
