import { isTelling, mostAlike } from '../names/align.ts';
import type { Term } from './asked-words.ts';

/** Terms whose names are walked: a bit each. */
export const WALKED_MAX = 8;

/** Words of a term with the most that they add to a name. */
export interface Measured {
  readonly term: Term;
  readonly words: readonly number[];
  readonly postings: number;
  /** 0 for a particle: it is not what a name is found by. */
  readonly score: number;
  /** Weight of the term and a word that is taken for it. */
  readonly most: number;
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
  /** Particles and initials of the query: a bit each. */
  readonly untold: number;
}

/** What terms come to in a name, for each set of those that are walked; a set is their bits. */
export class TermSums {
  readonly #met = new Float64Array(1 << WALKED_MAX);
  readonly #whole = new Float64Array(1 << WALKED_MAX);
  readonly #pairs = new Float64Array(1 << WALKED_MAX);
  readonly #scores = new Float64Array(1 << WALKED_MAX);
  #least = 0;
  #cut = 0;

  begin({ least, cut, whole, met, pairs }: Bounds): void {
    this.#least = least;
    this.#cut = cut;
    this.#met[0] = met;
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

  /** True when a name may be near which has the term at `own` with `score`, and those `before`. */
  isNear(before: number, own: number, score: number): boolean {
    const set = before | (1 << own);
    if ((this.#scores[before] as number) + score < this.#cut) return false;
    const whole = Math.max(0, this.#whole[set] as number);
    const [met, pairs] = [this.#met[set] as number, this.#pairs[set] as number];
    return this.#least === 0 || mostAlike(met, whole, 0, 0, pairs) >= this.#least;
  }

  #put(from: number, to: number, { term, most, score }: Measured): void {
    const { isInitial, isParticle } = term.word;
    this.#scores[to] = (this.#scores[from] as number) + score;
    // Bounds have initials already.
    this.#met[to] = (this.#met[from] as number) + (isInitial ? 0 : most);
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
