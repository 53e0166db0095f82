import type { TrueTypeFont } from '../../formats/font/index.ts';
import { textWidth, wrapText } from '../../seal/appearance/index.ts';

/** Normalises text: composed, with uniform line breaks, without control and format characters. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[^\n\P{Cc}]|\p{Cf}|\p{Cs}/gu, '');
}

/** Breaks text into lines of at most `width` points; a wider word is broken where necessary. */
export function wrapLines(
  text: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  const fitsIn = (row: string) => textWidth(row, font, size) <= width;
  return text.split('\n').flatMap((paragraph) => wrapText(paragraph, fitsIn));
}

/** Characters of `text` that the font lacks, each once. */
export function missingCharacters(text: string, font: TrueTypeFont): readonly string[] {
  const characters = new Set(text.replaceAll('\n', ''));
  return [...characters].filter((each) => font.glyphOf(each.codePointAt(0) as number) === 0);
}
