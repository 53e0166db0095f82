import { readCharacterData } from '../reading/character-data.ts';
import { DeclarationBytes } from '../reading/declaration-bytes.ts';
import { TagReader, type XmlAttribute } from './attributes.ts';
import type { ElementColumns } from './element-columns.ts';
import type { Identifiers } from './identifiers.ts';
import type { KnownName, NameTable, WordTable } from './name-table.ts';
import { xmlNamespace } from './namespaces.ts';
import type { ScopeChain } from './scope-chain.ts';

/** An unmodified document with the positions of its elements. */
export interface XmlDocument {
  /** Exactly the input. */
  readonly bytes: Uint8Array;
  readonly root: XmlElement;
  /** Offset after the byte order mark and the XML declaration. */
  readonly prologEnd: number;
  /** Returns the element with an existing index. */
  elementAt(index: number): XmlElement;
  /** Returns all elements with this name, in document order. */
  findAll(namespaceUri: string, localName: string): readonly XmlElement[];
  /** Returns the elements with this Id, ID, id (no namespace) or xml:id attribute, in order. */
  findById(id: string): readonly XmlElement[];
}

/** A view of an element; two views are of the same element if their `index` is equal. */
export interface XmlElement {
  readonly document: XmlDocument;
  /** Position in document order; 0 is the root. */
  readonly index: number;
  /** As written, including the prefix. */
  readonly name: string;
  readonly prefix: string;
  readonly localName: string;
  /** Empty if the element has no namespace. */
  readonly namespaceUri: string;
  /** Offset of its `<`. */
  readonly startOffset: number;
  /** Offset after the `>` of its start tag. */
  readonly contentStart: number;
  /** Offset of `</`; {@link XmlElement.contentStart} for an empty tag. */
  readonly contentEnd: number;
  /** Offset after the element. */
  readonly endOffset: number;
  /** True for `<a/>`. */
  readonly isEmptyTag: boolean;
  readonly parent: XmlElement | undefined;
  readonly children: readonly XmlElement[];
  /** Excluding namespace declarations. */
  readonly attributes: readonly XmlAttribute[];
  /** Character data directly inside, with references resolved; excludes comments and elements. */
  readonly text: string;
  /** Returns the value of an attribute; attributes without a prefix have no namespace. */
  attribute(localName: string, namespaceUri?: string): string | undefined;
  is(namespaceUri: string, localName: string): boolean;
  /** Returns the first child with this name. */
  child(namespaceUri: string, localName: string): XmlElement | undefined;
  childrenNamed(namespaceUri: string, localName: string): readonly XmlElement[];
  /** True for this element and its descendants. */
  contains(other: XmlElement): boolean;
  /** Returns the namespace of a prefix in scope; the empty prefix means the default namespace. */
  namespaceOf(prefix: string): string | undefined;
}

/** The result of the parser. */
type DocumentParts = Omit<IndexedDocument, 'tag' | 'rendered' | 'readTag' | keyof Views>;
type Views = Pick<XmlDocument, 'root' | 'elementAt' | 'findAll' | 'findById'>;

/** The parsed document: numeric columns with views on top. */
export class IndexedDocument implements XmlDocument {
  readonly bytes: Uint8Array;
  /** The same bytes as a Buffer, for decoding. */
  readonly source: Buffer;
  readonly prologEnd: number;
  readonly columns: ElementColumns;
  readonly names: NameTable;
  readonly uris: WordTable;
  /** Numbers of URIs, by the number of the prefix. */
  readonly declarations: ScopeChain;
  /** Offsets of values, by the number of the local name. */
  readonly xmlAttributes: ScopeChain;
  readonly ids: Identifiers;
  readonly tag: TagReader;
  readonly rendered: DeclarationBytes;

  constructor(parts: DocumentParts) {
    this.bytes = parts.bytes;
    this.source = parts.source;
    this.prologEnd = parts.prologEnd;
    this.columns = parts.columns;
    this.names = parts.names;
    this.uris = parts.uris;
    this.declarations = parts.declarations;
    this.xmlAttributes = parts.xmlAttributes;
    this.ids = parts.ids;
    this.tag = new TagReader(parts.source, parts.names);
    this.rendered = new DeclarationBytes(parts.names, parts.uris);
  }

  get root(): XmlElement {
    return new ElementView(this, 0);
  }

  elementAt(index: number): XmlElement {
    return new ElementView(this, index);
  }

  findAll(namespaceUri: string, localName: string): readonly XmlElement[] {
    const uri = this.uris.find(namespaceUri);
    const local = this.names.locals.find(localName);
    const found: XmlElement[] = [];
    if (uri === undefined || local === undefined) return found;
    const { columns, names } = this;
    const [first, end] = columns.inNamespace(uri, 0, columns.count);
    for (let index = first; index < end; index++) {
      if (columns.uri[index] !== uri) continue;
      if (names.known[columns.name[index] as number]?.local !== local) continue;
      found.push(new ElementView(this, index));
    }
    return found;
  }

