import { concatBytes } from '../../../base/bytes.ts';
import { skipSection } from '../reading/skip-markup.ts';
import { startsWith } from '../reading/starts-with.ts';
import type { IndexedDocument, XmlDocument, XmlElement } from '../tree/document.ts';
import type { KnownName } from '../tree/name-table.ts';
import type { CanonicalMethod } from './canonical-methods.table.ts';
import { CanonicalNamespaces } from './canonical-namespaces.ts';
import { CanonicalSink } from './canonical-sink.ts';
import {
  canonicalAttributesEnd,
  compareAttributes,
  type RenderedAttribute,
  writeEndTag,
  writeTag,
} from './canonical-tag.ts';
import { writeMarkup, writeSection, writeText } from './canonical-text.ts';
import { inheritedAttributes } from './inherited-attributes.ts';

/** Options of canonicalisation. */
export interface CanonicalOptions {
  /** Exclusive form: prefixes treated as in the inclusive form; '' is `#default`. */
  readonly prefixList?: readonly string[];
  /** Elements that are omitted together with their content. */
  readonly exclude?: readonly XmlElement[];
}

/**
 * Passes on the canonical bytes of a document, or of an element with its content, piece by piece; a
 * piece is valid only during the call.
 *
 * @throws xml.invalid for a relative namespace URI, for which no canonical form exists
 * @spec Canonical XML 1.0 and 1.1, Exclusive XML Canonicalization 1.0
 */
export function canonicalize(
  target: XmlDocument | XmlElement,
  method: CanonicalMethod,
  options: CanonicalOptions,
  take: (piece: Uint8Array) => void,
): void {
  const isElement = 'index' in target;
  const document = (isElement ? target.document : target) as IndexedDocument;
  const walk = new CanonicalWalk(document, method, options, take);
  if (isElement) walk.element(target.index);
  else walk.document();
}

/** The canonical bytes as one array. @throws as {@link canonicalize} */
export function canonicalBytes(
  target: XmlDocument | XmlElement,
  method: CanonicalMethod,
  options: CanonicalOptions = {},
): Uint8Array {
  const pieces: Uint8Array[] = [];
  canonicalize(target, method, options, (piece) => pieces.push(new Uint8Array(piece)));
  return pieces.length === 1 ? (pieces[0] as Uint8Array) : concatBytes(pieces);
}

class CanonicalWalk {
  readonly #document: IndexedDocument;
  readonly #method: CanonicalMethod;
  readonly #sink: CanonicalSink;
  readonly #namespaces: CanonicalNamespaces;
  readonly #withComments: boolean;
  /** Indexes of the omitted elements, ascending, and the position of the next one. */
  readonly #excluded: readonly number[];
  #nextExcluded = 0;
  #apex = 0;

  constructor(
    document: IndexedDocument,
    method: CanonicalMethod,
    { prefixList = [], exclude = [] }: CanonicalOptions,
    take: (piece: Uint8Array) => void,
  ) {
    this.#document = document;
    this.#method = method;
    this.#sink = new CanonicalSink(document.source, take);
    const isExclusive = method.startsWith('exc');
    this.#namespaces = new CanonicalNamespaces(document, isExclusive ? prefixList : undefined);
    this.#withComments = method.endsWith('-comments');
    const here = exclude.filter((element) => element.document === document);
    this.#excluded = here.map(({ index }) => index).sort((a, b) => a - b);
  }

  document(): void {
    const { bytes, prologEnd, columns } = this.#document;
    const rootEnd = columns.end[0] as number;
    this.#around(prologEnd, columns.start[0] as number);
    this.#subtree(0);
    this.#around(rootEnd, bytes.length);
    this.#sink.end();
  }

  element(index: number): void {
    this.#apex = index;
    this.#namespaces.enterAncestors(index);
    this.#subtree(index);
    this.#sink.end();
  }

  /** Comments and instructions before or after the root, each on a separate line. */
  #around(start: number, end: number): void {
    const { bytes, columns } = this.#document;
    const isBefore = start < (columns.start[0] as number);
    for (let at = start; at < end; ) {
      if (bytes[at] !== 0x3c) {
        at++;
        continue;
      }
      const isKept = this.#withComments || bytes[at + 1] === 0x3f;
      if (isKept && !isBefore) this.#sink.line();
      at = writeMarkup(bytes, at, isKept, this.#sink);
      if (isKept && isBefore) this.#sink.line();
    }
  }

