import { PlaceBounds } from './alike/place-bounds.ts';
import { hasRepeated } from './alike/word-form.ts';
import type { SoundCosts } from './phones.table.ts';

const LENGTH_MAX = 60;
const rows = [0, 1].map(() => new Float64Array(LENGTH_MAX + 1)) as [Float64Array, Float64Array];

/**
 * The sounds of a word in basic letters, independent of the language of its spelling: `S` for sh,
 * sch and zh, `J` for ch, j and dzh, `x` for kh. Doubled letters and a silent final e are omitted.
 */
export function phonesOf(word: string): string {
  let letters = 0;
  for (let at = 0; at < word.length; at++) letters |= 1 << (word.charCodeAt(at) - 97);
  let sounds = word;
  for (let at = 0; at < written.length; at++) {
    const { any, pattern, sound } = written[at] as Writing;
    // Most words have none of the letters; this test is cheaper than a replacement.
    if ((letters & any) !== 0) sounds = sounds.replace(pattern, sound);
  }
  const once = hasRepeated(sounds) ? sounds.replace(/(.)\1+/g, '$1') : sounds;
  return once.slice(0, LENGTH_MAX);
}

interface Writing {
  /** Letter bit mask: words with the group have at least one. Replacements create some groups. */
  readonly any: number;
  readonly pattern: RegExp;
  readonly sound: string;
}

function writing(any: string, pattern: RegExp, sound: string): Writing {
  let bits = 0;
  for (const letter of any) bits |= 1 << (letter.charCodeAt(0) - 97);
  return { any: bits, pattern, sound };
}

/** The order matters: longer letter groups come first. */
const written: readonly Writing[] = [
  writing('hjc', /tsch|dzh|dsch|tch|tsh|dj|cz/g, 'J'),
  writing('hs', /sch|shch|sh|zh|sz/g, 'S'),
  writing('c', /ch/g, 'J'),
  writing('tz', /^ts|tz|ts|zz/g, 's'),
  writing('h', /kh/g, 'x'),
  writing('h', /ph/g, 'f'),
  writing('h', /th|dh/g, 't'),
  writing('h', /gh/g, 'g'),
  writing('cq', /ck|q/g, 'k'),
  writing('c', /c(?=[eiy])/g, 's'),
  writing('c', /c/g, 'k'),
  writing('xk', /x$/g, 'ks'),
  // After a vowel, h only lengthens it.
  writing('h', /(?<=[aeiou])h(?=$|[^aeiouy])/g, ''),
  writing('j', /j/g, 'J'),
  writing('o', /oo|ou|oe/g, 'u'),
  writing('ey', /ee|ie|y/g, 'i'),
  writing('a', /ai|ae/g, 'e'),
  writing('o', /eo/g, 'o'),
  writing('uo', /eu/g, 'u'),
  writing('z', /z/g, 's'),
  writing('ea', /(?<=[^aeiou])e$/g, ''),
];

/** The concatenated sounds of a name, without particles. */
export function phonesOfName(
  words: readonly { readonly phones: string; readonly isParticle: boolean }[],
): string {
  let text = '';
  for (const { phones, isParticle } of words) if (!isParticle) text += phones;
  return text.slice(0, LENGTH_MAX);
}

/** Sounds prepared for comparison with many others. */
export class SoundTarget {
  readonly #codes = new Uint8Array(LENGTH_MAX + 1);
  #length = 0;
  #costs: SoundCosts | undefined;
  #size = 0;
  /** Cumulative cost of the leading sounds. */
  readonly #first = new Float64Array(LENGTH_MAX + 1);
  readonly #bounds = new PlaceBounds();

  /** Sets the sounds, as returned by {@link phonesOf}. */
  begin(sounds: string): void {
    this.#length = Math.min(sounds.length, LENGTH_MAX);
    for (let at = 0; at < this.#length; at++) this.#codes[at + 1] = codeAt(sounds, at);
    this.#costs = undefined;
  }

  #take(costs: SoundCosts): void {
    const { extras, sizes, nearSounds } = costs;
    const codes = this.#codes;
    const first = this.#first;
    this.#costs = costs;
    this.#size = 0;
    for (let at = 1; at <= this.#length; at++) {
      const own = codes[at] as number;
      this.#size += sizes[own] as number;
      first[at] = (first[at - 1] as number) + (extras[own] as number);
    }
    this.#bounds.begin(codes, 1, this.#length, nearSounds);
  }