  findById(id: string): readonly XmlElement[] {
    return this.ids.find(id).map((index) => new ElementView(this, index));
  }

  /** Reads the attributes of an element into {@link IndexedDocument.tag}. */
  readTag(index: number): TagReader {
    const { columns } = this;
    const name = this.names.known[columns.name[index] as number] as KnownName;
    const nameEnd = (columns.start[index] as number) + 1 + name.lengthBytes;
    this.tag.read(nameEnd);
    return this.tag;
  }
}

class ElementView implements XmlElement {
  readonly document: IndexedDocument;
  readonly index: number;

  constructor(document: IndexedDocument, index: number) {
    this.document = document;
    this.index = index;
  }

  get #name(): KnownName {
    const { columns, names } = this.document;
    return names.known[columns.name[this.index] as number] as KnownName;
  }

  get name(): string {
    return this.#name.text;
  }

  get prefix(): string {
    return this.document.names.prefixes.word(this.#name.prefix);
  }

  get localName(): string {
    return this.document.names.locals.word(this.#name.local);
  }

  get namespaceUri(): string {
    return this.document.uris.word(this.document.columns.uri[this.index] as number);
  }

  get startOffset(): number {
    return this.document.columns.start[this.index] as number;
  }

  get contentStart(): number {
    return this.document.columns.tagEnd[this.index] as number;
  }

  get contentEnd(): number {
    return this.document.columns.close[this.index] as number;
  }

  get endOffset(): number {
    return this.document.columns.end[this.index] as number;
  }

  get isEmptyTag(): boolean {
    return this.contentStart === this.endOffset;
  }

  get parent(): XmlElement | undefined {
    const index = this.document.columns.parent[this.index] as number;
    return index < 0 ? undefined : new ElementView(this.document, index);
  }

  get children(): readonly XmlElement[] {
    const { document } = this;
    const { after } = document.columns;
    const end = after[this.index] as number;
    const children: XmlElement[] = [];
    for (let index = this.index + 1; index < end; index = after[index] as number) {
      children.push(new ElementView(document, index));
    }
    return children;
  }

  get attributes(): readonly XmlAttribute[] {
    const { names } = this.document;
    const tag = this.document.readTag(this.index);
    const attributes: XmlAttribute[] = [];
    for (let i = 0; i < tag.count; i++) {
      const { text, prefix, local, declares } = tag.nameOf(i);
      if (declares >= 0) continue;
      attributes.push({
        name: text,
        prefix: names.prefixes.word(prefix),
        localName: names.locals.word(local),
        namespaceUri: this.#uriOfAttribute(prefix),
        value: tag.valueOf(i),
      });
    }
    return attributes;
  }

  get text(): string {
    const { source, columns } = this.document;
    const { start, end, after } = columns;
    const last = after[this.index] as number;
    let text = '';
    let from = this.contentStart;
    for (let index = this.index + 1; index < last; index = after[index] as number) {
      text += readCharacterData(source, from, start[index] as number);
      from = end[index] as number;
    }
    return text + readCharacterData(source, from, this.contentEnd);
  }

  attribute(localName: string, namespaceUri = ''): string | undefined {
    const wanted = this.document.names.locals.find(localName);
    if (wanted === undefined) return undefined;
    const tag = this.document.readTag(this.index);
    for (let i = 0; i < tag.count; i++) {
      const { prefix, local, declares } = tag.nameOf(i);
      if (local !== wanted || declares >= 0) continue;
      if (this.#uriOfAttribute(prefix) === namespaceUri) return tag.valueOf(i);
    }
    return undefined;
  }

  #uriOfAttribute(prefix: number): string {
    if (prefix === 0) return '';
    return this.namespaceOf(this.document.names.prefixes.word(prefix)) ?? '';
  }

  is(namespaceUri: string, localName: string): boolean {
    return this.localName === localName && this.namespaceUri === namespaceUri;
  }

  child(namespaceUri: string, localName: string): XmlElement | undefined {
    const { document } = this;
    const { after } = document.columns;
    const end = after[this.index] as number;
    for (let index = this.index + 1; index < end; index = after[index] as number) {
      const child = new ElementView(document, index);
      if (child.is(namespaceUri, localName)) return child;
    }
    return undefined;
  }

  childrenNamed(namespaceUri: string, localName: string): readonly XmlElement[] {
    return this.children.filter((child) => child.is(namespaceUri, localName));
  }

  contains(other: XmlElement): boolean {
    const after = this.document.columns.after[this.index] as number;
    return other.document === this.document && other.index >= this.index && other.index < after;
  }

  namespaceOf(prefix: string): string | undefined {
    if (prefix === 'xml') return xmlNamespace;
    const { columns, declarations, names, uris } = this.document;
    const wanted = names.prefixes.find(prefix);
    if (wanted === undefined) return undefined;
    const uri = declarations.find(wanted, columns.declared[this.index] as number);
    if (uri !== undefined) return uris.word(uri);
    return prefix === '' ? '' : undefined;
  }
}
