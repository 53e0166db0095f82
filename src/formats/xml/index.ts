/** XML as bytes: a strict index of its elements and its canonical forms; nothing is rewritten. */
export type { XmlAttribute } from './attributes.ts';
export { type CanonicalMethod, canonicalMethods } from './canonical-methods.table.ts';
export { type CanonicalOptions, canonicalBytes, canonicalize } from './canonicalize.ts';
export type { XmlDocument, XmlElement } from './document.ts';
export { escapeAttribute, escapeText } from './escape.ts';
export { parseXml } from './parse-xml.ts';
