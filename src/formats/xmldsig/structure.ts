import { InnsigliError } from '../../base/errors.ts';
import type { XmlElement } from '../xml/index.ts';

/** An error that names the element and its position. */
export function signatureInvalid(element: XmlElement, message: string): InnsigliError {
  const at = `${element.localName} at byte ${element.startOffset}`;
  return new InnsigliError('xml.signature.invalid', `${at}: ${message}`, {
    details: { element: element.localName, offsetBytes: element.startOffset },
  });
}

const blank = /^[ \t\r\n]*$/;

/** Rejects text between children. @throws xml.signature.invalid */
export function requireNoText(element: XmlElement): void {
  if (!blank.test(element.text)) throw signatureInvalid(element, 'text between the elements');
}

/**
 * The value of an attribute.
 *
 * @throws xml.signature.invalid if it is missing
 */
export function requireAttribute(element: XmlElement, localName: string): string {
  const value = element.attribute(localName);
  if (value === undefined) throw signatureInvalid(element, `no attribute ${localName}`);
  return value;
}

/**
 * The bytes encoded in the text of an element; white space between the characters is allowed.
 *
 * @throws xml.signature.invalid if it is not strict base64, or the element has children
 * @spec RFC 4648 §4
 */
export function readBase64(element: XmlElement): Uint8Array {
  if (element.children.length > 0) throw signatureInvalid(element, 'elements inside base64');
  const bytes = parseBase64(element.text);
  if (bytes === undefined) throw signatureInvalid(element, 'not base64');
  return bytes;
}

/** The bytes of strict base64 with white space anywhere; undefined if it is not base64. */
export function parseBase64(text: string): Uint8Array | undefined {
  const compact = /[ \t\r\n]/.test(text) ? text.replace(/[ \t\r\n]+/g, '') : text;
  const bytes = Buffer.from(compact, 'base64');
  return bytes.toString('base64') === compact ? bytes : undefined;
}

/** Reads the children of an element one after another, in schema order. */
export interface ChildReader {
  /** Returns the next child if it has this name. */
  optional(namespaceUri: string, localName: string): XmlElement | undefined;
  /**
   * Returns the next child.
   *
   * @throws xml.signature.invalid if it has another name or there is none
   */
  required(namespaceUri: string, localName: string): XmlElement;
  /** Checks that all children were read. @throws xml.signature.invalid */
  end(): void;
}

/**
 * A reader for the children of `element`.
 *
 * @throws xml.signature.invalid if there is text between them
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
