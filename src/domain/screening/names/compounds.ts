import type { FoldedWord } from './fold.ts';
import { initialSyllable } from './fold.ts';
import { isMandarinFamily } from './languages/mandarin-given-name.ts';
import { isSpeltOtherwise } from './languages/spellings.ts';
import {
  articles,
  FATHER,
  faith,
  OF_FAITH,
  OF_GOD,
  SERVANT,
  SERVANT_OF_GOD,
  spellings,
} from './tables/index.ts';

/** Starts or ends like a compound; most words do not. */
const anyCompound =
  /^abd|^[ae]b[iou]|ll?a(?:k?h)?$|[dt][ei]{1,2}ne?$|^(?:v[ao]nde[nr]|de(?:la|los|las))[^aeiou].../;

/** Whether {@link withCompounds} may change a word. */
export function mayBeCompound(text: string): boolean {
  return anyCompound.test(text);
}

/** Whether {@link withCompounds} leaves a word unchanged regardless of adjacent words. */
export function standsAlone(text: string): boolean {
  const isPart = [SERVANT, FATHER, SERVANT_OF_GOD, OF_GOD, OF_FAITH].includes(text);
  if (isPart || faith.has(text) || articles.has(text) || isMandarinFamily(text)) return false;
  if (isSpeltOtherwise(text) || initialSyllable.test(text)) return false;
  if (!mayBeCompound(text)) return true;
  const [first, ...others] = partsOfText(text);
  return first === text && others.length === 0;
}

/** Splits compounds in Arabic names into their parts, whichever way they are joined. */
export function withCompounds(words: readonly FoldedWord[]): readonly FoldedWord[] {
  if (!words.some(({ text }) => mayBeCompound(text))) return words;
  const found: FoldedWord[] = [];
  for (const word of words.flatMap(partsOf)) {
    const before = found.at(-1)?.text ?? '';
    const isOfFaith = faith.has(word.text) && articles.has(before) && found.length > 1;
    if (isOfFaith) found.splice(-1, 1, { ...word, text: OF_FAITH });
    else if (word.text === OF_GOD && before === SERVANT) {
      found.splice(-1, 1, { ...word, text: SERVANT_OF_GOD });
    } else if (!articles.has(word.text) || (before !== SERVANT && before !== FATHER)) {
      found.push(word);
    }
  }
  return found;
}

function partsOf(word: FoldedWord): readonly FoldedWord[] {
  const texts = partsOfText(word.text);
  return texts.length === 1 && texts[0] === word.text
    ? [word]
    : texts.map((text) => ({ ...word, text }));
}

function partsOfText(text: string): readonly string[] {
  const known = spellings.get(text);
  if (known !== undefined) return [known];
  const glued = withArticles.exec(text);
  if (glued !== null) return glued.slice(1);
  const servant = /^abd(?:ou|[aeiou])/.exec(text)?.[0];
  if (servant !== undefined) {
    const rest = afterArticle(text.slice(servant.length));
    // `Abdullah`, `Abdullayev` and `Abdulov` are separate names.
    const isWhole = rest.length < 4 || /^l?[aou](?:h|y|ev)/.test(rest);
    return isWhole ? [text] : [SERVANT, ...withEnding(rest)];
  }
  const son = /^ab(?:u|ou)(?:l(?=[^aeiouy]))?([^aeiouy].{3,})$/.exec(text)?.[1];
  return son === undefined ? withEnding(text) : [FATHER, ...withEnding(son)];
}

/** Splits `Vandenberg` and `Delacruz` like `van den Berg` and `de la Cruz`. */
const withArticles = /^(v[ao]n|de)(de[nr]|la|los|las)([^aeiou].{3,})$/;

/** The rest after `abdu` without the article: `lrahman`, `rrahman` and `rahman` give `rahman`. */
function afterArticle(rest: string): string {
  const [first = '', second = ''] = rest;
  if (first === 'l' || (first === second && !'aeiou'.includes(first))) return rest.slice(1);
  return 'rsdzn'.includes(first) && !'aeiouhy'.includes(second) ? rest.slice(1) : rest;
}

const ofGod = /^(.{3,}?)(?:(?:ou|[aiou])llak?h|o?ulah|(?<=[^aeiou])[au]lla)$/;
const ofFaith = /^(.{2,}?)(?:(?:ou|[aeiou])dd(?:i|ee|ei)ne?|(?:ou|u|al|el)d(?:i|ee)ne?|[eu]ttin)$/;

/** Splits `hidayatullah` and `najmuddin` into two words. */
function withEnding(text: string): readonly string[] {
  const god = ofGod.exec(text)?.[1];
  if (god !== undefined) return [god, OF_GOD];
  const first = ofFaith.exec(text)?.[1];
  return first === undefined ? [text] : [first, OF_FAITH];
}
