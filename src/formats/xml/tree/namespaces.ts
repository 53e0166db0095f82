import { limits } from '../../../base/limits.ts';
import { tooMuch } from '../reading/xml-error.ts';

/** The namespace of attributes such as `xml:lang`. */
export const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';
/** The namespace of declarations; no prefix may be bound to it. */
export const xmlnsNamespace = 'http://www.w3.org/2000/xmlns/';

/** Marks a prefix without a binding in scope. */
export const UNBOUND = -1;

/** Number of the empty URI, for elements without a namespace. */
const NO_NAMESPACE = 0;

/** URIs of prefixes at the current position, as numbers. Leaving an element undoes its bindings. */
export class NamespaceScope {
  /** Number of the URI or {@link UNBOUND}, by the number of the prefix. */
  readonly #bound: number[] = [NO_NAMESPACE];
  /** Bindings to undo: element, prefix and the previous binding. */
  readonly #elements: number[] = [];
  readonly #prefixes: number[] = [];
  readonly #before: number[] = [];

  /** Returns the number of a prefix's URI; {@link UNBOUND} if it has none. */
  uriOf(prefix: number): number {
    return this.#bound[prefix] ?? UNBOUND;
  }

  /** Binds a prefix for an element and its content. @throws xml.limit */
  bind(element: number, prefix: number, uri: number): void {
    if (this.#elements.length >= limits.xmlNamespaces) {
      throw tooMuch('namespace declarations in scope', limits.xmlNamespaces);
    }
    this.#elements.push(element);
    this.#prefixes.push(prefix);
    this.#before.push(this.uriOf(prefix));
    this.#bound[prefix] = uri;
  }

  /** Undoes the bindings of an element. */
  leave(element: number): void {
    const elements = this.#elements;
    while (elements.length > 0 && elements[elements.length - 1] === element) {
      elements.pop();
      this.#bound[this.#prefixes.pop() as number] = this.#before.pop() as number;
    }
  }
}
