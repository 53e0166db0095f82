import anyAscii from 'any-ascii';

// Scripts in which a letter is read with adjacent ones. Elsewhere each letter has one reading.

/**
 * Greek letter groups that form one sound, as in passports; at the start of a word as in foreign
 * names.
 *
 * @spec ISO 843, transcription (ELOT 743)
 */
const greekPairs: readonly (readonly [written: RegExp, read: string])[] = (
  [
    ['^μπ', 'b'],
    ['μπ', 'mb'],
    ['^ντ|(?<=[λρν])ντ', 'd'],
    ['ντ', 'nt'],
    ['γκ', 'g'],
    ['γ(?=γ)', 'n'],
    ['γ(?=[ξχ])', 'n'],
    ['ου', 'ou'],
    ['(?<=[αεη])υ(?!\u0308)(?=[αεηιουωβγδζλμνρ])', 'v'],
    ['(?<=[αεη])υ(?!\u0308)', 'f'],
  ] as const
).map(([written, read]) => [new RegExp(written, 'gu'), read]);

/** Breathing and accent marks. A diaeresis, which separates letters, is retained. */
const stress = /[\u0300\u0301\u0313\u0314\u0342\u0345]/g;

/** Whether a word contains a Greek letter. */
export function isGreek(word: string): boolean {
  return /\p{Script=Greek}/u.test(word);
}

/** Transcribes a Greek word to Latin letters. */
export function greekWord(word: string): string {
  const plain = word.normalize('NFD').toLowerCase().replace(stress, '');
  const read = greekPairs.reduce((text, [written, sound]) => text.replace(written, sound), plain);
  return anyAscii(read.normalize('NFC'));
}

const [tsu, long] = ['っッ', 'ーｰ'];
const smallVowels = 'ぁぃぅぇぉァィゥェォ';
const smallY = 'ゃゅょャュョ';

/** Transcribes a kana word to Latin letters. A small letter replaces the preceding vowel. */
export function kanaWord(word: string): string {
  let text = '';
  for (const letter of word) {
    if (tsu.includes(letter) || long.includes(letter)) continue;
    const read = anyAscii(letter).toLowerCase();
    const isSmallY = smallY.includes(letter);
    if (!isSmallY && !smallVowels.includes(letter)) {
      text += read;
    } else if (/^[ui]$|[aeiou][ui]$/.test(text)) {
      text = `${text.slice(0, -1)}${text.endsWith('u') ? 'w' : 'y'}${read}`;
    } else {
      const start = text.replace(/[aeiou]$/, '');
      text = start + (isSmallY && /(?:sh|ch|j)$/.test(start) ? read.slice(1) : read);
    }
  }
  return text;
}

/** In Han characters, the words of a foreign name are separated by dots. */
export const dottedHan = /\p{Script=Han}[\u00b7\u2022\u2027\u30fb\uff0e]\p{Script=Han}/u;

/** Mandarin syllables with the foreign sounds they represent. */
const heard: readonly (readonly [written: RegExp, read: string])[] = [
  [/^Er$/, 'r'],
  [/^Yue/, 'jo'],
  [/^W(?!u)/, 'v'],
  [/^X/, 's'],
  [/^Q/, 'ch'],
  [/^Z(?!h)/, 's'],
];

/** Transcribes a word of a foreign name in Han characters to Latin letters. */
export function dottedWord(word: string): string {
  const syllables = anyAscii(word).split(/(?=[A-Z])/);
  const read = (syllable: string) =>
    heard.reduce((text, [written, sound]) => text.replace(written, sound), syllable);
  return syllables.map(read).join('');
}
