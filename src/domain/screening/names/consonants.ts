import { isBareScript } from './alike/asked-word.ts';
import { EditCount } from './alike/edit-count.ts';
import { EditTarget, editCost } from './edit-cost.ts';
import { shapeOfPair } from './phones.table.ts';
import { phonesOfName, shareOf } from './phones.ts';
import { looseSkeleton } from './skeleton.ts';
import type { NameWord } from './words.ts';

/** A whole name by its consonants and sounds, for scripts that leave vowels out or add some. */
export interface WholeName {
  readonly consonants: string;
  readonly sounds: string;
  readonly script: NameWord['script'];
}

/** Names with fewer consonants are alike by chance. */
const LEAST_CONSONANTS = 6;
/** Below it no likeness counts. */
const LEAST = 0.65;
/** The consonants alone say less than the words with their sounds. */
const FULL = 0.92;
const ROUNDING = 1e-9;

/** The consonants and sounds of a whole name; undefined for too few. */
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

  // Of most names the consonants differ too much: nothing else of them is looked at.
  get sounds(): string {
    this.#sounds ??= phonesOfName(this.#words);
    return this.#sounds;
  }
}

function isBare({ script }: Pick<NameWord, 'script'>): boolean {
  return isBareScript(script);
}

/** True for names of which a part is in a script that leaves vowels out or adds some. */
export function hasBareWord(words: readonly NameWord[]): boolean {
  return words.some(isBare);
}

/**
 * How alike two names are by their consonants, as far as their sounds agree as well, 0 to 1; 0 for
 * less than `least`.
 */
export function wholeLikeness(query: WholeName, listed: WholeName, least = LEAST): number {
  const likeness = likenessOfConsonants(query.consonants, listed.consonants, least);
  if (!(likeness > 0)) return 0;
  const costs = shapeOfPair(query.script, listed.script);
  return Math.min(likeness, shareOf(query.sounds, listed.sounds, costs, least));
}

/** The most that {@link wholeLikeness} comes to by the consonants alone; below 0 for too few. */
export function likenessOfConsonants(query: string, listed: string, least = LEAST): number {
  const { full, price } = scaleOf(Math.max(query.length, listed.length));
  const most = (full - Math.max(LEAST, least)) / price + ROUNDING;
  return full - price * editCost(query, listed, most);
}

/**
 * The consonants of a query as {@link WholeName} has them, with which those of many names are
 * compared.
 */
export class ConsonantTarget {
  readonly #target = new EditTarget();
  readonly #edits = new EditCount(classes);
  #text = '';
  #repeated = 0;

  /** Takes the consonants. */
  begin(consonants: string): void {
    if (this.#text === consonants) return;
    this.#text = consonants;
    this.#target.begin(consonants);
    this.#edits.begin(consonants);
    this.#repeated = countConsonants(consonants).repeated;
  }

  /** True for the first letters of `codes` if {@link likenessOfConsonants} is below `least`. */
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

/** What each consonant counts as: those that cost less when swapped are one. */
const classes = Uint8Array.from({ length: 128 }, (_, code) => code);
for (const [one, other] of ['ks', 'mn']) {
  classes[(one as string).charCodeAt(0)] = (other as string).charCodeAt(0);
}
/** The least cost of an edit of consonants: two turned round. */
const LEAST_EDIT = 0.7;

/** What names with so many consonants come to when all agree, and what each cost takes from it. */
function scaleOf(longer: number): { readonly full: number; readonly price: number } {
  // Few consonants are the same by chance: each counts for more.
  const few = Math.max(0, 10 - longer);
  return { full: FULL - 0.025 * few, price: (1.1 + 0.2 * few) / longer };
}

/** Consonants of a name, and how many of them at most repeat the one before. */
export interface ConsonantCount {
  readonly count: number;
  readonly repeated: number;
}

/** The consonants of {@link WholeName.consonants}, counted. */
export function countConsonants(text: string): ConsonantCount {
  let repeated = 0;
  for (let at = 1; at < text.length; at++) if (text[at] === text[at - 1]) repeated += 1;
  return { count: text.length, repeated };
}

/** The most that {@link wholeLikeness} can come to of names with so many consonants. */
export function mostWhole(one: ConsonantCount, other: ConsonantCount): number {
  const [shorter, longer] = one.count < other.count ? [one, other] : [other, one];
  if (shorter.count < LEAST_CONSONANTS) return 0;
  if (longer.count > EDIT_MAX) return 1;
  const { full, price } = scaleOf(longer.count);
  const extra = longer.count - shorter.count;
  const cheap = Math.min(extra, longer.repeated);
  return full - price * (REPEATED * cheap + extra - cheap) + ROUNDING;
}

/** What {@link wholeLikeness} comes to at most at a cost of the edits, by the longer of both. */
export function mostAtCost(longer: number, cost: number): number {
  const { full, price } = scaleOf(longer);
  return full - price * cost + ROUNDING;
}

/** Letters that {@link editCost} looks at. */
const EDIT_MAX = 40;
/** Least cost of a consonant more that repeats the one before; of any other it is 1. */
const REPEATED = 0.3;
