import { skipSection } from '../reading/skip-markup.ts';
import { startsWith } from '../reading/starts-with.ts';
import type { KnownName } from '../tree/name-table.ts';
import { NO_ENTRY } from '../tree/scope-chain.ts';
import type { NodeSelection } from '../xpath/node-selection.ts';
import type { XPathNode } from '../xpath/node-tree.ts';
import type { CanonicalMethod } from './canonical-methods.table.ts';
import { CanonicalSink } from './canonical-sink.ts';
import {
  compareAttributes,
  type RenderedAttribute,
  writeEndTag,
  writeTag,
} from './canonical-tag.ts';
import { writeMarkup, writeSection, writeText } from './canonical-text.ts';
import { inheritedAttributes } from './inherited-attributes.ts';
import { NodeNamespaces } from './node-namespaces.ts';

/**
 * Passes on the canonical bytes of an arbitrary node-set of a document, piece by piece; attributes
 * and namespaces may be selected without their element, and vice versa.
 *
 * @throws xml.invalid for a relative namespace URI; xml.limit
 * @spec Canonical XML 1.0 §2.2 to §2.4, Canonical XML 1.1 §2.4, Exclusive XML Canonicalization 1.0
 */
export function canonicalizeNodes(
  selection: NodeSelection,
  method: CanonicalMethod,
  prefixList: readonly string[],
  take: (piece: Uint8Array) => void,
): void {
  new NodeWalk(selection, method, prefixList, take).write();
}

/** Steps per element, and per attribute. */
const ELEMENT_STEPS = 4;

class NodeWalk {
  readonly #selection: NodeSelection;
  readonly #method: CanonicalMethod;
  readonly #sink: CanonicalSink;
  readonly #namespaces: NodeNamespaces;
  readonly #withComments: boolean;

  constructor(
    selection: NodeSelection,
    method: CanonicalMethod,
    prefixList: readonly string[],
    take: (piece: Uint8Array) => void,
  ) {
    this.#selection = selection;
    this.#method = method;
    this.#sink = new CanonicalSink(selection.tree.document.source, take);
    const list = method.startsWith('exc') ? prefixList : undefined;
    this.#namespaces = new NodeNamespaces(selection, list);
    this.#withComments = method.endsWith('-comments');
  }

  write(): void {
    const { columns, prologEnd, bytes } = this.#selection.tree.document;
    this.#around(prologEnd, columns.start[0] as number);
    this.#content();
    this.#around(columns.end[0] as number, bytes.length);
    this.#sink.end();
  }

  /** Comments and instructions before or after the root, each on a separate line. */
  #around(start: number, end: number): void {
    const { tree } = this.#selection;
    const { bytes, columns } = tree.document;
    const isBefore = start < (columns.start[0] as number);
    tree.scan(start, end, 0, -1, false, (node) => {
      if (!this.#isWritten(node)) return false;
      if (!isBefore) this.#sink.line();
      writeMarkup(bytes, node.start, true, this.#sink);
      if (isBefore) this.#sink.line();
      return false;
    });
  }

  #isWritten(node: XPathNode): boolean {
    return this.#selection.has(node) && (this.#withComments || node.kind !== 'comment');
  }

