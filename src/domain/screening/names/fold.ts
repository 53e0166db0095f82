import anyAscii from 'any-ascii';
import { arabicWords } from './arabic-words.ts';
import { isKoreanName, syllablesOf } from './korean.ts';
import { dottedHan, dottedWord, greekWord, isGreek, kanaWord } from './transcribe.ts';

/** Maximum number of characters of a name that are read. */
export const CHARACTERS_MAX = 300;

/** Letters of other scripts that look like Latin ones; replaced within Latin words only. */
const homoglyphs: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's' },
  ...{ А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T' },
  ...{ Х: 'X', У: 'Y', І: 'I', Ј: 'J', Ѕ: 'S', ο: 'o', Ο: 'O', α: 'a', ν: 'v', ρ: 'p' },
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ρ: 'P' },
  ...{ Τ: 'T', Υ: 'Y', Χ: 'X' },
};

/** Writing systems that names are classified by. `korean` is Hangul in a Korean name. */
export const scripts = [
  'latin',
  'letters',
  'abjad',
  'indic',
  'hangul',
  'han',
  'kana',
  'korean',
] as const;

/** One of {@link scripts}. */
export type Script = (typeof scripts)[number];

/** Whether words of this script are single syllables. */
export function isSyllable(script: Script): boolean {
  return script === 'han' || script === 'korean';
}

/** A word of a name, reduced to basic letters. */
export interface FoldedWord {
  /** a–z and digits. */
  readonly text: string;
  readonly script: Script;
  /** It precedes a comma, and therefore is a family name. */
  readonly isBeforeComma: boolean;
  /** It is joined to the previous word by a hyphen. */
  readonly isAfterHyphen: boolean;
}

/** Splits a name into words of basic letters, in order; scripts without spaces into syllables. */
export function foldName(name: string): readonly FoldedWord[] {
  const given = name
    .slice(0, CHARACTERS_MAX)
    .normalize('NFKC')
    .replace(invisible, '')
    // Text in parentheses distinguishes persons and is not part of the name.
    .replace(/(?<=\S.*)\([^()]*\)/g, ' ')
    .replace(indicTitles, ' ');
  const clean = asPersian(withoutPeerage(given));
  const comma = clean.indexOf(',');
  const isInverted = comma > 0 && clean.indexOf(',', comma + 1) < 0;
  const words: FoldedWord[] = [];
  const isKorean = isKoreanName(clean);
  const isDotted = dottedHan.test(clean);
  for (const { 0: raw, index } of clean.matchAll(
    /[\p{L}\p{M}\p{N}'\u2019\u02bc\u05f3`\u00b4]+/gu,
  )) {
    const isBeforeComma = isInverted && index < comma;
    const isAfterHyphen = index > 0 && hyphens.includes(clean.charAt(index - 1));
    const found = scriptOf(raw);
    const script = found === 'hangul' && isKorean ? 'korean' : found;
    const isShort = clean.charAt(index + raw.length) === '.';
    if (script === 'han' && isDotted) {
      words.push({ text: basic(dottedWord(raw)), script: 'kana', isBeforeComma, isAfterHyphen });
      continue;
    }
    for (const text of lettersOf(raw, script)) {
      // `Yu.` is an initial in Russian names.
      const isInitial = isShort && initialSyllable.test(text);
      const shown = isInitial ? text.charAt(0) : text;
      if (text !== '') words.push({ text: shown, script, isBeforeComma, isAfterHyphen });
    }
  }
  return words;
}

/** Romanisations of one or two Cyrillic letters at the start of a word. */
export const initialSyllable = /^(?:[yj][aeou]|i[au]|[zkcs]h|ts|shch)$/;
const hyphens = '-\u2010\u2013';

/** Converts dad and dhal to z, as pronounced, in names with a letter only Persian or Urdu has. */
function asPersian(name: string): string {
  return persian.test(name) ? name.replace(persianZ, '\u0632') : name;
}

const persian = /[\u067e\u0686\u0698\u06a9\u06af\u06cc]/u;
const persianZ = /[\u0630\u0636]/gu;

/** Removes a title of the peerage, as in `Tom King, Baron King of Bridgwater`. */
function withoutPeerage(name: string): string {
  const comma = name.indexOf(',');
  const isPeer = comma > 0 && peerage.test(name.slice(comma + 1));
  return isPeer && name.slice(0, comma).trim().includes(' ') ? name.slice(0, comma) : name;
}

const peerage = /^\s*(?:baron(?:ess)?|viscount(?:ess)?|marquess|earl of|duke of)\s/iu;

/** Abbreviated titles in Devanagari: Hon., Dr., Prof., Er. */
const indicTitles = new RegExp(
  `(?<!\\p{L}|\\p{M})(?:${'मा डा डॉ प्रा ई'.replaceAll(' ', '|')})\\.`,
  'gu',
);

/** Directional marks, joiners, fillers and other invisible characters. */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cf}]/gu;

