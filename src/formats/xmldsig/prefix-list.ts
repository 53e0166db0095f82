import type { XmlElement } from '../xml/index.ts';
import { namespaces } from './namespaces.table.ts';

/**
 * The prefixes in the InclusiveNamespaces element of a canonicalisation method or transform; the
 * empty one is the default namespace (`#default`).
 *
 * @spec Exclusive XML Canonicalization 1.0 §3
 */
export function readPrefixList(method: XmlElement): readonly string[] {
  const list = method.child(namespaces.excC14n, 'InclusiveNamespaces')?.attribute('PrefixList');
  if (list === undefined) return [];
  const words = list.split(/[ \t\r\n]+/).filter((word) => word !== '');
  return words.map((word) => (word === '#default' ? '' : word));
}
