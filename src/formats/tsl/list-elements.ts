import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { findTime } from '../../base/time/iso-time.ts';
import type { XmlElement } from '../xml/index.ts';
import { parseBase64 } from '../xmldsig/index.ts';
import { tslNamespaces } from './names.table.ts';

const { list: ns } = tslNamespaces;
const xmlNamespace = 'http://www.w3.org/XML/1998/namespace';

/** An error that names the element and its position. */
export function listInvalid(element: XmlElement, message: string): InnsigliError {
  const { localName, startOffset } = element;
  return new InnsigliError('trust.list.invalid', `${localName} at byte ${startOffset}: ${message}`);
}

/** The child with this name. @throws trust.list.invalid if there is none */
export function requireChild(element: XmlElement, localName: string): XmlElement {
  const found = element.child(ns, localName);
  if (found === undefined) throw listInvalid(element, `${localName} is missing`);
  return found;
}

/** The trimmed text of the child with this name. @throws trust.list.invalid if there is none */
export function requireText(element: XmlElement, localName: string): string {
  const text = requireChild(element, localName).text.trim();
  if (text === '') throw listInvalid(element, `${localName} is empty`);
  if (text.length > limits.trustListTextCharacters) {
    throw listInvalid(element, `${localName} is too long`);
  }
  return text;
}

/** The `item` children of the child `list`; empty if it is missing. */
export function listed(element: XmlElement, list: string, item: string): readonly XmlElement[] {
  return element.child(ns, list)?.childrenNamed(ns, item) ?? [];
}

/** The integer in a child element. @throws trust.list.invalid */
export function requireNumber(element: XmlElement, localName: string): number {
  const text = requireText(element, localName);
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw listInvalid(element, `${localName}: expected a number, found "${text.slice(0, 40)}"`);
}

/** A text as epoch milliseconds. @throws trust.list.invalid */
export function requireTimeMs(element: XmlElement, text: string): number {
  const timeMs = findTime(text);
  if (timeMs !== undefined) return timeMs;
  throw listInvalid(element, `expected a time, found "${text.trim().slice(0, 40)}"`);
}

/** The English text of a multilingual name, otherwise the first; empty if there is none. */
export function englishText(names: XmlElement | undefined, item = 'Name'): string {
  const all = names?.childrenNamed(ns, item) ?? [];
  const english = all.find((each) => each.attribute('lang', xmlNamespace)?.toLowerCase() === 'en');
  return ((english ?? all[0])?.text ?? '').trim().slice(0, limits.trustListTextCharacters);
}

/** The certificates among the digital identities in `identity`, DER as written. */
export function readIdentityCertificates(identity: XmlElement): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (const id of identity.childrenNamed(ns, 'DigitalId')) {
    for (const one of id.childrenNamed(ns, 'X509Certificate')) {
      const der = parseBase64(one.text);
      if (der !== undefined && der.length > 0) found.push(der);
    }
  }
  return found;
}
