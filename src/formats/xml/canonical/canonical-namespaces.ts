import type { IndexedDocument } from '../tree/document.ts';
import type { KnownName } from '../tree/name-table.ts';
import { NamespaceScope, UNBOUND, xmlNamespace } from '../tree/namespaces.ts';
import { NO_ENTRY } from '../tree/scope-chain.ts';
import { compareText } from './text-order.ts';

/** A namespace declaration in the canonical form of an element, as bytes with a leading space. */
interface Rendered {
  readonly prefix: number;
  readonly bytes: Uint8Array;
}

/**
 * Determines the namespace declarations in the canonical form of each element. Tracks two scopes:
 * the declarations of the document, and those of the nearest output ancestor.
 */
export class CanonicalNamespaces {
  readonly #document: IndexedDocument;
  readonly #declared: NamespaceScope;
  readonly #rendered: NamespaceScope;
  /** Prefixes that the exclusive form treats like the inclusive form; undefined: all. */
  readonly #inclusive: ReadonlySet<number> | undefined;
  /** Prefixes declared by ancestors of the apex element. */
  readonly #outside = new Set<number>();

  /** @param prefixList undefined for the inclusive forms */
  constructor(document: IndexedDocument, prefixList: readonly string[] | undefined) {
    const { names, uris } = document;
    this.#document = document;
    this.#declared = new NamespaceScope();
    this.#rendered = new NamespaceScope();
    const xmlPrefix = names.prefixes.intern('xml');
    const xmlUri = uris.intern(xmlNamespace);
    this.#declared.bind(UNBOUND, xmlPrefix, xmlUri);
    // Treated as already rendered: it never has to be declared.
    this.#rendered.bind(UNBOUND, xmlPrefix, xmlUri);
    if (prefixList === undefined) return;
    const known = prefixList.map((prefix) => names.prefixes.find(prefix) ?? -1);
    this.#inclusive = new Set(known.filter((prefix) => prefix >= 0));
  }

  /** Returns the namespace URI of a prefix declared here. */
  uriOf(prefix: number): string {
    return this.#document.uris.word(this.#declared.uriOf(prefix));
  }

  /** Adds the declarations of the ancestors of `index`; none of them is in the output. */
  enterAncestors(index: number): void {
    const { columns, declarations } = this.#document;
    const parent = columns.parent[index] as number;
    if (parent < 0) return;
    let entry = columns.declared[parent] as number;
    for (; entry !== NO_ENTRY; entry = declarations.outer[entry] as number) {
      const prefix = declarations.key[entry] as number;
      if (this.#outside.has(prefix)) continue;
      this.#outside.add(prefix);
      this.#declared.bind(UNBOUND, prefix, declarations.value[entry] as number);
    }
  }

  /** The declaration needed by an element without declarations and prefixed attributes, if any. */
  enterPlain(index: number, prefix: number): Uint8Array | undefined {
    if (this.#inclusive === undefined || this.#isSame(prefix)) return undefined;
    return this.#render(index, prefix);
  }

  /** Returns the declarations of an element in canonical order; its tag must have been read. */
  enter(index: number, isApex: boolean): readonly Uint8Array[] {
    const { tag, columns, names } = this.#document;
    this.#declare(index);
    const rendered: Rendered[] = [];
    const consider = (prefix: number) => {
      if (this.#isSame(prefix)) return;
      rendered.push({ prefix, bytes: this.#render(index, prefix) });
    };
    for (let i = 0; i < tag.count; i++) {
      const { declares, prefix } = tag.nameOf(i);
      if (declares < 0) {
        if (prefix !== 0 && this.#inclusive !== undefined) consider(prefix);
      } else if (this.#isInclusive(declares)) consider(declares);
    }
    if (isApex) {
      for (const prefix of this.#outside) if (this.#isInclusive(prefix)) consider(prefix);
    }
    if (this.#inclusive !== undefined) {
      consider((names.known[columns.name[index] as number] as KnownName).prefix);
    }
    if (rendered.length > 1) {
      const word = (prefix: number) => names.prefixes.word(prefix);
      rendered.sort((a, b) => compareText(word(a.prefix), word(b.prefix)));
    }
    return rendered.map(({ bytes }) => bytes);
  }

  /** Removes the declarations of an element from the scopes. */
  leave(index: number): void {
    this.#declared.leave(index);
    this.#rendered.leave(index);
  }

  /** Binds the prefixes that an element declares. */
  #declare(index: number): void {
    const { columns, declarations, rendered } = this.#document;
    const parent = columns.parent[index] as number;
    const outside = parent < 0 ? NO_ENTRY : (columns.declared[parent] as number);
    let entry = columns.declared[index] as number;
    for (; entry !== outside; entry = declarations.outer[entry] as number) {
      const prefix = declarations.key[entry] as number;
      const uri = declarations.value[entry] as number;
      rendered.requireAbsolute(uri);
      this.#declared.bind(index, prefix, uri);
    }
  }

  #isInclusive(prefix: number): boolean {
    return this.#inclusive === undefined || this.#inclusive.has(prefix);
  }

  /** Whether the prefix has the same namespace in the output as in the document here. */
  #isSame(prefix: number): boolean {
    return this.#rendered.uriOf(prefix) === this.#declared.uriOf(prefix);
  }

  /** Records that an element is rendered with a declaration, and returns the declaration. */
  #render(index: number, prefix: number): Uint8Array {
    const uri = this.#declared.uriOf(prefix);
    this.#rendered.bind(index, prefix, uri);
    return this.#document.rendered.of(prefix, uri);
  }
}
