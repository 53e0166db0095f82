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

// Most texts need no escaping, and testing first costs less than a replacement without effect.
const inText = /[&<>\r]/;
const inAttributes = /[&<"\t\n\r]/;

/** The text as element character data in canonical form. @spec Canonical XML 1.0 §2.3 */
export function escapeText(text: string): string {
  if (!inText.test(text)) return text;
  return text.replace(/[&<>\r]/g, (character) => forText[character] as string);
}

/** The text as a double-quoted attribute value in canonical form. @spec Canonical XML 1.0 §2.3 */
export function escapeAttribute(text: string): string {
  if (!inAttributes.test(text)) return text;
  return text.replace(/[&<"\t\n\r]/g, (character) => forAttributes[character] as string);
}
