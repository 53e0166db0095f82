import { asBuffer } from '../../../base/bytes.ts';
import type { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { IndexedDocument, type XmlDocument } from '../tree/document.ts';
import { ElementColumns } from '../tree/element-columns.ts';
import { Identifiers } from '../tree/identifiers.ts';
import { type KnownName, NameTable, WordTable } from '../tree/name-table.ts';
import { NamespaceScope, UNBOUND, xmlNamespace, xmlnsNamespace } from '../tree/namespaces.ts';
import { NO_ENTRY, ScopeChain } from '../tree/scope-chain.ts';
import { byteBits, byteClass } from './byte-classes.table.ts';
import { decodeCharacters, isSpace, readReference, requireCharacter } from './characters.ts';
import { readProlog } from './prolog.ts';
import { forbiddenDoctype, skipComment, skipInstruction, skipSection } from './skip-markup.ts';
import { startsWith } from './starts-with.ts';
import { malformed, tooMuch } from './xml-error.ts';

/**
 * Indexes the elements of a document without changing it: nothing is decoded, copied or normalised.
 * The parser is strict: it rejects documents that are not well-formed or not namespace-well-formed,
 * and any document type declaration, because entities and default attributes would change the
 * content.
 *
 * @throws xml.invalid, xml.dtd.forbidden, xml.encoding.unsupported, xml.limit
 * @spec XML 1.0 (fifth edition), Namespaces in XML 1.0 (third edition)
 */
export function parseXml(bytes: Uint8Array): XmlDocument {
  if (bytes.length > limits.xmlBytes) throw tooMuch('bytes of a document', limits.xmlBytes);
  return new Parser(bytes).parse();
}

const TAG = 0x3c;
const GREATER = 0x3e;
const SLASH = 0x2f;
const EXCLAMATION = 0x21;
const QUESTION = 0x3f;
const AMPERSAND = 0x26;
const BRACKET = 0x5d;

class Parser {
  readonly #bytes: Buffer;
  readonly #given: Uint8Array;
  readonly #names: NameTable;
  readonly #uris = new WordTable();
  readonly #scope = new NamespaceScope();
  readonly #columns: ElementColumns;
  readonly #declarations = new ScopeChain();
  readonly #xmlAttributes = new ScopeChain();
  readonly #ids: Identifiers;
  /** Attributes of the current tag, three numbers each: name, start and end of the value. */
  readonly #attributes: number[] = [];
  #attributesEnd = 0;
  /** Index of the last element with this attribute, plus 1, by name. */
  readonly #seen: number[] = [];
  readonly #xmlPrefix: number;
  readonly #xmlnsPrefix: number;
  #current = -1;
  #depth = 0;

  constructor(bytes: Uint8Array) {
    const source = asBuffer(bytes);
    this.#bytes = source;
    this.#given = bytes;
    this.#names = new NameTable(source);
    this.#columns = new ElementColumns(bytes.length);
    this.#ids = new Identifiers(source);
    this.#xmlPrefix = this.#names.prefixes.intern('xml');
    this.#xmlnsPrefix = this.#names.prefixes.intern('xmlns');
    this.#uris.intern('');
    this.#scope.bind(-1, this.#xmlPrefix, this.#uris.intern(xmlNamespace));
  }

  parse(): XmlDocument {
    const bytes = this.#bytes;
    const prologEnd = readProlog(bytes);
    const rootStart = this.#miscellaneous(prologEnd);
    if (bytes[rootStart] !== TAG) throw malformed(bytes, rootStart, 'expected an element');
    let at = this.#openTag(rootStart);
    while (this.#depth > 0) at = this.#content(at);
    const end = this.#miscellaneous(at);
    if (end < bytes.length) throw malformed(bytes, end, 'expected nothing after the root');
    return new IndexedDocument({
      bytes: this.#given,
      source: bytes,
      prologEnd,
      columns: this.#columns,
      names: this.#names,
      uris: this.#uris,
      declarations: this.#declarations,
      xmlAttributes: this.#xmlAttributes,
      ids: this.#ids,
    });
  }

  /** Skips comments, processing instructions and white space around the root. */
  #miscellaneous(start: number): number {
    const bytes = this.#bytes;
    for (let at = start; ; ) {
      while (isSpace(bytes[at])) at++;
      if (bytes[at] !== TAG) return at;
      if (bytes[at + 1] === QUESTION) at = skipInstruction(bytes, at);
      else if (bytes[at + 1] !== EXCLAMATION) return at;
      else if (startsWith(bytes, at, '<!--')) at = skipComment(bytes, at);
      else if (startsWith(bytes, at, '<!DOCTYPE')) throw forbiddenDoctype();
      else throw malformed(bytes, at, 'expected a comment');
    }
  }

  /** Reads character data and the markup that follows it. */
  #content(start: number): number {
    const bytes = this.#bytes;
    const at = this.#text(start);
    switch (bytes[at + 1]) {
      case SLASH:
        return this.#closeTag(at);
      case QUESTION:
        return skipInstruction(bytes, at);
      case EXCLAMATION:
        return startsWith(bytes, at, '<!--') ? skipComment(bytes, at) : skipSection(bytes, at);
      default:
        return this.#openTag(at);
    }
  }

  /** Returns the offset of the next `<`. */
  #text(start: number): number {
    const bytes = this.#bytes;
    const { length } = bytes;
    for (let at = start; at < length; at++) {
      const byte = bytes[at] as number;
      if (((byteClass[byte] as number) & byteBits.textStop) === 0) continue;
      if (byte === TAG) return at;
      if (byte === AMPERSAND) at = readReference(bytes, at).endOffset - 1;
      else if (byte !== BRACKET) requireCharacter(bytes, at);
      else if (bytes[at + 1] === BRACKET && bytes[at + 2] === GREATER) {
        throw malformed(bytes, at, '"]]>" is forbidden in character data');
      }
    }
    const open = this.#names.known[this.#columns.name[this.#current] as number]?.text;
    throw malformed(bytes, length, `</${open}> expected, found the end`);
  }

  #openTag(start: number): number {
    const bytes = this.#bytes;
    const names = this.#names;
    const name = names.read(start + 1);
    let at = names.endOffset;
    this.#attributesEnd = 0;
    if (bytes[at] !== GREATER) at = this.#readAttributes(at);
    const isEmpty = bytes[at] === SLASH;
    const tagEnd = at + (isEmpty ? 2 : 1);
    const columns = this.#columns;
    const parent = this.#current;
    const index = columns.add(start);
    columns.declared[index] = parent < 0 ? NO_ENTRY : (columns.declared[parent] as number);
    columns.inherited[index] = parent < 0 ? NO_ENTRY : (columns.inherited[parent] as number);
    if (this.#attributesEnd > 0) this.#declare(index);
    columns.name[index] = name;
    columns.uri[index] = this.#requireUri((names.known[name] as KnownName).prefix, start + 1);
    if (this.#attributesEnd > 0) this.#checkAttributes();
    columns.start[index] = start;
    columns.tagEnd[index] = tagEnd;
    columns.parent[index] = parent;
    if (isEmpty) this.#finish(index, tagEnd, tagEnd);
    else {
      if (++this.#depth > limits.xmlDepth) throw tooMuch('levels of elements', limits.xmlDepth);
      this.#current = index;
    }
    return tagEnd;
  }

  #closeTag(start: number): number {
    const bytes = this.#bytes;
    const index = this.#current;
    const name = this.#names.known[this.#columns.name[index] as number] as KnownName;
    if (!this.#names.isAt(name, start + 2)) throw this.#wrongEnd(start);
    let at = start + 2 + name.lengthBytes;
    while (isSpace(bytes[at])) at++;
    if (bytes[at] !== GREATER) throw this.#wrongEnd(start);
    this.#finish(index, start, at + 1);
    this.#current = this.#columns.parent[index] as number;
    this.#depth--;
    return at + 1;
  }

  /** The error for an end tag that does not match the current element. */
  #wrongEnd(start: number): InnsigliError {
    const names = this.#names;
    const expected = this.#columns.name[this.#current] as number;
    const found = names.read(start + 2);
    if (found === expected) return malformed(this.#bytes, names.endOffset, 'a tag without ">"');
    const [open, close] = [expected, found].map((name) => names.known[name]?.text.slice(0, 40));
    return malformed(this.#bytes, start, `</${open}> expected, found </${close}>`);
  }

  #finish(index: number, close: number, end: number): void {
    this.#columns.close[index] = close;
    this.#columns.end[index] = end;
    this.#columns.after[index] = this.#columns.count;
    this.#scope.leave(index);
  }

  /** Records the attributes of a tag; returns the offset of its `>` or `/>`. */
  #readAttributes(start: number): number {
    const bytes = this.#bytes;
    for (let at = start; ; ) {
      const before = at;
      while (isSpace(bytes[at])) at++;
      if (bytes[at] === GREATER) return at;
      if (bytes[at] === SLASH && bytes[at + 1] === GREATER) return at;
      if (at === before) throw malformed(bytes, at, 'expected white space or the end of the tag');
      const name = this.#names.read(at);
      at = this.#names.endOffset;
      while (isSpace(bytes[at])) at++;
      if (bytes[at] !== 0x3d) throw malformed(bytes, at, '"=" expected');
      do at++;
      while (isSpace(bytes[at]));
      const quote = bytes[at];
      if (quote !== 0x22 && quote !== 0x27) throw malformed(bytes, at, 'expected a quote');
      const end = this.#value(at + 1, quote);
      this.#addAttribute(name, at + 1, end);
      at = end + 1;
    }
  }

  #addAttribute(name: number, start: number, end: number): void {
    const at = this.#attributesEnd;
    if (at === limits.xmlAttributes * 3) {
      throw tooMuch('attributes of an element', limits.xmlAttributes);
    }
    this.#attributes[at] = name;
    this.#attributes[at + 1] = start;
    this.#attributes[at + 2] = end;
    this.#attributesEnd = at + 3;
  }

  /** Returns the offset of the closing quote of a value. */
  #value(start: number, quote: number): number {
    const bytes = this.#bytes;
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (((byteClass[byte] as number) & byteBits.valueStop) === 0) continue;
      if (byte === quote) return at;
      if (byte === AMPERSAND) at = readReference(bytes, at).endOffset - 1;
      else if (byte === TAG) throw malformed(bytes, at, '"<" is forbidden in attribute values');
      else requireCharacter(bytes, at);
    }
    throw malformed(bytes, start, 'an unterminated attribute value');
  }

  /** Records the identifiers, namespace declarations and inherited attributes of a tag. */
  #declare(index: number): void {
    const attributes = this.#attributes;
    const columns = this.#columns;
    for (let i = 0; i < this.#attributesEnd; i += 3) {
      const name = attributes[i] as number;
      const { declares, isId, prefix, local } = this.#names.known[name] as KnownName;
      const start = attributes[i + 1] as number;
      const end = attributes[i + 2] as number;
      if (isId) this.#ids.add(index, start, end);
      if (this.#seen[name] === index + 1) {
        throw malformed(this.#bytes, start, 'an attribute occurs twice');
      }
      this.#seen[name] = index + 1;
      if (prefix === this.#xmlPrefix) {
        const outer = columns.inherited[index] as number;
        columns.inherited[index] = this.#xmlAttributes.add(local, start, outer);
      }
      if (declares < 0) continue;
      const uri = this.#bindableUri(declares, start, end);
      this.#scope.bind(index, declares, uri);
      const outer = columns.declared[index] as number;
      columns.declared[index] = this.#declarations.add(declares, uri, outer);
    }
  }

  /** Number of a URI, which must be permitted for the prefix. @spec Namespaces in XML 1.0 §3 */
  #bindableUri(prefix: number, at: number, end: number): number {
    const uri = decodeCharacters(this.#bytes, at, end, true);
    const isXml = prefix === this.#xmlPrefix;
    if (prefix !== 0 && uri === '') throw malformed(this.#bytes, at, 'a prefix without namespace');
    if (uri.length > limits.xmlUriCharacters) {
      throw tooMuch('characters of a namespace URI', limits.xmlUriCharacters);
    }
    if (
      prefix === this.#xmlnsPrefix ||
      uri === xmlnsNamespace ||
      isXml !== (uri === xmlNamespace)
    ) {
      throw malformed(this.#bytes, at, 'a reserved prefix or namespace is declared');
    }
    const number = this.#uris.intern(uri);
    if (number >= limits.xmlUris) throw tooMuch('different namespace URIs', limits.xmlUris);
    return number;
  }

  /** Two attributes of an element must not have the same namespace and local name. */
  #checkAttributes(): void {
    const attributes = this.#attributes;
    let met: Set<string> | undefined;
    for (let i = 0; i < this.#attributesEnd; i += 3) {
      const { prefix, local, declares } = this.#names.known[attributes[i] as number] as KnownName;
      if (prefix === 0 || declares >= 0) continue;
      const place = attributes[i + 1] as number;
      const key = `${this.#requireUri(prefix, place)} ${local}`;
      met ??= new Set();
      if (met.has(key)) throw malformed(this.#bytes, place, 'an attribute occurs twice');
      met.add(key);
    }
  }

  #requireUri(prefix: number, at: number): number {
    const uri = this.#scope.uriOf(prefix);
    if (uri !== UNBOUND && prefix !== this.#xmlnsPrefix) return uri;
    const text = this.#names.prefixes.word(prefix).slice(0, 40);
    throw malformed(this.#bytes, at, `the prefix "${text}" is not declared`);
  }
}
