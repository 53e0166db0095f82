import type { FoldedWord } from '../fold.ts';
import { knownName } from '../own-names.ts';
import { somaliSpellings } from '../tables/index.ts';

/** Endings of one word that are written in several ways, and the one that is compared. */
const endings: readonly (readonly [written: RegExp, plain: string])[] = [
  // Latvian and Lithuanian give names of Russia and Poland their own.
  [/(?<=..[oe]v)a?s$/, ''],
  [/(?<=.sk)is$/, 'i'],
  // Persian, Dari and Pashto.
  [/(?<=.)zad(?:eh?|ah)$|^zad(?:eh|ah)$/, 'zada'],
  [/(?<=.)z(?:ay|ei|ey)$/, 'zai'],
];
const anyEnding = /[oe]va?s$|skis$|zad(?:eh?|ah)$|z(?:ay|ei|ey)$/;

const lastLetters = 'sehyi';

/** A family name with an ending of Latvia or Lithuania: given names beside it have one, too. */
const balticFamily = /..[oe]va?s$|.skis$/;
const balticGiven = /(?<=..j)u?s$|(?<=..[^aeiousy])a?s$/;

let somali: ReadonlyMap<string, string> | undefined;

/** True for a word that {@link withPlainSpellings} may change, or the words beside it. */
export function isSpeltOtherwise(text: string): boolean {
  // Most words end otherwise.
  const isEnding = lastLetters.includes(text.charAt(text.length - 1)) && anyEnding.test(text);
  return isEnding || somaliNames().has(text);
}

/** The words of a name as most languages write them. */
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
