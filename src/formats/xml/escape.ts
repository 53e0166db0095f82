const forText: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#xD;',
};

const forAttributes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
};

/** The text as character data of an element, in canonical form. @spec Canonical XML 1.0 §2.3 */
export function escapeText(text: string): string {
  return text.replace(/[&<>\r]/g, (character) => forText[character] as string);
}

/** The text as attribute value in double quotes, in canonical form. @spec Canonical XML 1.0 §2.3 */
export function escapeAttribute(text: string): string {
  return text.replace(/[&<"\t\n\r]/g, (character) => forAttributes[character] as string);
}
