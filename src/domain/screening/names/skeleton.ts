import { hasRepeated } from './alike/word-form.ts';

/**
 * The consonants of a word in basic letters, as classes of what is written for one another when
 * names pass from one script to another: `k` for c, g, k, q; `s` for s, z, j and hushing ones; `t`
 * for d and t; `b` for b and p; `f` for f, v and w. Vowels, h and y say nothing.
 */
export function skeletonOf(word: string): string {
  let text = '';
  let last = '';
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    let found = classes[code - 97] ?? '';
    const next = word.charCodeAt(at + 1);
    if (code === C) {
      // ch and c before e, i, y hiss.
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
    // A vowel parts two of the same.
    last = found === '' && vowels.includes(word.charAt(at)) ? '' : found === '' ? last : found;
  }
  return text;
}

/**
 * A word as it sounds: its {@link skeletonOf consonant classes} with the vowels between them as
 * `a` for a and e, `i` for i and y, `u` for o and u.
 */
export function soundOf(word: string): string {
  let text = '';
  /** Where the consonants since the last vowel begin. */
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

/** The classes of the consonants from `from` up to a vowel, which decides how c sounds. */
function consonantsBefore(word: string, from: number, vowel: number): string {
  const code = word.charCodeAt(vowel);
  const isHissed = word.charCodeAt(vowel - 1) === C && (code === E || code === I || code === Y);
  return skeletonOf(isHissed ? `${word.slice(from, vowel - 1)}s` : word.slice(from, vowel));
}

const vowelClasses: Readonly<Record<string, string>> = {
  ...{ a: 'a', e: 'a', i: 'i', y: 'i', o: 'u', u: 'u' },
};

/** A skeleton for languages that do not tell l from r, and b from f and v. */
export function looseSkeleton(skeleton: string): string {
  // Most have at most one of the two: a look is cheaper than a replacement.
  const text = skeleton.includes('l') ? skeleton.replaceAll('l', 'r') : skeleton;
  return text.includes('f') ? text.replaceAll('f', 'b') : text;
}

/** The key to words that sound alike: the consonants, and a vowel where they are few. */
export function soundKeyOf(word: { readonly skeleton: string; readonly sound: string }): string {
  const skeleton = looseSkeleton(word.skeleton);
  if (skeleton.length < 2) return `_${withoutRepeats(looseSkeleton(word.sound))}`;
  return skeleton.length > 2 ? skeleton : skeleton + (/[aiu]/.exec(word.sound)?.[0] ?? '');
}

/**
 * What a word of few consonants stands under in other spellings: scripts without vowels have no
 * more than these (`mt` of Muhammad, `mmt`; `s` of Aziz, `ssa`), and mistakes are in the vowel.
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
 * What a word stands under in other readings: `kh` is often an h, `dh` a z, g a j in Egypt and an h
 * where the letter of Cyrillic is read so, j a y, u before a vowel a w, and the u that ends a name
 * of Belarus a v; Cyrillic writes v for w; Polish and German write w, ch and c for v, h and ts,
 * Ukrainian an h for g, and ç has lost its mark.
 *
 * @param known the key that it is looked up by already
 */
export function keysOfReadings(word: Written, known: string): readonly string[] {
  const { text, script, letters } = word;
  let keys: string[] | undefined;
  for (const { any, reading } of readingsOf[script] ?? readings) {
    // Most words have none of the letters: a look at these is cheaper than at the text.
    if ((letters & any) === 0) continue;
    const other = reading.reduce((word, [written, read]) => word.replace(written, read), text);
    if (other === text) continue;
    const key = soundKeyOf({ skeleton: skeletonOf(other), sound: soundOf(other) });
    if (key === known || keys?.includes(key)) continue;
    keys = [...(keys ?? []), key];
  }
  return keys ?? none;
}

/** A word in basic letters and the script that these were. */
interface Written {
  readonly text: string;
  readonly script: string;
  /** Which letters it has, a bit each from a on. */
  readonly letters: number;
}

interface Reading {
  /** Letters of which a word has one that is read so, a bit each. */
  readonly any: number;
  /** What is written for something else, all of it at once. */
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
    // It has no letter for w, and one for h and kh.
    readingOf('v', [/(?<=.)v(?=[aeiou].)/g, 'w']),
    readingOf('v', [/(?<=.)v(?=[aeiou].)/g, 'w'], [/kh/g, 'h']),
    readingOf('k', [/k(?=[ei])/g, 'ch']),
  ],
  // One letter for w, u and o, and in Persian for v.
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