function scriptOf(word: string): Script {
  if (/\p{Script=Latin}/u.test(word)) return 'latin';
  if (/[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u.test(word)) return 'abjad';
  if (indic.test(word)) return 'indic';
  if (/\p{Script=Hangul}/u.test(word)) return 'hangul';
  if (/\p{Script=Han}/u.test(word)) return 'han';
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(word)) return 'kana';
  return /^[\x20-\x7e]*$/.test(word) ? 'latin' : 'letters';
}

/** Scripts whose consonants carry an unwritten vowel. */
const indic = new RegExp(
  `[${'Deva Beng Taml Thai Telu Knda Mlym Gujr Guru Sinh Khmr Laoo Mymr Ethi'
    .split(' ')
    .map((name) => `\\p{Script=${name}}`)
    .join('')}]`,
  'u',
);

function lettersOf(raw: string, script: Script): readonly string[] {
  if (script === 'latin') {
    const text = /[^\x20-\u024f]/.test(raw)
      ? [...raw].map((c) => homoglyphs[c] ?? c).join('')
      : raw;
    return [withoutDigits(basic(/^[\x20-\x7e]*$/.test(text) ? text : anyAscii(text)))];
  }
  if (script === 'korean') return syllablesOf(raw);
  if (script === 'han') {
    return anyAscii(raw)
      .split(/(?=[A-Z])/)
      .map(basic);
  }
  const letters = (text: string) => basic(anyAscii(text));
  if (script === 'abjad') return arabicWords(vowelled(hebrewWord(raw)), letters);
  if (script === 'indic') return [letters(vowelled(raw))];
  if (script === 'kana') return [basic(kanaWord(raw))];
  if (script !== 'letters') return [letters(raw)];
  return [isGreek(raw) ? basic(greekWord(raw)) : letters(raw.replace(softYo, 'yo'))];
}

/**
 * Inserts the vowel heard between two equal letters. Arabic and Hebrew write a doubled consonant
 * once, and Indic scripts mark the first one.
 */
function vowelled(raw: string): string {
  return raw.replace(twice, '$1a');
}

// An ayin between the two has no sound of its own. Excludes the long letters waw, vav and yod, and
// lam, which may be the article.
const twice =
  /(?!(?:\u0644|\u0648|\u064a|\u06cc|\u05d5|\u05d9|\u0e23))(\p{Lo})(?=[\u0639\u05e2]?\1)/gu;

/** The vowel in `Бьёрн`, unlike that in `Берн`. */
const softYo = /\u044c\u0451/giu;

const marked: Readonly<Record<string, string>> = { ג: 'j', ז: 'zh', צ: 'ch', ץ: 'ch', ת: 'th' };
const vav = 'ו';
// Built from strings because outside of them the bundle contains Latin-1 characters only.
const geresh = new RegExp(`([${Object.keys(marked).join('')}])['\\u2019\\u05f3\`\\u00b4]`, 'gu');

/**
 * Replaces Hebrew letters with several sounds by Latin ones: letters with a geresh for foreign
 * sounds, and vav for o and u, except doubled or initial, where it is v.
 */
function hebrewWord(raw: string): string {
  return raw
    .replace(geresh, (_, letter: string) => marked[letter] ?? letter)
    .replace(firstBet, 'b')
    .replace(tsadi, 'tz')
    .replaceAll(vav + vav, 'v')
    .replace(innerVav, 'w');
}

/** Elsewhere it may be read as v. */
const firstBet = /^\u05d1/u;
/** As in names: `ts` followed by h would be read as `tsh`. */
const tsadi = /[\u05e6\u05e5]/gu;
const innerVav = new RegExp(`(?<=.)${vav}`, 'gu');

const drawnDigits = '0:o 1:i 3:e 4:a 5:s 7:t 8:b 9:g'.split(' ').map((pair) => pair.split(':'));

/** Replaces digits within words by the letters they resemble. */
function withoutDigits(word: string): string {
  if (!/[a-z]/.test(word) || !/\d/.test(word)) return word;
  return drawnDigits.reduce(
    (text, [digit = '', letter = '']) => text.replaceAll(digit, letter),
    word,
  );
}

function basic(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
}
