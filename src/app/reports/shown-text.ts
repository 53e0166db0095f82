import { shortened } from '../../base/text/index.ts';
import { valueInName } from '../../formats/x509/index.ts';

/** Longest value that a report for people shows; the JSON has all of it. */
const VALUE_MAX = 300;

/**
 * A text from a document or certificate on one line of a report: visible characters, cut when it is
 * long. Characters that move, reorder or hide text are left out, and marks
 * that pile up on one letter.
 */
export function shownText(text: string, max = VALUE_MAX): string {
  // A long one is cut before it is looked at: it may be megabytes.
  const visible = text
    .slice(0, 4 * max)
    .replace(/\p{Cs}/gu, '\ufffd')
    .replace(/[\p{Cf}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Zs}\u2800]+/gu, ' ')
    .normalize('NFC')
    .replace(/(\p{M}{4})\p{M}+/gu, '$1')
    .trim();
  return shortened(visible, max);
}

/**
 * The name in a sentence: the common name of an RFC 4514 name, else the organisation or all. A
 * value of which nothing shows names nobody.
 */
export function nameOf(distinguishedName: string): string {
  for (const type of ['CN', 'O'] as const) {
    const value = valueInName(distinguishedName, type);
    if (value !== undefined && shownText(value) !== '') return value;
  }
  return distinguishedName;
}
