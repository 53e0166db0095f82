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

// Most texts need nothing; asking first costs less than replacing nothing.
const inText = /[&<>\r]/;
const inAttributes = /[&<"\t\n\r]/;

/** The text as character data of an element, in canonical form. @spec Canonical XML 1.0 §2.3 */
export function escapeText(text: string): string {
  if (!inText.test(text)) return text;
  return text.replace(/[&<>\r]/g, (character) => forText[character] as string);
}

/** The text as attribute value in double quotes, in canonical form. @spec Canonical XML 1.0 §2.3 */
export function escapeAttribute(text: string): string {
  if (!inAttributes.test(text)) return text;
  return text.replace(/[&<"\t\n\r]/g, (character) => forAttributes[character] as string);
}
