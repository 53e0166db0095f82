import { hasRepeated } from './alike/word-form.ts';

/**
 * The consonants of a word in basic letters, reduced to classes of letters that are interchanged
 * when names are transcribed: `k` for c, g, k, q; `s` for s, z, j and sibilants; `t` for d and t;
 * `b` for b and p; `f` for f, v and w. Vowels, h and y are ignored.
 */
export function skeletonOf(word: string): string {
  let text = '';
  let last = '';
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    let found = classes[code - 97] ?? '';
    const next = word.charCodeAt(at + 1);
    if (code === C) {
      // ch, and c before e, i and y, are sibilants.
      found = next === H || next === E || next === I || next === Y ? 's' : 'k';
    } else if (code === W && at > 0) {
      found = '';
    } else if (code === X) {
      found = at === 0 ? 's' : 'ks';
    } else if (code >= 48 && code <= 57) {
      found = word.charAt(at);
    } else if (code === T && (next === S || next === Z)) {
      found = '';
    } else if (code === P && next === H) {
      found = 'f';
    } else if (code === D && (next === Z || next === J)) {
      found = '';
    }
    if (found !== '' && found !== last) text += found;
    // A vowel separates two equal classes.
    last = found === '' && vowels.includes(word.charAt(at)) ? '' : found === '' ? last : found;
  }
  return text;
}

/**
 * The sound of a word: its {@link skeletonOf consonant classes} and the vowels between them, as `a`
 * for a and e, `i` for i and y, `u` for o and u.
 */
export function soundOf(word: string): string {
  let text = '';
  /** Start of the consonants after the last vowel. */
  let from = 0;
  for (let at = 0; at < word.length; at++) {
    const vowel = vowelClasses[word.charAt(at)];
    if (vowel === undefined) continue;
    if (at > from) text += consonantsBefore(word, from, at);
    const isLong = word.charCodeAt(at) === E && word.charCodeAt(at + 1) === E;
    const heard = isLong ? 'i' : vowel;
    if (isLong) at += 1;
    if (!text.endsWith(heard)) text += heard;
    from = at + 1;
  }
  if (word.length > from) text += skeletonOf(word.slice(from));
  return text.replace('ai', 'a').replace('au', 'u').replace('iu', 'u').replace('ia', 'a');
}

/** The classes of the consonants from `from` up to a vowel, which determines the sound of c. */
function consonantsBefore(word: string, from: number, vowel: number): string {
  const code = word.charCodeAt(vowel);
  const isHissed = word.charCodeAt(vowel - 1) === C && (code === E || code === I || code === Y);
  return skeletonOf(isHissed ? `${word.slice(from, vowel - 1)}s` : word.slice(from, vowel));
}

const vowelClasses: Readonly<Record<string, string>> = {
  ...{ a: 'a', e: 'a', i: 'i', y: 'i', o: 'u', u: 'u' },
};

/** A skeleton for languages that do not distinguish l from r, or b from f and v. */
export function looseSkeleton(skeleton: string): string {
  // Most contain at most one of the two; a test is cheaper than a replacement.
  const text = skeleton.includes('l') ? skeleton.replaceAll('l', 'r') : skeleton;
  return text.includes('f') ? text.replaceAll('f', 'b') : text;
}

/** Lookup key for words of similar sound: the consonants, plus a vowel if there are few. */
export function soundKeyOf(word: { readonly skeleton: string; readonly sound: string }): string {
  const skeleton = looseSkeleton(word.skeleton);
  if (skeleton.length < 2) return `_${withoutRepeats(looseSkeleton(word.sound))}`;
  return skeleton.length > 2 ? skeleton : skeleton + (/[aiu]/.exec(word.sound)?.[0] ?? '');
}

/**
 * Keys of other spellings of a word with few consonants. Scripts without vowels may write only
 * these (`mt` for Muhammad, `mmt`; `s` for Aziz, `ssa`), and spelling mistakes usually affect the
 * vowel.
 *
 * @param key {@link soundKeyOf} of the word
 * @param isPlain the script of the word has vowels
 */
export function keysBeside(key: string, skeleton: string, isPlain: boolean): readonly string[] {
  const few = withoutRepeats(looseSkeleton(skeleton));
  if (few.length === 2) {
    const vowels = anyVowel.map((vowel) => few + vowel);
    if (isPlain) return key.startsWith('_') ? [] : vowels.filter((each) => each !== key);
    return [...vowels, few.charAt(0) + few, few + few.charAt(1)];
  }
  if (few.length !== 1) return [];
  const around = anyVowel.flatMap((before) => anyVowel.map((after) => `_${before}${few}${after}`));
  if (isPlain) return around.filter((each) => each !== key);
  return [...around, ...anyVowel.map((vowel) => few + few + vowel)];
}