  /** The root with its content. */
  #content(): void {
    const { tree } = this.#selection;
    const { columns, source } = tree.document;
    const end = columns.end[0] as number;
    let index = 0;
    let current = -1;
    for (let at = columns.start[0] as number; at < end; ) {
      const next = source[at] === LESS ? source[at + 1] : undefined;
      if (next === undefined || startsWith(source, at, '<![')) {
        const { after } = tree.textEnd(at, columns.close[current] as number);
        if (this.#selection.hasAt(at, current)) this.#text(at, after);
        at = after;
      } else if (next === SLASH) {
        this.#endTag(current);
        at = columns.end[current] as number;
        current = columns.parent[current] as number;
      } else if (next === EXCLAMATION || next === QUESTION) {
        const isComment = next === EXCLAMATION;
        const isKept = this.#selection.hasAt(at, current) && (this.#withComments || !isComment);
        at = writeMarkup(source, at, isKept, this.#sink);
      } else {
        this.#startTag(index);
        at = columns.tagEnd[index] as number;
        if (at === columns.end[index]) this.#endTag(index);
        else current = index;
        index++;
      }
    }
  }

  #text(start: number, end: number): void {
    const { bytes } = this.#selection.tree.document;
    for (let at = start; at < end; ) {
      if (bytes[at] !== LESS) at = writeText(bytes, at, end, this.#sink);
      else {
        const after = skipSection(bytes, at);
        writeSection(bytes, at, after, this.#sink);
        at = after;
      }
    }
  }

  #startTag(index: number): void {
    const { tree, elements } = this.#selection;
    const { columns, names } = tree.document;
    this.#requireAbsolute(index);
    const isWritten = elements[index] === 1;
    const own = tree.attributes(index);
    tree.steps.step(ELEMENT_STEPS * (1 + own.length));
    const kept = own.filter((node) => this.#selection.has(node));
    const prefixOf = (name: number) => (names.known[name] as KnownName).prefix;
    const used = new Set(kept.map(({ name }) => prefixOf(name)).filter((prefix) => prefix !== 0));
    used.add(prefixOf(columns.name[index] as number));
    used.delete(names.prefixes.intern('xml'));
    const namespaces = this.#namespaces.enter(index, isWritten, used);
    const attributes = this.#attributes(index, kept, isWritten);
    writeTag(tree.document, index, namespaces, attributes, this.#sink, isWritten);
  }

  /** Rejects relative namespace URIs, like the canonicalisation of whole documents. */
  #requireAbsolute(index: number): void {
    const { columns, declarations, rendered } = this.#selection.tree.document;
    const parent = columns.parent[index] as number;
    const outside = parent < 0 ? NO_ENTRY : (columns.declared[parent] as number);
    let entry = columns.declared[index] as number;
    for (; entry !== outside; entry = declarations.outer[entry] as number) {
      rendered.requireAbsolute(declarations.value[entry] as number);
    }
  }

  #attributes(
    index: number,
    kept: readonly XPathNode[],
    isWritten: boolean,
  ): readonly RenderedAttribute[] {
    const inherited = isWritten ? this.#inherited(index) : [];
    const isReplaced = inherited.some(({ local }) => local === 'base');
    const attributes = [...inherited];
    const { tree } = this.#selection;
    const { names } = tree.document;
    for (const node of kept) {
      const { text, lengthBytes } = names.known[node.name] as KnownName;
      if (isReplaced && text === 'xml:base') continue;
      const { local, uri } = tree.naming(node);
      const name = { start: node.order, end: node.order + lengthBytes };
      attributes.push({ name, local, uri, value: { start: node.start, end: node.end } });
    }
    return attributes.sort(compareAttributes);
  }

  /** The `xml:` attributes inherited from ancestors that are not in the output. */
  #inherited(index: number): readonly RenderedAttribute[] {
    if (this.#method.startsWith('exc')) return [];
    const { tree, elements } = this.#selection;
    const { tagEnd } = tree.document.columns;
    let above = tree.parentIndex(index);
    if (above < 0 || elements[above] === 1) return [];
    for (; above >= 0 && elements[above] !== 1; above = tree.parentIndex(above)) tree.steps.step(1);
    const basesFrom = above < 0 ? 0 : (tagEnd[above] as number);
    return inheritedAttributes(tree.document, index, this.#method, basesFrom);
  }

  #endTag(index: number): void {
    if (this.#selection.elements[index] !== 1) return;
    writeEndTag(this.#selection.tree.document, index, this.#sink);
    this.#namespaces.leave();
  }
}

const LESS = 0x3c;
const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
