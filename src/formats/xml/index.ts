/** XML as bytes: a strict element index and canonical forms; the bytes are never modified. */

export { type CanonicalMethod, canonicalMethods } from './canonical/canonical-methods.table.ts';
export { type CanonicalOptions, canonicalBytes, canonicalize } from './canonical/canonicalize.ts';
export { canonicalizeNodes } from './canonical/canonicalize-nodes.ts';
export { isSpace } from './reading/characters.ts';
export { escapeAttribute, escapeText } from './reading/escape.ts';
export { foreignEncoding } from './reading/foreign-encoding.ts';
export { parseXml } from './reading/parse-xml.ts';
export type { XmlDocument, XmlElement } from './tree/document.ts';
export type { NodeSelection, OmittedNode, SetOperation } from './xpath/node-selection.ts';
export { parseXPath } from './xpath/parse-xpath.ts';
export {
  selectSubtrees,
  selectTarget,
  selectWhere,
  type XPathReferences,
} from './xpath/select-nodes.ts';
