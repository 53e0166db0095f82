import type { FoldedWord } from '../fold.ts';
import { knownName } from '../own-names.ts';
import { somaliSpellings } from '../tables/index.ts';

/** Endings with several spellings, and the one used for comparison. */
const endings: readonly (readonly [written: RegExp, plain: string])[] = [
  // Latvian and Lithuanian add endings to Russian and Polish names.
  [/(?<=..[oe]v)a?s$/, ''],
  [/(?<=.sk)is$/, 'i'],
  // Persian, Dari and Pashto endings.
  [/(?<=.)zad(?:eh?|ah)$|^zad(?:eh|ah)$/, 'zada'],
  [/(?<=.)z(?:ay|ei|ey)$/, 'zai'],
];
const anyEnding = /[oe]va?s$|skis$|zad(?:eh?|ah)$|z(?:ay|ei|ey)$/;

const lastLetters = 'sehyi';

/** A family name with a Latvian or Lithuanian ending: given names next to it have one as well. */
const balticFamily = /..[oe]va?s$|.skis$/;
const balticGiven = /(?<=..j)u?s$|(?<=..[^aeiousy])a?s$/;

let somali: ReadonlyMap<string, string> | undefined;

/** Whether {@link withPlainSpellings} may change a word or those next to it. */
export function isSpeltOtherwise(text: string): boolean {
  // Most words have other endings.
  const isEnding = lastLetters.includes(text.charAt(text.length - 1)) && anyEnding.test(text);
  return isEnding || somaliNames().has(text);
}

/** Replaces regional spellings of the words of a name by the most common ones. */
export function withPlainSpellings(words: readonly FoldedWord[]): readonly FoldedWord[] {
  if (!words.some(({ text }) => isSpeltOtherwise(text))) return words;
  const isBaltic = words.some(({ text }) => balticFamily.test(text));
  return words.map((word) => {
    const isLatin = word.script === 'latin';
    return isLatin ? { ...word, text: plainSpelling(word.text, isBaltic) } : word;
  });
}

function plainSpelling(text: string, isBaltic: boolean): string {
  const name = somaliNames().get(text);
  if (name !== undefined) return name;
  const plain = endings.reduce((word, [written, read]) => word.replace(written, read), text);
  if (plain !== text || !isBaltic || knownName(text) !== undefined) return plain;
  return text.replace(balticGiven, '');
}

function somaliNames(): ReadonlyMap<string, string> {
  somali ??= new Map(
    somaliSpellings.map((each) => {
      const [written = '', plain = ''] = each.split(' ');
      return [written, plain];
    }),
  );
  return somali;
}
