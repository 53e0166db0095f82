import { countConsonants, mostAtCost, mostWhole } from '../../names/consonants.ts';
import { looseSkeleton } from '../../names/skeleton.ts';
import type { NameWord } from '../../names/words.ts';
import type { IndexArrays } from '../layout.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** The consonants of a name, however they are ordered. */
export interface ConsonantBag {
  readonly count: number;
  /** Those that repeat the one before, at most. */
  readonly repeated: number;
  /** How often there is each class, {@link WIDTH} bits each. */
  readonly bag: number;
}

/** Tells which bags are too far from that of a query. */
export interface FarBags {
  isFar(count: number, repeated: number, bag: number): boolean;
}

const WIDTH = 5;
const EACH_MAX = (1 << WIDTH) - 1;
/** What each letter is counted as: k and s, m and n cost less when they are swapped. */
const classes = new Map([
  ['b', 0],
  ['k', 1],
  ['s', 1],
  ['t', 2],
  ['r', 3],
  ['m', 4],
  ['n', 4],
]);
const OTHERS = 5;
/** What a consonant more costs less when it repeats the one before. */
export const CHEAPER = 0.7;

/** The consonants of words, as `wholeName` has them. */
export function consonantsOf(words: readonly NameWord[]): string {
  let text = '';
  for (const { skeleton, isParticle } of words) if (!isParticle) text += skeleton;
  return looseSkeleton(text);
}

/** The bag of a text of {@link consonantsOf}. */
export function consonantBag(text: string): ConsonantBag {
  const { count, repeated } = countConsonants(text);
  let bag = 0;
  for (let at = 0; at < text.length && at < EACH_MAX; at++) {
    bag += 1 << (WIDTH * (classes.get(text.charAt(at)) ?? OTHERS));
  }
  return { count, repeated, bag };
}

/** The most that names come to whose consonants are those of two bags, as whole names. */
export function mostOfBags(one: ConsonantBag, other: ConsonantBag): number {
  const most = mostWhole(one, other);
  const longer = Math.max(one.count, other.count);
  if (longer > EACH_MAX) return most;
  const [more, less] = [surplusOf(one.bag, other.bag), surplusOf(other.bag, one.bag)];
  const cost = Math.max(
    more - CHEAPER * Math.min(more, one.repeated),
    less - CHEAPER * Math.min(less, other.repeated),
  );
  return Math.min(most, mostAtCost(longer, cost));
}

/** Consonants of one bag that the other lacks: each is swapped for another class, or extra. */
function surplusOf(one: number, other: number): number {
  let surplus = 0;
  for (let shift = 0; shift <= WIDTH * OTHERS; shift += WIDTH) {
    const more = ((one >>> shift) & EACH_MAX) - ((other >>> shift) & EACH_MAX);
    if (more > 0) surplus += more;
  }
  return surplus;
}

/** The bags of the names of an index, each made when it is wanted. */
export class ConsonantBags {
  readonly #arrays: IndexArrays;
  readonly #vocabulary: Vocabulary;
  /** By name: {@link packed} counts in the lowest bits, 0 where not known; the bag beside. */
  readonly #ofNames: Int32Array;
  /** Numbers of a name in it. */
  readonly #width: number;
  readonly #ofWords: Uint32Array;
  /** By word, made when they are wanted. */
  readonly #texts: (string | undefined)[];
  readonly #found = { count: 0, repeated: 0, bag: 0 };

  /** @param ofNames where bags are kept: in the first two of `width` numbers of each name */
  constructor(arrays: IndexArrays, vocabulary: Vocabulary, ofNames?: Int32Array, width = 2) {
    this.#arrays = arrays;
    this.#vocabulary = vocabulary;
    this.#ofNames = ofNames ?? new Int32Array(width * arrays.namePerson.length);
    this.#width = width;
    this.#ofWords = new Uint32Array(2 * arrays.wordScript.length);
    this.#texts = new Array<string | undefined>(arrays.wordScript.length).fill(undefined);
  }

  /** The consonants of a name in their order. */
  text(name: number): string {
    const { nameStart } = this.#arrays;
    return this.textOf(nameStart[name] as number, nameStart[name + 1] as number);
  }

  /** The same of a name whose words stand from `start` to before `end`. */
  textOf(start: number, end: number): string {
    const { nameWords } = this.#arrays;
    let text = '';
    for (let at = start; at < end; at++) {
      text += this.#textOfWord(nameWords[at] as number);
    }
    return text;
  }

  #textOfWord(word: number): string {
    const known = this.#texts[word];
    if (known !== undefined) return known;
    const made = consonantsOf([this.#vocabulary.word(word)]);
    this.#texts[word] = made;
    return made;
  }

  /** The bag of a name; the same object each time. */
  of(name: number): ConsonantBag {
    const place = this.#width * name;
    const known = this.#countsAt(name, place);
    const found = this.#found;
    found.count = known >> 8;
    found.repeated = known & 0xff;
    found.bag = this.#ofNames[place + 1] as number;
    return found;
  }

  /** True for a name whose bag is too far. */
  isFar(name: number, bounds: FarBags): boolean {
    const place = this.#width * name;
    const known = this.#countsAt(name, place);
    return bounds.isFar(known >> 8, known & 0xff, this.#ofNames[place + 1] as number);
  }

  #countsAt(name: number, place: number): number {
    const known = (this.#ofNames[place] as number) & PACKED;
    if (known !== 0) return known - 1;
    this.#make(name, place);
    return ((this.#ofNames[place] as number) & PACKED) - 1;
  }

  #make(name: number, place: number): void {
    const { nameStart, nameWords } = this.#arrays;
    const ofWords = this.#ofWords;
    const [start, end] = [nameStart[name] as number, nameStart[name + 1] as number];
    // The first of a word may repeat the last of the word before.
    let [count, repeated, bag] = [0, end - start - 1, 0];
    for (let at = start; at < end; at++) {
      const word = nameWords[at] as number;
      if (ofWords[2 * word] === 0) this.#makeWord(word);
      const known = (ofWords[2 * word] as number) - 1;
      count += known >> 8;
      repeated += known & 0xff;
      bag += ofWords[2 * word + 1] as number;
    }
    this.#ofNames[place] = (this.#ofNames[place] as number) | packed(count, repeated);
    // It overflows for names that are too long for it to be looked at.
    this.#ofNames[place + 1] = bag;
  }

  #makeWord(word: number): void {
    const made = consonantBag(this.#textOfWord(word));
    this.#ofWords[2 * word] = packed(made.count, made.repeated);
    this.#ofWords[2 * word + 1] = made.bag;
  }
}

const PACKED = 0xffff;

/** Both as one number, of 16 bits and not 0; longer names are not told apart by it. */
function packed(count: number, repeated: number): number {
  return ((Math.min(count, 0xfe) << 8) | Math.min(Math.max(0, repeated), 0xfe)) + 1;
}
