import { type SoundCosts, shapeOfPair } from './phones.table.ts';
import type { NameWord } from './words.ts';

const REMEMBERED_MAX = 50_000;
const remembered = new Map<string, string>();
const LENGTH_MAX = 60;
const rows = [0, 1].map(() => new Float64Array(LENGTH_MAX + 1)) as [Float64Array, Float64Array];

/**
 * The sounds of a word in basic letters, whatever the language that wrote it: `S` for sh, sch and
 * zh, `J` for ch, j and dzh, `x` for kh; doubled letters and a silent e at the end are left out.
 */
export function phonesOf(word: string): string {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const sounds = written.reduce((text, [letters, sound]) => text.replace(letters, sound), word);
  const made = sounds.replace(/(.)\1+/g, '$1').slice(0, LENGTH_MAX);
  remembered.set(word, made);
  return made;
}

/** The order counts: longer groups of letters come first. */
const written: readonly (readonly [RegExp, string])[] = [
  [/tsch|dzh|dsch|tch|tsh|dj|cz/g, 'J'],
  [/sch|shch|sh|zh|sz/g, 'S'],
  [/ch/g, 'J'],
  [/^ts|tz|ts|zz/g, 's'],
  [/kh/g, 'x'],
  [/ph/g, 'f'],
  [/th|dh/g, 't'],
  [/gh/g, 'g'],
  [/ck|q/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/x$/g, 'ks'],
  // After a vowel it makes that long.
  [/(?<=[aeiou])h(?=$|[^aeiouy])/g, ''],
  [/j/g, 'J'],
  [/oo|ou/g, 'u'],
  [/ee|ie|y/g, 'i'],
  [/ai|ae/g, 'e'],
  [/eo/g, 'o'],
  [/eu/g, 'u'],
  [/z/g, 's'],
  [/(?<=[^aeiou])e$/g, ''],
];

/** How alike two words of different scripts sound, 0 to 1: the share of the sounds that agree. */
export function soundShare(one: NameWord, other: NameWord): number {
  const costs = shapeOfPair(one.script, other.script);
  return shareOf(phonesOf(one.text), phonesOf(other.text), costs);
}

/** The sounds of a name without particles, one word after the other. */
export function phonesOfName(words: readonly NameWord[]): string {
  const text = words.map(({ text, isParticle }) => (isParticle ? '' : phonesOf(text))).join('');
  return text.slice(0, LENGTH_MAX);
}

/** How much of two texts of {@link phonesOf} agrees, 0 to 1. */
export function shareOf(a: string, b: string, { swaps, extras, sizes }: SoundCosts): number {
  let [last, now] = rows;
  let [sizeA, sizeB] = [0, 0];
  last[0] = 0;
  for (let j = 1; j <= b.length; j++) {
    const y = codeAt(b, j - 1);
    sizeB += sizes[y] as number;
    last[j] = (last[j - 1] as number) + (extras[y] as number);
  }
  for (let i = 1; i <= a.length; i++) {
    const x = codeAt(a, i - 1);
    const drop = extras[x] as number;
    sizeA += sizes[x] as number;
    now[0] = (last[0] as number) + drop;
    for (let j = 1; j <= b.length; j++) {
      const y = codeAt(b, j - 1);
      let cost = (last[j - 1] as number) + (swaps[(x << 7) | y] as number);
      const dropped = (last[j] as number) + drop;
      if (dropped < cost) cost = dropped;
      const added = (now[j - 1] as number) + (extras[y] as number);
      if (added < cost) cost = added;
      now[j] = cost;
    }
    [last, now] = [now, last];
  }
  const size = Math.max(sizeA, sizeB);
  return size === 0 ? 0 : Math.max(0, 1 - (last[b.length] as number) / size);
}

function codeAt(text: string, at: number): number {
  return text.charCodeAt(at) & 127;
}
