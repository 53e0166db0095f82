import type { XmlElement } from '../../formats/xml/index.ts';
import { namespaces } from '../../formats/xmldsig/index.ts';
import type { WrittenAttributes } from './write-element.ts';

type Vocabulary = 'ds' | 'xades' | 'xades141';

const uris: Readonly<Record<Vocabulary, string>> = {
  ds: namespaces.dsig,
  xades: namespaces.xades132,
  xades141: namespaces.xades141,
};

/** Namespace prefixes of the vocabularies at one position of a document. */
export interface PropertyNames {
  /** The name with the prefix bound to the vocabulary. */
  of(vocabulary: Vocabulary, localName: string): string;
  /** Declarations for the vocabularies whose prefixes are not bound to them there. */
  declare(...vocabularies: readonly Vocabulary[]): WrittenAttributes;
}

/**
 * Names for children of `parent`: with the prefixes of the surrounding signature if they are in
 * scope, or else with prefixes to be declared.
 */
export function propertyNames(parent: XmlElement, signature: XmlElement): PropertyNames {
  const bound = new Map<Vocabulary, string>();
  const find = (vocabulary: Vocabulary, ...prefixes: readonly string[]) => {
    const prefix = prefixes.find((candidate) => parent.namespaceOf(candidate) === uris[vocabulary]);
    if (prefix !== undefined) bound.set(vocabulary, prefix);
  };
  find('ds', signature.prefix, 'ds');
  find('xades', parent.prefix, 'xades');
  find('xades141', 'xades141');
  return {
    of(vocabulary, localName) {
      const prefix = bound.get(vocabulary) ?? vocabulary;
      return prefix === '' ? localName : `${prefix}:${localName}`;
    },
    declare(...vocabularies) {
      const missing = vocabularies.filter((vocabulary) => !bound.has(vocabulary));
      return Object.fromEntries(missing.map((name) => [`xmlns:${name}`, uris[name]]));
    },
  };
}
