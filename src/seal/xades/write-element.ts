import { escapeAttribute } from '../../formats/xml/index.ts';

/** Attributes in the order in which they are written. Undefined ones are omitted. */
export type WrittenAttributes = Readonly<Record<string, string | undefined>>;

/** Text of an element in canonical form. `content` must be markup. */
export function writeElement(
  name: string,
  attributes: WrittenAttributes,
  ...content: readonly string[]
): string {
  return `${openElement(name, attributes)}${content.join('')}</${name}>`;
}

/** Text of the start tag of an element. */
export function openElement(name: string, attributes: WrittenAttributes): string {
  let tag = `<${name}`;
  for (const key in attributes) {
    const value = attributes[key];
    if (value !== undefined) tag += ` ${key}="${escapeAttribute(value)}"`;
  }
  return `${tag}>`;
}

/** The bytes in base64, without line breaks. */
export function writeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64');
}
