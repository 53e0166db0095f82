import type { NodeSelection } from '../xpath/node-selection.ts';
import { compareText } from './text-order.ts';

/** Namespace of each prefix as rendered by the nearest output ancestors; both are numbers. */
type Bindings = ReadonlyMap<number, number>;

interface Level {
  readonly index: number;
  /** Bindings by the selected namespace nodes of the element. */
  readonly bindings: Bindings;
  /** Exclusive form: prefixes that the element uses, with their previous namespaces. */
  readonly undo: readonly (readonly [prefix: number, uri: number | undefined])[];
}

const DEFAULT = 0;
const NO_NAMESPACE = 0;
const none: Bindings = new Map();

/**
 * Determines the namespace declarations in the canonical form of each element of a node-set.
 *
 * @spec Canonical XML 1.0 §2.3, Exclusive XML Canonicalization 1.0 §3
 */
export class NodeNamespaces {
  readonly #selection: NodeSelection;
  /** Prefixes treated as in the inclusive form; undefined: all. */
  readonly #inclusive: ReadonlySet<number> | undefined;
  /** Ancestors in the output. */
  readonly #levels: Level[] = [];
  /** Exclusive form: the URI of a prefix at the nearest ancestor that uses it. */
  readonly #used = new Map<number, number | undefined>();

  /** @param prefixList undefined for the inclusive forms */
  constructor(selection: NodeSelection, prefixList: readonly string[] | undefined) {
    this.#selection = selection;
    const { prefixes } = selection.tree.document.names;
    this.#inclusive = prefixList && new Set(prefixList.map((prefix) => prefixes.intern(prefix)));
  }

  /**
   * Returns the declarations of an element in canonical order; for an omitted element, those of its
   * selected namespace nodes.
   *
   * @param used prefixes of the element and of its rendered attributes
   */
  enter(index: number, isWritten: boolean, used: Iterable<number>): readonly Uint8Array[] {
    const { document } = this.#selection.tree;
    const bindings = this.#bindingsAt(index);
    const around = this.#levels.at(-1)?.bindings ?? none;
    const declared = new Map<number, number>();
    for (const [prefix, uri] of bindings) {
      if (!this.#isInclusive(prefix) || around.get(prefix) === uri) continue;
      declared.set(prefix, uri);
    }
    const undo: (readonly [number, number | undefined])[] = [];
    if (isWritten) {
      const hadDefault = around.has(DEFAULT) && !bindings.has(DEFAULT);
      if (hadDefault && this.#isInclusive(DEFAULT)) declared.set(DEFAULT, NO_NAMESPACE);
      if (this.#inclusive !== undefined) {
        for (const prefix of used) this.#use(prefix, bindings.get(prefix), declared, undo);
      }
      this.#levels.push({ index, bindings, undo });
    }
    const word = (prefix: number) => document.names.prefixes.word(prefix);
    return [...declared]
      .sort(([a], [b]) => compareText(word(a), word(b)))
      .map(([prefix, uri]) => document.rendered.of(prefix, uri));
  }

  /** Removes an output element from the scopes. */
  leave(): void {
    const level = this.#levels.pop();
    for (const [prefix, uri] of level?.undo.toReversed() ?? []) this.#used.set(prefix, uri);
  }

  #isInclusive(prefix: number): boolean {
    return this.#inclusive === undefined || this.#inclusive.has(prefix);
  }

  /** Records that an output element uses a prefix, and declares it unless already rendered. */
  #use(
    prefix: number,
    uri: number | undefined,
    declared: Map<number, number>,
    undo: (readonly [number, number | undefined])[],
  ): void {
    if (this.#isInclusive(prefix)) return;
    const before = this.#used.get(prefix);
    if (before === uri) return;
    undo.push([prefix, before]);
    this.#used.set(prefix, uri);
    if (uri !== undefined) declared.set(prefix, uri);
    else if (prefix === DEFAULT) declared.set(DEFAULT, NO_NAMESPACE);
  }

  /** The bindings by the selected namespace nodes of an element. */
  #bindingsAt(index: number): Bindings {
    const { tree, isOfElements, elements } = this.#selection;
    const { declared } = tree.document.columns;
    const level = this.#levels.at(-1);
    const isAlike = level !== undefined && declared[level.index] === declared[index];
    if (isOfElements && isAlike && elements[index] === 1) return level.bindings;
    const nodes = tree.namespaces(index);
    tree.steps.step(1 + nodes.length / 2);
    const bindings = new Map<number, number>();
    for (const node of nodes) {
      if (tree.isXmlNamespace(node) || !this.#selection.has(node)) continue;
      bindings.set(node.name, node.uri);
    }
    return bindings;
  }
}
