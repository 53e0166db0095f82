/** An XML element, or text in it. */
export type XmlNode = string | XmlTag;

/** An element under construction. */
export interface XmlTag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlNode[];
}

/** Creates an element. Undefined children are omitted. */
export function tag(
  name: string,
  ...content: readonly (
    | XmlNode
    | Readonly<Record<string, string>>
    | readonly XmlNode[]
    | undefined
  )[]
): XmlTag {
  let attributes: Readonly<Record<string, string>> = {};
  const children: XmlNode[] = [];
  for (const each of content) {
    if (each === undefined) continue;
    if (typeof each === 'string') children.push(each);
    else if (Array.isArray(each)) children.push(...(each as readonly XmlNode[]));
    else if ('name' in each && 'children' in each) children.push(each as XmlTag);
    else attributes = each as Readonly<Record<string, string>>;
  }
  return { name, attributes, children };
}

/** Creates an element for a value. Undefined if there is no value. */
export function tagFor<Value>(
  value: Value | undefined,
  make: (value: Value) => XmlTag | undefined,
): XmlTag | undefined {
  return value === undefined ? undefined : make(value);
}

/** Creates an element around others. Undefined if all of them are undefined. */
export function tagAround(
  name: string,
  children: readonly (XmlTag | undefined)[],
): XmlTag | undefined {
  const present = children.filter((each) => each !== undefined);
  return present.length === 0 ? undefined : tag(name, present);
}

/** Serializes a document with this root. */
export function xmlDocument(root: XmlTag): string {
  const parts: string[] = ['<?xml version="1.0" encoding="UTF-8"?>\n'];
  write(root, 0, parts);
  return parts.join('');
}

function write({ name, attributes, children }: XmlTag, depth: number, parts: string[]): void {
  const margin = '  '.repeat(depth);
  const given = Object.entries(attributes).map(([key, text]) => ` ${key}="${escaped(text)}"`);
  const open = `${margin}<${name}${given.join('')}`;
  if (children.length === 0) {
    parts.push(`${open}/>\n`);
    return;
  }
  if (children.every((child) => typeof child === 'string')) {
    parts.push(`${open}>${children.map((text) => escaped(String(text))).join('')}</${name}>\n`);
    return;
  }
  parts.push(`${open}>\n`);
  for (const child of children) {
    if (typeof child === 'string') parts.push(`${margin}  ${escaped(child)}\n`);
    else write(child, depth + 1, parts);
  }
  parts.push(`${margin}</${name}>\n`);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text. Characters that XML does not allow become U+FFFD. @spec XML 1.0 §2.2 */
function escaped(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replace(/[&<>"\t\n\r]/g, (character) => entities[character] as string);
}
