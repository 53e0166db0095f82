const accents = '\u02d8\u02c7\u02c6\u02d9\u02dd\u02db\u02da\u02dc';
const upper = [
  '\u2022\u2020\u2021\u2026\u2014\u2013\u0192\u2044\u2039\u203a\u2212\u2030\u201e\u201c\u201d',
  '\u2018\u2019\u201a\u2122\ufb01\ufb02\u0141\u0152\u0160\u0178\u017d\u0131\u0142\u0153\u0161',
  '\u017e\ufffd\u20ac',
].join('');

/**
 * The character for each byte in PDFDocEncoding; U+FFFD if there is none.
 *
 * @spec ISO 32000-1 Annex D.2
 */
export const docCharacters: readonly string[] = Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x18 && byte <= 0x1f) return accents[byte - 0x18] as string;
  if (byte >= 0x80 && byte <= 0xa0) return upper[byte - 0x80] as string;
  return byte === 0x7f || byte === 0xad ? '\ufffd' : String.fromCharCode(byte);
});
