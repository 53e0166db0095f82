import { type NearCodes, nearCodes } from './alike/place-bounds.ts';
import type { Script } from './fold.ts';

/** Costs by sound code, below 128. */
export interface SoundCosts {
  /** Cost of replacing one sound by another, at `code << 7 | code`. */
  readonly swaps: Float64Array;
  /** Cost of a sound that one word lacks. */
  readonly extras: Float64Array;
  /** Share of a sound in the size of a word. */
  readonly sizes: Float64Array;
  /** The costs as integers. */
  readonly nearSounds: NearCodes;
  /** Minimum cost of a sound that one word lacks. */
  readonly leastExtra: number;
  readonly leastExtraWithoutH: number;
}

/** What a script writes: all vowels, no short vowels, or syllables that add and omit sounds. */
type VowelWriting = 'full' | 'bare' | 'syllabic';

const vowelWritingOf: Readonly<Record<Script, VowelWriting>> = {
  ...{ latin: 'full', letters: 'full', indic: 'full', abjad: 'bare' },
  ...{ hangul: 'syllabic', kana: 'syllabic', han: 'syllabic', korean: 'syllabic' },
};

const VOWELS = 'aeiou';

/** Cost of replacing a vowel by another, cost of a missing vowel, and size of a vowel. */
const vowelCosts: Readonly<Record<VowelWriting, readonly [number, number, number]>> = {
  full: [0.35, 0.4, 0.5],
  bare: [0.1, 0.07, 0.1],
  syllabic: [0.35, 0.35, 0.5],
};

/** Other sounds whose absence costs less than 1. */
const extraCosts: Readonly<Record<VowelWriting, Readonly<Record<string, number>>>> = {
  full: { h: 0.3, w: 0.5 },
  bare: { h: 0.3, w: 0.1 },
  // Korean and Japanese insert u between consonants; r often marks a long vowel.
  syllabic: { h: 0.3, w: 0.5, u: 0.25, r: 0.6 },
};

/** Sounds that are interchanged between languages, with their cost. */
const near =
  'ao.2 ei.2 ou.2 ea.2 sS.25 SJ.25 sJ.4 Jg.4 Ji.4 Jx.5 Jh.5 Jk.6 Jt.6 Jd.6 xh.15 xk.3 gk.3 ' +
  'gh.4 gx.4 td.3 bp.3 vf.3 bv.4 pf.5 wv.2 wu.2 wo.3 vu.4 ts.6 nm.6 wf.4 wh.6';

/** More pairs: Arabic has no p or v, and one letter for w, u and o; Egypt pronounces j as g. */
const nearOf: Readonly<Record<VowelWriting, string>> = {
  full: '',
  bare: 'ao.1 ei.1 ou.1 ea.1 bp.15 vf.2 wu.05 wo.05 wv.05 Jg.2 gk.2 wf.3 JS.2 ts.3',
  syllabic: 'lr.15 pf.15 bv.15 bf.3 ts.3 Js.25 Jd.3 Jt.3 nl.4 gk.15 td.15 bp.15 sS.1',
};

const tables: Readonly<Record<VowelWriting, SoundCosts>> = {
  ...{ full: costsOf('full'), bare: costsOf('bare'), syllabic: costsOf('syllabic') },
};

/** Costs for comparing words of two scripts. */
export function shapeOfPair(one: Script, other: Script): SoundCosts {
  const writing = vowelWritingOf[one] === 'full' ? vowelWritingOf[other] : vowelWritingOf[one];
  return tables[writing];
}

function costsOf(writing: VowelWriting): SoundCosts {
  const [swap, extra, size] = vowelCosts[writing];
  const swaps = new Float64Array(128 * 128).fill(1);
  const extras = new Float64Array(128).fill(1);
  const sizes = new Float64Array(128).fill(1);
  const set = (a: number, b: number, cost: number) => {
    swaps[(a << 7) | b] = cost;
    swaps[(b << 7) | a] = cost;
  };
  for (let code = 0; code < 128; code++) set(code, code, 0);
  for (const vowel of VOWELS) {
    const code = vowel.charCodeAt(0);
    extras[code] = extra;
    sizes[code] = size;
    for (const other of VOWELS) if (other !== vowel) set(code, other.charCodeAt(0), swap);
  }
  for (const pair of `${near} ${nearOf[writing]}`.trim().split(' ')) {
    set(pair.charCodeAt(0), pair.charCodeAt(1), Number(pair.slice(2)));
  }
  for (const [sound, cost] of Object.entries(extraCosts[writing])) {
    extras[sound.charCodeAt(0)] = cost;
  }
  sizes['h'.charCodeAt(0)] = 0.5;
  const others = extras.filter((_, code) => code !== 'h'.charCodeAt(0));
  return {
    ...{ swaps, extras, sizes },
    nearSounds: nearCodes(swaps, extras, 100),
    leastExtra: Math.min(...extras),
    leastExtraWithoutH: Math.min(...others),
  };
}