  /**
   * Share of agreeing sounds, 0 to 1; 0 if below `least`.
   *
   * @param hasH either of the two contains an h
   */
  share(
    sounds: Uint16Array,
    start: number,
    length: number,
    costs: SoundCosts,
    least: number,
    hasH = true,
  ): number {
    if (this.#costs !== costs) this.#take(costs);
    const { sizes } = costs;
    let size = 0;
    for (let at = start; at < start + length; at++) size += sizes[sounds[at] as number] as number;
    size = Math.max(this.#size, size);
    if (size === 0) return 0;
    const most = (1 - least) * size + ROUNDING;
    const extra = hasH ? costs.leastExtra : costs.leastExtraWithoutH;
    const more = length - this.#length;
    // Half-width of the band around the diagonal: leaving it and returning costs more than `most`.
    const aside = Math.floor((most / extra - Math.abs(more)) / 2 + ROUNDING);
    if (aside < 0) return 0;
    const left = Math.max(0, more) + aside;
    const right = Math.max(0, -more) + aside;
    if (this.#bounds.isFar(sounds, start, length, left, right, most)) return 0;
    const share = 1 - this.#cost(sounds, start, length, left, right, most) / size;
    return share < least ? 0 : Math.max(0, share);
  }

  /** Cost of turning the sounds into the target's; if above `most`, any such value or Infinity. */
  #cost(
    sounds: Uint16Array,
    start: number,
    length: number,
    left: number,
    right: number,
    most: number,
  ): number {
    const { swaps, extras } = this.#costs as SoundCosts;
    const codes = this.#codes;
    const count = this.#length;
    const first = this.#first;
    let last = rows[0];
    let now = rows[1];
    const reached = Math.min(count, right);
    for (let j = 0; j <= reached; j++) last[j] = first[j] as number;
    if (reached < count) last[reached + 1] = Number.POSITIVE_INFINITY;
    for (let i = 1; i <= length; i++) {
      const x = sounds[start + i - 1] as number;
      const drop = extras[x] as number;
      const base = x << 7;
      const from = Math.max(1, i - left);
      const to = Math.min(count, i + right);
      let before = last[from - 1] as number;
      let added = from > 1 ? Number.POSITIVE_INFINITY : before + drop;
      now[from - 1] = added;
      let lowest = added;
      for (let j = from; j <= to; j++) {
        const y = codes[j] as number;
        let cost = before + (swaps[base | y] as number);
        before = last[j] as number;
        const dropped = before + drop;
        if (dropped < cost) cost = dropped;
        added += extras[y] as number;
        if (added < cost) cost = added;
        added = cost;
        now[j] = cost;
        if (cost < lowest) lowest = cost;
      }
      if (to < count) now[to + 1] = Number.POSITIVE_INFINITY;
      if (lowest > most) return Number.POSITIVE_INFINITY;
      const free = last;
      last = now;
      now = free;
    }
    return last[count] as number;
  }
}

const ROUNDING = 1e-9;

const target = new SoundTarget();
const given = new Uint16Array(LENGTH_MAX);
let asked = '';

/** Share of agreeing sounds of two texts from {@link phonesOf}, 0 to 1; 0 if below `least`. */
export function shareOf(a: string, b: string, costs: SoundCosts, least: number): number {
  // The first is that of the query and usually stays the same between calls.
  if (asked !== a) {
    asked = a;
    target.begin(a);
  }
  const length = Math.min(b.length, LENGTH_MAX);
  for (let at = 0; at < length; at++) given[at] = codeAt(b, at);
  return target.share(given, 0, length, costs, least);
}

function codeAt(text: string, at: number): number {
  return text.charCodeAt(at) & 127;
}
