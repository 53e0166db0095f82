import type { Script } from './fold.ts';
import { type SoundCosts, shapeOfPair } from './phones.table.ts';

const LENGTH_MAX = 60;
const rows = [0, 1].map(() => new Float64Array(LENGTH_MAX + 1)) as [Float64Array, Float64Array];
const codes = new Uint8Array(LENGTH_MAX + 1);

/**
 * The sounds of a word in basic letters, whatever the language that wrote it: `S` for sh, sch and
 * zh, `J` for ch, j and dzh, `x` for kh; doubled letters and a silent e at the end are left out.
 */
export function phonesOf(word: string): string {
  const sounds = written.reduce((text, [letters, sound]) => text.replace(letters, sound), word);
  return sounds.replace(/(.)\1+/g, '$1').slice(0, LENGTH_MAX);
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
  [/oo|ou|oe/g, 'u'],
  [/ee|ie|y/g, 'i'],
  [/ai|ae/g, 'e'],
  [/eo/g, 'o'],
  [/eu/g, 'u'],
  [/z/g, 's'],
  [/(?<=[^aeiou])e$/g, ''],
];

/** What words are compared by when they sound alike. */
interface Sounding {
  readonly phones: string;
  readonly script: Script;
}

/**
 * How alike two words of different scripts sound, 0 to 1: the share of the sounds that agree; 0
 * for less than `least`.
 */
export function soundShare(one: Sounding, other: Sounding, least: number): number {
  return shareOf(one.phones, other.phones, shapeOfPair(one.script, other.script), least);
}

/** The sounds of a name without particles, one word after the other. */
export function phonesOfName(
  words: readonly { readonly phones: string; readonly isParticle: boolean }[],
): string {
  let text = '';
  for (const { phones, isParticle } of words) if (!isParticle) text += phones;
  return text.slice(0, LENGTH_MAX);
}

/** How much of two texts of {@link phonesOf} agrees, 0 to 1; 0 for less than `least`. */
export function shareOf(
  a: string,
  b: string,
  { swaps, extras, sizes }: SoundCosts,
  least: number,
): number {
  let [last, now] = rows;
  let [sizeA, sizeB] = [0, 0];
  last[0] = 0;
  for (let j = 1; j <= b.length; j++) {
    const y = codeAt(b, j - 1);
    sizeB += sizes[y] as number;
    codes[j] = y;
    last[j] = (last[j - 1] as number) + (extras[y] as number);
  }
  for (let i = 0; i < a.length; i++) sizeA += sizes[codeAt(a, i)] as number;
  const size = Math.max(sizeA, sizeB);
  const most = (1 - least) * size + ROUNDING;
  for (let i = 1; i <= a.length; i++) {
    const x = codeAt(a, i - 1);
    const drop = extras[x] as number;
    now[0] = (last[0] as number) + drop;
    let lowest = now[0] as number;
    for (let j = 1; j <= b.length; j++) {
      const y = codes[j] as number;
      let cost = (last[j - 1] as number) + (swaps[(x << 7) | y] as number);
      const dropped = (last[j] as number) + drop;
      if (dropped < cost) cost = dropped;
      const added = (now[j - 1] as number) + (extras[y] as number);
      if (added < cost) cost = added;
      now[j] = cost;
      if (cost < lowest) lowest = cost;
    }
    if (lowest > most) return 0;
    [last, now] = [now, last];
  }
  if (size === 0) return 0;
  const share = 1 - (last[b.length] as number) / size;
  return share < least ? 0 : Math.max(0, share);
}

const ROUNDING = 1e-9;

function codeAt(text: string, at: number): number {
  return text.charCodeAt(at) & 127;
}
