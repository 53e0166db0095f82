import type { StampFonts } from '../../seal/appearance/index.ts';
import { isolate } from './sentences.ts';

/** Tools that adapt texts to the fonts of a PDF. */
export interface Drawing {
  /** The text; characters that the fonts lack stand as their numbers: `[U+05D3 U+05D5]`. */
  drawable(text: string): string;
  /** True when a text had such characters. */
  hasEscaped(): boolean;
}

/** A {@link Drawing} with these fonts: a box or a question mark would look like any other name. */
export function drawing({ regular, bold }: StampFonts): Drawing {
  let escaped = false;
  const has = (character: string) => {
    const code = character.codePointAt(0) ?? 0;
    return regular.glyphOf(code) !== 0 && bold.glyphOf(code) !== 0;
  };
  return {
    drawable(text) {
      const parts: string[] = [];
      let missing: string[] = [];
      const flush = () => {
        if (missing.length === 0) return;
        parts.push(`[${missing.join(' ')}]`);
        missing = [];
        escaped = true;
      };
      for (const character of text) {
        if (character === isolate.start || character === isolate.end) continue;
        if (has(character)) {
          flush();
          parts.push(character);
        } else missing.push(numberOf(character));
      }
      flush();
      return parts.join('');
    },
    hasEscaped: () => escaped,
  };
}

/** As the Unicode standard writes it: U+ and four to six hexadecimal digits. */
function numberOf(character: string): string {
  const digits = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return `U+${digits.padStart(4, '0')}`;
}
