import type { TrueTypeFont } from '../../formats/font/index.ts';

/** Width of `text` at `size`, in points. */
export function textWidth(text: string, font: TrueTypeFont, size: number): number {
  let units = 0;
  for (const character of text) {
    units += font.advanceOf(font.glyphOf(character.codePointAt(0) as number));
  }
  return (units * size) / font.unitsPerEm;
}

/** Composed, on one kind of line end, without controls and format characters. */
export function cleanText(text: string): string {
  return text
    .normalize('NFC')
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replace(/\t/g, '    ')
    .replace(/[^\n\P{Cc}]|\p{Cf}|\p{Cs}/gu, '');
}

/** Lines of at most `width` points; a word that is wider is broken where it must be. */
export function wrapLines(
  text: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  return text.split('\n').flatMap((paragraph) => wrapParagraph(paragraph, font, size, width));
}

function wrapParagraph(
  paragraph: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  const lines: string[] = [];
  const space = textWidth(' ', font, size);
  let line = '';
  let lineWidth = 0;
  for (const word of paragraph.split(' ')) {
    const wordWidth = textWidth(word, font, size);
    if (line !== '' && lineWidth + space + wordWidth > width) {
      lines.push(line);
      line = '';
      lineWidth = 0;
    }
    if (line !== '') {
      line += ` ${word}`;
      lineWidth += space + wordWidth;
      continue;
    }
    const pieces = wordWidth > width ? breakWord(word, font, size, width) : [word];
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
    lineWidth = textWidth(line, font, size);
  }
  return [...lines, line];
}

function breakWord(
  word: string,
  font: TrueTypeFont,
  size: number,
  width: number,
): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  let pieceWidth = 0;
  for (const character of word) {
    const advance = textWidth(character, font, size);
    if (piece !== '' && pieceWidth + advance > width) {
      pieces.push(piece);
      piece = '';
      pieceWidth = 0;
    }
    piece += character;
    pieceWidth += advance;
  }
  return [...pieces, piece];
}

/** Characters of `text` that the font cannot show, each once. */
export function missingCharacters(text: string, font: TrueTypeFont): readonly string[] {
  const characters = new Set(text.replaceAll('\n', ''));
  return [...characters].filter((each) => font.glyphOf(each.codePointAt(0) as number) === 0);
}
