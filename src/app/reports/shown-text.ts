/** Longest value that a report for people shows; the JSON has all of it. */
const VALUE_MAX = 300;

/**
 * A text from a document or certificate on one line of a report: visible characters, cut when it is
 * long. Characters that move, reorder or hide text are left out.
 */
export function shownText(text: string, max = VALUE_MAX): string {
  // A long one is cut before it is looked at: it may be megabytes.
  const visible = text
    .slice(0, 4 * max)
    .replace(/\p{Cs}/gu, '\ufffd')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim();
  const characters = [...visible];
  if (characters.length <= max) return visible;
  return `${characters.slice(0, max - 1).join('')}…`;
}

/** The name in a sentence: the common name of an RFC 4514 name, else the organisation or all. */
export function nameOf(distinguishedName: string): string {
  for (const type of ['CN', 'O']) {
    const found = new RegExp(`(?:^|,)${type}=((?:\\\\.|[^,\\\\])+)`, 's').exec(distinguishedName);
    if (found?.[1] !== undefined) return unescaped(found[1]);
  }
  return distinguishedName;
}

/** @spec RFC 4514 §2.4 */
function unescaped(value: string): string {
  const text = value.replace(/(?:\\[0-9a-f]{2})+/gi, (pairs) =>
    Buffer.from(pairs.replaceAll('\\', ''), 'hex').toString('utf8'),
  );
  return text.replace(/\\(.)/gs, '$1');
}
