import { InnsigliError } from '../../base/errors.ts';
import type { XmlElement } from '../xml/index.ts';

/** An error that names the element and where it begins. */
export function signatureInvalid(element: XmlElement, message: string): InnsigliError {
  const at = `${element.localName} at byte ${element.startOffset}`;
  return new InnsigliError('xml.signature.invalid', `${at}: ${message}`, {
    details: { element: element.localName, offsetBytes: element.startOffset },
  });
}

const blank = /^[ \t\r\n]*$/;

/** @throws xml.signature.invalid when the element holds text between its children */
export function requireNoText(element: XmlElement): void {
  if (!blank.test(element.text)) throw signatureInvalid(element, 'text between the elements');
}

/**
 * The attribute's value.
 *
 * @throws xml.signature.invalid when it is absent
 */
export function requireAttribute(element: XmlElement, localName: string): string {
  const value = element.attribute(localName);
  if (value === undefined) throw signatureInvalid(element, `no attribute ${localName}`);
  return value;
}

/**
 * The bytes that the text of an element encodes; white space between the characters is allowed.
 *
 * @throws xml.signature.invalid when it is not strict base64, or the element has children
 * @spec RFC 4648 §4
 */
export function readBase64(element: XmlElement): Uint8Array {
  if (element.children.length > 0) throw signatureInvalid(element, 'elements inside base64');
  const bytes = parseBase64(element.text);
  if (bytes === undefined) throw signatureInvalid(element, 'not base64');
  return bytes;
}

/** The bytes of strict base64 with white space anywhere; undefined when it is none. */
export function parseBase64(text: string): Uint8Array | undefined {
  const compact = /[ \t\r\n]/.test(text) ? text.replace(/[ \t\r\n]+/g, '') : text;
  const bytes = Buffer.from(compact, 'base64');
  return bytes.toString('base64') === compact ? bytes : undefined;
}

/** Reads the children of an element one after the other, in the order of a schema. */
export interface ChildReader {
  /** The next child when it has that name. */
  optional(namespaceUri: string, localName: string): XmlElement | undefined;
  /**
   * The next child.
   *
   * @throws xml.signature.invalid when it has another name or there is none
   */
  required(namespaceUri: string, localName: string): XmlElement;
  /** @throws xml.signature.invalid when there are children left */
  end(): void;
}

/**
 * A reader over the children of `element`.
 *
 * @throws xml.signature.invalid when there is text between them
 */
export function readChildren(element: XmlElement): ChildReader {
  requireNoText(element);
  const { children } = element;
  let at = 0;
  const optional: ChildReader['optional'] = (namespaceUri, localName) => {
    const next = children[at];
    if (next?.is(namespaceUri, localName) !== true) return undefined;
    at++;
    return next;
  };
  return {
    optional,
    required(namespaceUri, localName) {
      const found = optional(namespaceUri, localName);
      if (found !== undefined) return found;
      const instead = children[at]?.name ?? 'nothing';
      throw signatureInvalid(element, `expected ${localName}, found ${instead.slice(0, 60)}`);
    },
    end() {
      const left = children[at];
      if (left !== undefined)
        throw signatureInvalid(element, `unexpected ${left.name.slice(0, 60)}`);
    },
  };
}
