import { shortened } from '../../base/text/index.ts';
import { valueInName } from '../../formats/x509/index.ts';

/** Maximum length of a value in a report for people. The JSON contains all of it. */
const VALUE_MAX = 300;

/**
 * Text from a document or certificate, reduced to visible characters on one line and truncated if
 * it is long. Characters that move, reorder or hide text are removed, as are excess combining
 * marks.
 */
export function shownText(text: string, max = VALUE_MAX): string {
  // Truncated first: the text may be megabytes long.
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
 * The name for a sentence: the common name of an RFC 4514 name, otherwise the organisation or the
 * whole name. A value without visible characters is skipped.
 */
export function nameOf(distinguishedName: string): string {
  for (const type of ['CN', 'O'] as const) {
    const value = valueInName(distinguishedName, type);
    if (value !== undefined && shownText(value) !== '') return value;
  }
  return distinguishedName;
}