/**
 * Keys of other readings of a word: `kh` is often h, `dh` is z, g is j in Egypt and h where the
 * Cyrillic letter is read so, j is y, u before a vowel is w, and a final u in Belarusian names is
 * v. Cyrillic writes v for w, Polish and German write w, ch and c for v, h and ts, Ukrainian writes
 * h for g, and ç may have lost its cedilla.
 *
 * @param known the key that is already looked up
 */
export function keysOfReadings(word: Written, known: string): readonly string[] {
  const { text, script, letters } = word;
  let keys: string[] | undefined;
  for (const { any, reading } of readingsOf[script] ?? readings) {
    // Most words have none of the letters; this test is cheaper than a replacement.
    if ((letters & any) === 0) continue;
    const other = reading.reduce((word, [written, read]) => word.replace(written, read), text);
    if (other === text) continue;
    const key = soundKeyOf({ skeleton: skeletonOf(other), sound: soundOf(other) });
    if (key === known || keys?.includes(key)) continue;
    keys = [...(keys ?? []), key];
  }
  return keys ?? none;
}

/** A word in basic letters and its original script. */
interface Written {
  readonly text: string;
  readonly script: string;
  /** The letters it contains, as a bit mask starting at a. */
  readonly letters: number;
}

interface Reading {
  /** Letters as a bit mask: a word with this reading contains at least one of them. */
  readonly any: number;
  /** The replacements of one reading, all applied together. */
  readonly reading: readonly (readonly [written: RegExp, read: string])[];
}

function readingOf(any: string, ...reading: Reading['reading']): Reading {
  const bits = Array.from(any, (letter) => 1 << (letter.charCodeAt(0) - 97));
  return { any: bits.reduce((sum, bit) => sum | bit, 0), reading };
}

const readings: readonly Reading[] = [
  readingOf('k', [/kh/g, 'h']),
  readingOf('z', [/dzh/g, 'g']),
  readingOf('d', [/dh/g, 'z']),
  readingOf('z', [/z/g, 'dh']),
  readingOf('j', [/dj/g, 'd']),
  readingOf('g', [/g/g, 'j']),
  readingOf('j', [/j/g, 'g']),
  readingOf('j', [/j/g, 'y']),
  readingOf('iy', [/^[iy](?=[aeou])/, 'j']),
  readingOf('u', [/[ao]u$/, 'ov']),
  readingOf('v', [/[eo]v$/, 'au']),
  readingOf('x', [/x/g, 'h']),
  readingOf('c', [/ch(?=[eilr])/g, 'k']),
  readingOf('t', [/ts/g, 'c']),
  readingOf('c', [/(?<=.)c(?=[aou])/g, 's']),
  readingOf('c', [/d(?=.*ich?$)/g, 'dj']),
  readingOf('g', [/g(?=.*(?:ko|uk|[eoy]v|ski?[iy])$)/g, 'h']),
  readingOf('h', [/(?<![ckpstz])h(?=.*(?:ko|uk|[eiy]v|ski?[iy])$)/g, 'g']),
  readingOf('v', [/(?<=.)v(?=(?:.*[eo]v)?a?$)/g, 'w']),
  readingOf(
    'cjw',
    [/ch(?=.*[jw])/g, 'h'],
    [/w(?=a?$|sk|it?[cs]?[hz])|(?<=^j?[eci]|^[sz])w/g, 'v'],
    [/j/g, 'y'],
    [/^c(?=[aouv])/g, 'ts'],
  ),
];
const readingsOf: Readonly<Partial<Record<string, readonly Reading[]>>> = {
  letters: [
    ...readings,
    readingOf('g', [/g/g, 'h']),
    readingOf('u', [/^u(?=[aeio])/, 'w']),
    // Cyrillic has no letter for w, and one for h and kh.
    readingOf('v', [/(?<=.)v(?=[aeiou].)/g, 'w']),
    readingOf('v', [/(?<=.)v(?=[aeiou].)/g, 'w'], [/kh/g, 'h']),
    readingOf('k', [/k(?=[ei])/g, 'ch']),
  ],
  // One letter for w, u and o, and in Persian also for v.
  abjad: [...readings, readingOf('w', [/w/g, 'v']), readingOf('w', [/w/g, 'u'])],
};

const none: readonly string[] = [];
const anyVowel = ['', 'a', 'i', 'u'];

function withoutRepeats(text: string): string {
  return hasRepeated(text) ? text.replace(/(.)\1+/g, '$1') : text;
}

const vowels = 'aeiou';
const classes: readonly string[] = [
  ...['', 'b', 'k', 't', '', 'f', 'k', '', '', 's', 'k', 'l', 'm'],
  ...['n', '', 'b', 'k', 'r', 's', 't', '', 'f', 'f', 'ks', '', 's'],
];
const [C, D, E, H, I, J, P] = [99, 100, 101, 104, 105, 106, 112];
const [S, T, W, X, Y, Z] = [115, 116, 119, 120, 121, 122];
