import { mostAtCost, mostWhole } from '../../names/consonants.ts';
import { CHEAPER, type ConsonantBag, type FarBags, mostOfBags } from './consonant-bags.ts';

/** Consonants of a name that is told by the table: four of the five bits of each class. */
const TOLD_MAX = 15;
const COUNTS = TOLD_MAX + 1;
/** The fifth bit of each of the six classes: a class that the query has more of keeps it. */
const GUARDS = 0x2108_4210;

function unknownLimits(): Float64Array {
  return new Float64Array(COUNTS * COUNTS).fill(Number.NaN);
}

/**
 * Tells which bags are too far from that of a query, as {@link mostOfBags} does, in a few steps:
 * thousands of names are looked at for one query.
 */
export class BagBounds implements FarBags {
  #query: ConsonantBag = { count: 0, repeated: 0, bag: 0 };
  #least = 0;
  /** By count and repeated consonants of a name: what edits may cost; NaN where it is unknown. */
  #limits = unknownLimits();
  /** The same by count and repeated consonants of a query: queries have few different ones. */
  readonly #ofQueries: (Float64Array | undefined)[] = [];

  /** Takes a query. Names that come to less than `least` are far. */
  begin(query: ConsonantBag, least: number): void {
    if (least !== this.#least) this.#ofQueries.length = 0;
    this.#query = query;
    this.#least = least;
    if (query.count > TOLD_MAX) return;
    const place = COUNTS * query.count + query.repeated;
    const known = query.repeated <= TOLD_MAX ? this.#ofQueries[place] : undefined;
    this.#limits = known ?? unknownLimits();
    if (query.repeated <= TOLD_MAX) this.#ofQueries[place] = this.#limits;
  }

  /** True for a bag of so many consonants that is less alike for sure. */
  isFar(count: number, repeated: number, bag: number): boolean {
    const query = this.#query;
    if (count > TOLD_MAX || repeated > TOLD_MAX || query.count > TOLD_MAX) {
      return mostOfBags(query, { count, repeated, bag }) < this.#least;
    }
    const limit = this.#limitOf(count, repeated);
    const differences = (query.bag | GUARDS) - bag;
    const kept = differences & GUARDS;
    // Of each class what the query has more of, and then the sum of all classes.
    const surplus = differences & (kept - (kept >>> 4));
    const halves = (surplus & 0x7fff) + (surplus >>> 15);
    const more = (halves & 31) + ((halves >>> 5) & 31) + (halves >>> 10);
    const less = more - query.count + count;
    if (more - CHEAPER * Math.min(more, query.repeated) > limit) return true;
    return less - CHEAPER * Math.min(less, repeated) > limit;
  }

  #limitOf(count: number, repeated: number): number {
    const place = COUNTS * count + repeated;
    const known = this.#limits[place] as number;
    if (!Number.isNaN(known)) return known;
    const query = this.#query;
    const longer = Math.max(query.count, count);
    const full = mostAtCost(longer, 0);
    const isFar = mostWhole(query, { count, repeated }) < this.#least;
    const made = isFar ? -1 : (full - this.#least) / (full - mostAtCost(longer, 1));
    this.#limits[place] = made;
    return made;
  }
}
