import { InnsigliError } from '../../../base/errors.ts';
import type { NameTable, WordTable } from '../tree/name-table.ts';
import { escapeAttribute } from './escape.ts';

/** Namespace declarations in canonical form; the latest one of each prefix is cached. */
export class DeclarationBytes {
  readonly #names: NameTable;
  readonly #uris: WordTable;
  /** The declaration requested last, by prefix. */
  readonly #known: { readonly uri: number; readonly bytes: Uint8Array }[] = [];
  readonly #absolute: boolean[] = [];

  constructor(names: NameTable, uris: WordTable) {
    this.#names = names;
    this.#uris = uris;
  }

  /** Declaration of a prefix, with a leading space. @throws as {@link requireAbsolute} */
  of(prefix: number, uri: number): Uint8Array {
    const known = this.#known[prefix];
    if (known?.uri === uri) return known.bytes;
    this.requireAbsolute(uri);
    const word = this.#names.prefixes.word(prefix);
    const name = word === '' ? 'xmlns' : `xmlns:${word}`;
    const bytes = Buffer.from(` ${name}="${escapeAttribute(this.#uris.word(uri))}"`);
    this.#known[prefix] = { uri, bytes };
    return bytes;
  }

  /** Rejects a relative namespace URI. @throws xml.invalid @spec Canonical XML 1.0 §1.3 */
  requireAbsolute(uri: number): void {
    if (this.#absolute[uri] === true) return;
    const text = this.#uris.word(uri);
    if (text !== '' && !/^[A-Za-z][A-Za-z0-9+.-]*:/.test(text)) {
      throw new InnsigliError(
        'xml.invalid',
        `the namespace URI "${text.slice(0, 60)}" is relative: no canonical form exists`,
      );
    }
    this.#absolute[uri] = true;
  }
}
