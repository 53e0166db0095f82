import type { XmlElement } from '../../../formats/xml/index.ts';

/** The children with this local name in any namespace: lists have changed theirs. */
export function kids(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter(({ localName }) => localName === name);
}

/** The first child with this name. */
export function kid(element: XmlElement, name: string): XmlElement | undefined {
  return element.children.find(({ localName }) => localName === name);
}

/** The text of a child; undefined if missing or empty. */
export function textOf(element: XmlElement, name: string): string | undefined {
  const text = kid(element, name)?.text.trim();
  return text === '' ? undefined : text;
}

/** The texts of `<list><item>text</item></list>`. */
export function textsOf(element: XmlElement, name: string): readonly string[] {
  return kids(element, name).flatMap((each) => {
    const text = each.text.trim();
    return text === '' ? [] : [text];
  });
}
