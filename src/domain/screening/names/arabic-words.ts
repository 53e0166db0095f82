import { FATHER, OF_FAITH, OF_GOD, SERVANT } from './compounds.table.ts';

/** Words of compounds, in the letters that {@link plainLetters} leaves. */
const whole: Readonly<Record<string, string>> = {
  ...{ عبد: SERVANT, ابو: FATHER, ابي: FATHER, الله: OF_GOD, الدين: OF_FAITH, ال: 'al' },
};

/** Words that begin or end with one of them, or with the article. */
const parted = [
  /^(عبد)(?:ال)?(الله|.{3,})$/u,
  /^(ابو)(?:ال)?(.{3,})$/u,
  /^(ال)(.{2,})$/u,
  /^(.{2,})(الله|الدين)$/u,
];

/**
 * A word of Arabic letters as the words that it is in other scripts: the article, `abd`, `abu` and
 * the name of God are words of their own.
 *
 * @param basic makes basic letters of all others
 */
export function arabicWords(raw: string, basic: (text: string) => string): readonly string[] {
  const text = plainLetters(raw);
  const known = whole[text];
  if (known !== undefined) return [known];
  for (const pattern of parted) {
    const [, first, second] = pattern.exec(text) ?? [];
    if (first !== undefined && second !== undefined) {
      return [...arabicWords(first, basic), ...arabicWords(second, basic)];
    }
  }
  return [basic(text)];
}

/** Without marks of vowels and with one alif; ظ is read as z, which most languages write. */
function plainLetters(text: string): string {
  return text
    .replace(/[\u064b-\u0652\u0640]/gu, '')
    .replace(/[\u0623\u0625\u0671]/gu, '\u0627')
    .replaceAll('\u0638', '\u0632');
}
