import { isBareScript } from './alike/asked-word.ts';
import { EditCount } from './alike/edit-count.ts';
import { EditTarget, editCost } from './edit-cost.ts';
import { shapeOfPair } from './phones.table.ts';
import { phonesOfName, shareOf } from './phones.ts';
import { looseSkeleton } from './skeleton.ts';
import type { NameWord } from './words.ts';

/** The consonants and sounds of a whole name, for scripts that omit vowels or add silent ones. */
export interface WholeName {
  readonly consonants: string;
  readonly sounds: string;
  readonly script: NameWord['script'];
}

/** Names with fewer consonants are similar by chance. */
const LEAST_CONSONANTS = 6;
/** Minimum similarity that counts. */
const LEAST = 0.65;
/** Maximum: consonants alone are weaker evidence than words with their sounds. */
const FULL = 0.92;
const ROUNDING = 1e-9;

/** The consonants and sounds of a whole name; undefined if there are too few. */
export function wholeName(words: readonly NameWord[]): WholeName | undefined {
  const text = words.map(({ skeleton, isParticle }) => (isParticle ? '' : skeleton)).join('');
  if (text.length < LEAST_CONSONANTS) return undefined;
  return new MadeName(words, looseSkeleton(text));
}

class MadeName implements WholeName {
  readonly consonants: string;
  readonly script: NameWord['script'];
  readonly #words: readonly NameWord[];
  #sounds: string | undefined;

  constructor(words: readonly NameWord[], consonants: string) {
    this.consonants = consonants;
    this.script = (words.find(isBare) ?? words[0])?.script ?? 'latin';
    this.#words = words;
  }

  // Computed on demand: for most names the consonants already differ too much.
  get sounds(): string {
    this.#sounds ??= phonesOfName(this.#words);
    return this.#sounds;
  }
}

function isBare({ script }: Pick<NameWord, 'script'>): boolean {
  return isBareScript(script);
}

/** Whether any word is in a script that omits vowels or adds unpronounced ones. */
export function hasBareWord(words: readonly NameWord[]): boolean {
  return words.some(isBare);
}

/** Similarity of names by consonants, limited by that of their sounds, 0 to 1; 0 below `least`. */
export function wholeLikeness(query: WholeName, listed: WholeName, least = LEAST): number {
  const likeness = likenessOfConsonants(query.consonants, listed.consonants, least);
  if (!(likeness > 0)) return 0;
  const costs = shapeOfPair(query.script, listed.script);
  return Math.min(likeness, shareOf(query.sounds, listed.sounds, costs, least));
}

/** Upper bound of {@link wholeLikeness} by the consonants alone; negative if too few agree. */
export function likenessOfConsonants(query: string, listed: string, least = LEAST): number {
  const { full, price } = scaleOf(Math.max(query.length, listed.length));
  const most = (full - Math.max(LEAST, least)) / price + ROUNDING;
  return full - price * editCost(query, listed, most);
}

/** The {@link WholeName.consonants} of a query, prepared for comparison with many names. */
export class ConsonantTarget {
  readonly #target = new EditTarget();
  readonly #edits = new EditCount(classes);
  #text = '';
  #repeated = 0;

  /** Sets the consonants. */
  begin(consonants: string): void {
    if (this.#text === consonants) return;
    this.#text = consonants;
    this.#target.begin(consonants);
    this.#edits.begin(consonants);
    this.#repeated = countConsonants(consonants).repeated;
  }

  /** Whether {@link likenessOfConsonants} of the first `length` `codes` is below `least`. */
  isFar(codes: Uint16Array, length: number, least: number): boolean {
    const { full, price } = scaleOf(Math.max(this.#text.length, length));
    const most = (full - least) / price + ROUNDING;
    const seen = Math.min(length, EDIT_MAX);
    let repeated = this.#repeated;
    for (let at = 1; at < seen; at++) if (codes[at] === codes[at - 1]) repeated += 1;
    const edits = (most + (LEAST_EDIT - REPEATED) * repeated) / LEAST_EDIT;
    return (
      this.#edits.isMore(codes, seen, edits + ROUNDING) ||
      this.#target.cost(codes, 0, length, most) > most
    );
  }
}

/** Class of each consonant. Consonants that cost less to swap share a class. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => code);
for (const [one, other] of ['ks', 'mn']) {
  classes[(one as string).charCodeAt(0)] = (other as string).charCodeAt(0);
}
/** Minimum cost of an edit of consonants: a transposition. */
const LEAST_EDIT = 0.7;

/** Similarity of names with this many consonants if all agree, and deduction per unit of cost. */
function scaleOf(longer: number): { readonly full: number; readonly price: number } {
  // Short consonant sequences agree by chance, so that each consonant counts more.
  const few = Math.max(0, 10 - longer);
  return { full: FULL - 0.025 * few, price: (1.1 + 0.2 * few) / longer };
}

/** Number of consonants of a name, and an upper bound of those that repeat the previous one. */
export interface ConsonantCount {
  readonly count: number;
  readonly repeated: number;
}

/** Counts the consonants of {@link WholeName.consonants}. */
export function countConsonants(text: string): ConsonantCount {
  let repeated = 0;
  for (let at = 1; at < text.length; at++) if (text[at] === text[at - 1]) repeated += 1;
  return { count: text.length, repeated };
}

/** Upper bound of {@link wholeLikeness} for names with these numbers of consonants. */
export function mostWhole(one: ConsonantCount, other: ConsonantCount): number {
  const [shorter, longer] = one.count < other.count ? [one, other] : [other, one];
  if (shorter.count < LEAST_CONSONANTS) return 0;
  if (longer.count > EDIT_MAX) return 1;
  const { full, price } = scaleOf(longer.count);
  const extra = longer.count - shorter.count;
  const cheap = Math.min(extra, longer.repeated);
  return full - price * (REPEATED * cheap + extra - cheap) + ROUNDING;
}

/** Upper bound of {@link wholeLikeness} for a given edit cost and the longer length. */
export function mostAtCost(longer: number, cost: number): number {
  const { full, price } = scaleOf(longer);
  return full - price * cost + ROUNDING;
}

/** Maximum number of letters that {@link editCost} reads. */
const EDIT_MAX = 40;
/** Minimum cost of an extra consonant that repeats the previous one; any other costs 1. */
const REPEATED = 0.3;
