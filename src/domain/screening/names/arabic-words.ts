import { FATHER, OF_FAITH, OF_GOD, SERVANT } from './tables/index.ts';

// Spelt as plainLetters leaves them. Patterns are built from these strings because outside of
// strings the bundled program contains Latin-1 characters only.
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

/** Words that start or end with one of them, or with the article. */
const parted = [
  `^(${servant})(?:${article})?(${god}|.{3,})$`,
  `^(${father})(?:${article})?(.{3,})$`,
  `^(${article})(.{2,})$`,
  `^(.{2,})(${god}|${faith})$`,
].map((source) => new RegExp(source, 'u'));

/**
 * Splits a word in Arabic letters as other scripts write it: the article, `abd`, `abu` and the name
 * of God become separate words.
 *
 * @param basic converts other letters to basic letters
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

/** Removes vowel marks and unifies alif. ظ becomes z, as most languages write it. */
function plainLetters(text: string): string {
  return text
    .replace(/[\u064b-\u0652\u0640]/gu, '')
    .replace(/[\u0623\u0625\u0671]/gu, '\u0627')
    .replaceAll('\u0638', '\u0632');
}
