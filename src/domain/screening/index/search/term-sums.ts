import { gainShare, isTelling, mostAlike } from '../../names/align.ts';
import type { Term } from '../asked-words.ts';

/** Terms whose names are walked: a bit each. */
export const WALKED_MAX = 8;

/** Words of a term with the most that they add to a name. */
export interface Measured {
  readonly term: Term;
  readonly words: readonly number[];
  /** By place in the words. */
  readonly likenesses: readonly number[];
  readonly postings: number;
  /** 0 for a particle: it is not what a name is found by. */
  readonly score: number;
  /** Weight of the term and a word that is taken for it. */
  readonly most: number;
  /** Of the word that is most alike. */
  readonly likeness: number;
  /** Of `most` the share that adds to a name: {@link gainShare}. */
  readonly share: number;
  /** Words of the query that it is: a bit each. */
  readonly own: number;
}

/** What a query asks of a name, and what particles and initials give to any. */
export interface Bounds {
  /** Names that are less alike are not found; 0 where they are alike by more than their words. */
  readonly least: number;
  /** The same for names that are alike by their words. */
  readonly ofWords: number;
  /** Names of a lower score are not compared. */
  readonly cut: number;
  /** Weight of all other words. */
  readonly whole: number;
  readonly met: number;
  readonly pairs: number;
  /** Words of the query. */
  readonly count: number;
  readonly isSyllabic: boolean;
  /** Particles and initials of the query: a bit each. */
  readonly untold: number;
}

/** Whether a name may be near: if so, perhaps only where two of its words are one of the query. */
export const near = { no: 0, ofTwo: 1, yes: 2 } as const;

type Near = (typeof near)[keyof typeof near];

/** What terms come to in a name, for each set of those that are walked; a set is their bits. */
export class TermSums {
  readonly #met = new Float64Array(1 << WALKED_MAX);
  /** Of it what adds to a name, by how alike the words are. */
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

  /** Adds a term to all sets; before {@link add}. */
  addAlways(measured: Measured): void {
    this.#put(0, 0, measured);
  }

  /** Makes the sets that have the term at `own` and terms before it. */
  add(own: number, measured: Measured): void {
    for (let before = 0; before < 1 << own; before++) {
      this.#put(before, before | (1 << own), measured);
    }
  }

  /**
   * Whether a name may be near which has the terms `before`, and the term at `own` by a word that
   * is alike by `likeness`.
   */
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
    // Bounds have initials already.
    this.#met[to] = (this.#met[from] as number) + (isInitial ? 0 : most);
    this.#gained[to] = (this.#gained[from] as number) + (isInitial ? 0 : most * share);
    const whole = isInitial || isParticle ? 0 : term.weight;
    this.#whole[to] = (this.#whole[from] as number) - whole;
    this.#pairs[to] = (this.#pairs[from] as number) + (!isInitial && isTelling(most) ? 1 : 0);
  }
}

/** Terms of which one must lead to a name: it cannot be near by the others alone. */
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
