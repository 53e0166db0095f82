import anyAscii from 'any-ascii';
import { arabicWords } from './arabic-words.ts';
import { isKoreanName, syllablesOf } from './korean.ts';
import { dottedHan, dottedWord, greekWord, isGreek, kanaWord } from './transcribe.ts';

/** Characters of one name that are looked at. */
export const CHARACTERS_MAX = 300;

/** Letters of other scripts that are drawn like Latin ones; inside of Latin words only. */
const homoglyphs: Readonly<Record<string, string>> = {
  ...{ а: 'a', е: 'e', о: 'o', р: 'p', с: 'c', у: 'y', х: 'x', і: 'i', ј: 'j', ѕ: 's' },
  ...{ А: 'A', В: 'B', Е: 'E', К: 'K', М: 'M', Н: 'H', О: 'O', Р: 'P', С: 'C', Т: 'T' },
  ...{ Х: 'X', У: 'Y', І: 'I', Ј: 'J', Ѕ: 'S', ο: 'o', Ο: 'O', α: 'a', ν: 'v', ρ: 'p' },
  ...{ Α: 'A', Β: 'B', Ε: 'E', Ζ: 'Z', Η: 'H', Ι: 'I', Κ: 'K', Μ: 'M', Ν: 'N', Ρ: 'P' },
  ...{ Τ: 'T', Υ: 'Y', Χ: 'X' },
};

/** Writing systems in which names are told apart; `korean` is Hangul of a name of Korea. */
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

/** True where a word is one syllable of a name. */
export function isSyllable(script: Script): boolean {
  return script === 'han' || script === 'korean';
}

/** A word of a name in basic letters. */
export interface FoldedWord {
  /** a–z and digits. */
  readonly text: string;
  readonly script: Script;
  /** Stands before a comma: a family name. */
  readonly isBeforeComma: boolean;
  /** A hyphen joins it to the word before. */
  readonly isAfterHyphen: boolean;
}

/**
 * The words of a name in basic letters, in their order. Words of scripts without blanks come as
 * their syllables.
 */
export function foldName(name: string): readonly FoldedWord[] {
  const given = name
    .slice(0, CHARACTERS_MAX)
    .normalize('NFKC')
    .replace(invisible, '')
    // What stands in parentheses tells persons apart, and is no name.
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
      // `Yu.` is the initial of a name of Russia.
      const isInitial = isShort && initialSyllable.test(text);
      const shown = isInitial ? text.charAt(0) : text;
      if (text !== '') words.push({ text: shown, script, isBeforeComma, isAfterHyphen });
    }
  }
  return words;
}

/** What stands for one letter of Cyrillic, or two, that begins a word. */
export const initialSyllable = /^(?:[yj][aeou]|i[au]|[zkcs]h|ts|shch)$/;
const hyphens = '-\u2010\u2013';

/** In a name with a letter that Persian and Urdu have beside Arabic, dad and dhal are said z. */
function asPersian(name: string): string {
  return persian.test(name) ? name.replace(persianZ, '\u0632') : name;
}

const persian = /[\u067e\u0686\u0698\u06a9\u06af\u06cc]/u;
const persianZ = /[\u0630\u0636]/gu;

/** `Tom King, Baron King of Bridgwater` without what the crown has added. */
function withoutPeerage(name: string): string {
  const comma = name.indexOf(',');
  const isPeer = comma > 0 && peerage.test(name.slice(comma + 1));
  return isPeer && name.slice(0, comma).trim().includes(' ') ? name.slice(0, comma) : name;
}

const peerage = /^\s*(?:baron(?:ess)?|viscount(?:ess)?|marquess|earl of|duke of)\s/iu;

/** Titles of Devanagari that are written short: Hon., Dr., Prof., Er. */
const indicTitles = new RegExp(
  `(?<!\\p{L}|\\p{M})(?:${'मा डा डॉ प्रा ई'.replaceAll(' ', '|')})\\.`,
  'gu',
);

/** Marks of direction, joiners, fillers and other characters that nobody sees. */
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

/** Scripts whose consonants have a vowel that is not written. */
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
 * A word with the vowel that is heard between two of the same letter: Arabic and Hebrew write a
 * doubled consonant once, and Indic scripts mark the first one.
 */
function vowelled(raw: string): string {
  return raw.replace(twice, '$1a');
}

// Ayin between both is no sound of its own. Not what is long: waw, vav and yod; nor lam, which the
// article joins.
const twice =
  /(?!(?:\u0644|\u0648|\u064a|\u06cc|\u05d5|\u05d9|\u0e23))(\p{Lo})(?=[\u0639\u05e2]?\1)/gu;

/** The vowel of `Бьёрн`, which is not that of `Берн`. */
const softYo = /\u044c\u0451/giu;

const marked: Readonly<Record<string, string>> = { ג: 'j', ז: 'zh', צ: 'ch', ץ: 'ch', ת: 'th' };
const vav = 'ו';
// The program as one file has no other letters than those of Latin-1 outside of texts.
const geresh = new RegExp(`([${Object.keys(marked).join('')}])['\\u2019\\u05f3\`\\u00b4]`, 'gu');

/**
 * A word of Hebrew with Latin letters where one letter stands for several sounds: with a mark for
 * those of other languages, and vav for o and u, but doubled or first for v.
 */
function hebrewWord(raw: string): string {
  return raw
    .replace(geresh, (_, letter: string) => marked[letter] ?? letter)
    .replace(firstBet, 'b')
    .replace(tsadi, 'tz')
    .replaceAll(vav + vav, 'v')
    .replace(innerVav, 'w');
}

/** Elsewhere it may be a v. */
const firstBet = /^\u05d1/u;
/** As names are written: `ts` before an h would be read `tsh`. */
const tsadi = /[\u05e6\u05e5]/gu;
const innerVav = new RegExp(`(?<=.)${vav}`, 'gu');

const drawnDigits = '0:o 1:i 3:e 4:a 5:s 7:t 8:b 9:g'.split(' ').map((pair) => pair.split(':'));

/** Digits between letters stand for letters that look like them. */
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
