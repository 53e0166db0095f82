import type { TrueTypeFont } from '../../formats/font/index.ts';

const advances = new WeakMap<TrueTypeFont, Map<string, number>>();
/** Number of characters per font whose advance is cached. */
const ADVANCES_MAX = 2_000;

/** Width of a text at `size`, in points. */
export function textWidth(text: string, font: TrueTypeFont, size: number): number {
  let known = advances.get(font);
  if (known === undefined || known.size > ADVANCES_MAX) {
    known = new Map();
    advances.set(font, known);
  }
  let units = 0;
  for (const character of text) {
    let advance = known.get(character);
    if (advance === undefined) {
      advance = font.advanceOf(font.glyphOf(character.codePointAt(0) as number));
      known.set(character, advance);
    }
    units += advance;
  }
  return (units * size) / font.unitsPerEm;
}

/** Wraps a text into rows, between words and, with `breakWords`, within words that do not fit. */
export function wrapText(
  text: string,
  fitsIn: (text: string) => boolean,
  breakWords = true,
): readonly string[] {
  const rows: string[] = [];
  let row = '';
  for (const word of text.split(' ')) {
    const longer = row === '' ? word : `${row} ${word}`;
    if (fitsIn(longer)) {
      row = longer;
      continue;
    }
    if (row !== '') rows.push(row);
    row = breakWords ? '' : word;
    for (const character of breakWords ? word : '') {
      if (row !== '' && !fitsIn(row + character)) {
        rows.push(row);
        row = '';
      }
      row += character;
    }
  }
  rows.push(row);
  return rows;
}