  #subtree(apex: number): void {
    const { bytes, columns } = this.#document;
    const end = columns.end[apex] as number;
    const sink = this.#sink;
    let index = apex;
    let current = columns.parent[apex] as number;
    for (let at = columns.start[apex] as number; at < end; ) {
      if (bytes[at] !== 0x3c) {
        at = writeText(bytes, at, end, sink);
        continue;
      }
      const next = bytes[at + 1];
      if (next === 0x2f) {
        this.#endTag(current);
        at = columns.end[current] as number;
        current = columns.parent[current] as number;
      } else if (next === 0x21 || next === 0x3f) {
        at = this.#markup(at);
      } else if (this.#isExcluded(index)) {
        at = columns.end[index] as number;
        index = columns.after[index] as number;
      } else {
        this.#startTag(index);
        at = columns.tagEnd[index] as number;
        if (at === columns.end[index]) this.#closeEmptyTag(index);
        else current = index;
        index++;
      }
    }
  }

  /** Whether an element is omitted; must be called in document order. */
  #isExcluded(index: number): boolean {
    const excluded = this.#excluded;
    while ((excluded[this.#nextExcluded] ?? index) < index) this.#nextExcluded++;
    return excluded[this.#nextExcluded] === index;
  }

  /** Writes a comment, section or instruction and returns the offset after it. */
  #markup(at: number): number {
    const { bytes } = this.#document;
    const isInstruction = bytes[at + 1] === 0x3f;
    if (isInstruction || startsWith(bytes, at, '<!--')) {
      return writeMarkup(bytes, at, isInstruction || this.#withComments, this.#sink);
    }
    const after = skipSection(bytes, at);
    writeSection(bytes, at, after, this.#sink);
    return after;
  }

  #startTag(index: number): void {
    const { columns, names, bytes } = this.#document;
    const start = columns.start[index] as number;
    const name = names.known[columns.name[index] as number] as KnownName;
    const nameEnd = start + 1 + name.lengthBytes;
    const isApex = index === this.#apex;
    const end = isApex ? undefined : canonicalAttributesEnd(bytes, nameEnd);
    if (end === undefined) {
      this.#document.readTag(index);
      const namespaces = this.#namespaces.enter(index, isApex);
      writeTag(this.#document, index, namespaces, this.#attributes(index), this.#sink);
      return;
    }
    const declaration = this.#namespaces.enterPlain(index, name.prefix);
    if (declaration === undefined) this.#sink.copy(start, end);
    else {
      this.#sink.copy(start, nameEnd);
      this.#sink.writeBytes(declaration);
      if (nameEnd < end) this.#sink.copy(nameEnd, end);
    }
    const tagEnd = columns.tagEnd[index] as number;
    this.#sink.copy(tagEnd - 1, tagEnd);
  }

  /** The attributes of an element in canonical order; its tag must have been read. */
  #attributes(index: number): readonly RenderedAttribute[] {
    const { names, tag } = this.#document;
    const isHeir = index === this.#apex && index > 0 && !this.#method.startsWith('exc');
    const inherited = isHeir ? inheritedAttributes(this.#document, index, this.#method) : [];
    const isReplaced = inherited.some(({ local }) => local === 'base');
    const attributes = [...inherited];
    for (let place = 0; place < tag.count; place++) {
      const { declares, prefix, local, lengthBytes, text } = tag.nameOf(place);
      if (declares >= 0 || (isReplaced && text === 'xml:base')) continue;
      const start = tag.nameStarts[place] as number;
      attributes.push({
        name: { start, end: start + lengthBytes },
        local: names.locals.word(local),
        uri: prefix === 0 ? '' : this.#namespaces.uriOf(prefix),
        value: { start: tag.starts[place] as number, end: tag.ends[place] as number },
      });
    }
    return attributes.length > 1 ? attributes.sort(compareAttributes) : attributes;
  }

  #endTag(index: number): void {
    const { columns, names } = this.#document;
    const close = columns.close[index] as number;
    const end = columns.end[index] as number;
    const { lengthBytes } = names.known[columns.name[index] as number] as KnownName;
    this.#sink.copy(close, close + 2 + lengthBytes);
    this.#sink.copy(end - 1, end);
    this.#namespaces.leave(index);
  }

  #closeEmptyTag(index: number): void {
    writeEndTag(this.#document, index, this.#sink);
    this.#namespaces.leave(index);
  }
}
