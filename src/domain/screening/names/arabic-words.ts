import { FATHER, OF_FAITH, OF_GOD, SERVANT } from './tables/index.ts';

// In the letters that plainLetters leaves. Patterns are made of them: the program as one file has
// no other letters than those of Latin-1 outside of texts.
const [article, servant, father] = ['ال', 'عبد', 'ابو'];
const [god, faith] = ['الله', 'الدين'];

const whole = new Map([
  [servant, SERVANT],
  [father, FATHER],
  ['ابي', FATHER],
  [god, OF_GOD],
  [faith, OF_FAITH],
  [article, 'al'],
]);

/** Words that begin or end with one of them, or with the article. */
const parted = [
  `^(${servant})(?:${article})?(${god}|.{3,})$`,
  `^(${father})(?:${article})?(.{3,})$`,
  `^(${article})(.{2,})$`,
  `^(.{2,})(${god}|${faith})$`,
].map((source) => new RegExp(source, 'u'));

/**
 * A word of Arabic letters as the words that it is in other scripts: the article, `abd`, `abu` and
 * the name of God are words of their own.
 *
 * @param basic makes basic letters of all others
 */
export function arabicWords(raw: string, basic: (text: string) => string): readonly string[] {
  const text = plainLetters(raw);
  const known = whole.get(text);
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
