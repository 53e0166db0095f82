import { gainShare, isTelling, mostAlike } from '../../names/align.ts';
import type { Term } from '../asked-words.ts';

/** Maximum number of terms whose names are walked, one bit each. */
export const WALKED_MAX = 8;

/** Words of a term, with the maximum that they add to a name. */
export interface Measured {
  readonly term: Term;
  readonly words: readonly number[];
  /** Parallel to `words`. */
  readonly likenesses: readonly number[];
  readonly postings: number;
  /** 0 for a particle, which finds no names. */
  readonly score: number;
  /** Maximum weight of the term matched with one of the words. */
  readonly most: number;
  /** Similarity of the most similar word. */
  readonly likeness: number;
  /** Fraction of `most` that adds to a name: {@link gainShare}. */
  readonly share: number;
  /** Words of the query that it represents, as a bit mask. */
  readonly own: number;
}

/** What a query requires of a name, and what particles and initials contribute to any name. */
export interface Bounds {
  /** Minimum similarity; 0 if names can be more similar than their words show. */
  readonly least: number;
  /** Minimum similarity for names that are similar by their words. */
  readonly ofWords: number;
  /** Names with a lower score are not compared. */
  readonly cut: number;
  /** Total weight of the words that are neither particles nor initials. */
  readonly whole: number;
  readonly met: number;
  readonly pairs: number;
  /** Number of words of the query. */
  readonly count: number;
  readonly isSyllabic: boolean;
  /** Particles and initials of the query, as a bit mask. */
  readonly untold: number;
}

/** Whether a name may be near; `ofTwo`: only if two of its words are one of the query. */
export const near = { no: 0, ofTwo: 1, yes: 2 } as const;

type Near = (typeof near)[keyof typeof near];

/** Sums over terms for each set of walked terms; sets are bit masks. */
export class TermSums {
  readonly #met = new Float64Array(1 << WALKED_MAX);
  /** The part of it that adds to a name, given the similarity of the words. */
  readonly #gained = new Float64Array(1 << WALKED_MAX);
  readonly #whole = new Float64Array(1 << WALKED_MAX);
  readonly #pairs = new Float64Array(1 << WALKED_MAX);
  readonly #scores = new Float64Array(1 << WALKED_MAX);
  #least = 0;
  #cut = 0;
  #count = 0;
  #isSyllabic = false;

  begin({ least, cut, whole, met, pairs, count, isSyllabic }: Bounds): void {
    this.#least = least;
    this.#isSyllabic = isSyllabic;
    this.#count = count;
    this.#cut = cut;
    this.#met[0] = met;
    this.#gained[0] = met;
    this.#whole[0] = whole;
    this.#pairs[0] = pairs;
    this.#scores[0] = 0;
  }

  /** Adds a term to every set. Must precede {@link add}. */
  addAlways(measured: Measured): void {
    this.#put(0, 0, measured);
  }

  /** Computes the sets that contain the term at `own` and any terms before it. */
  add(own: number, measured: Measured): void {
    for (let before = 0; before < 1 << own; before++) {
      this.#put(before, before | (1 << own), measured);
    }
  }

  /** Whether a name may be near with the terms `before` and, by `likeness`, the term at `own`. */
  near(before: number, own: number, { term, most, score }: Measured, likeness: number): Near {
    const set = before | (1 << own);
    const least = this.#least;
    const isByScore = least === 0;
    const ownScore = isByScore && score > 0 ? term.weight * likeness : score;
    if ((this.#scores[before] as number) + ownScore < this.#cut) return near.no;
    if (isByScore) return near.yes;
    const whole = Math.max(0, this.#whole[set] as number);
    const pairs = this.#pairs[set] as number;
    if (mostAlike(this.#met[set] as number, whole, 0, 0, pairs) < least) return near.no;
    const share = term.word.isInitial ? 0 : gainShare(likeness, this.#count, least);
    const gained = (this.#gained[before] as number) + most * share;
    const alike = mostAlike(gained, whole, 0, 0, pairs, this.#isSyllabic);
    const isNear = gained > 0 && alike >= least;
    return isNear ? near.yes : near.ofTwo;
  }

  #put(from: number, to: number, { term, most, share, score }: Measured): void {
    const { isInitial, isParticle } = term.word;
    this.#scores[to] = (this.#scores[from] as number) + score;
    // The bounds already include initials.
    this.#met[to] = (this.#met[from] as number) + (isInitial ? 0 : most);
    this.#gained[to] = (this.#gained[from] as number) + (isInitial ? 0 : most * share);
    const whole = isInitial || isParticle ? 0 : term.weight;
    this.#whole[to] = (this.#whole[from] as number) - whole;
    this.#pairs[to] = (this.#pairs[from] as number) + (!isInitial && isTelling(most) ? 1 : 0);
  }
}

/** Number of terms of which at least one must find a name: the rest cannot make it near. */
export function leadingCount(usable: readonly Measured[], leading: number, bounds: Bounds): number {
  const { least, cut } = bounds;
  let { met, whole, pairs } = bounds;
  let score = 0;
  for (let at = usable.length - 1; at > 0; at--) {
    const { term, most, score: own } = usable[at] as Measured;
    const { isInitial, isParticle } = term.word;
    score += own;
    if (!isInitial) {
      met += most;
      if (!isParticle) whole -= term.weight;
      if (isTelling(most)) pairs += 1;
    }
    const isNear = score >= cut && mostAlike(met, Math.max(0, whole), 0, 0, pairs) >= least;
    if (isNear && at < leading) return at + 1;
  }
  return Math.min(1, leading);
}
