import { countConsonants, mostAtCost, mostWhole } from '../../names/consonants.ts';
import { looseSkeleton } from '../../names/skeleton.ts';
import { type ConsonantWord, consonantWord } from '../../names/words.ts';
import type { IndexArrays } from '../layout.ts';
import type { Vocabulary } from '../vocabulary.ts';

/** The consonants of a name, ignoring their order. */
export interface ConsonantBag {
  readonly count: number;
  /** Upper bound of those that repeat the previous one. */
  readonly repeated: number;
  /** Frequency of each class, {@link WIDTH} bits each. */
  readonly bag: number;
}

/** Decides which bags are too far from that of a query. */
export interface FarBags {
  isFar(count: number, repeated: number, bag: number): boolean;
}

const WIDTH = 5;
const EACH_MAX = (1 << WIDTH) - 1;
const OTHERS = 5;
/** Class of each letter by its code. Letters cheap to swap (k and s, m and n) share a class. */
const classes = new Uint8Array(128).fill(OTHERS);
['b', 'ks', 't', 'r', 'mn'].forEach((letters, own) => {
  for (const letter of letters) classes[letter.charCodeAt(0)] = own;
});
/** Discount for an extra consonant that repeats the previous one. */
export const CHEAPER = 0.7;

/** The consonants of the words, as in `wholeName`. */
export function consonantsOf(words: readonly ConsonantWord[]): string {
  let text = '';
  for (const { skeleton, isParticle } of words) if (!isParticle) text += skeleton;
  return looseSkeleton(text);
}

/** The bag of a text from {@link consonantsOf}. */
export function consonantBag(text: string): ConsonantBag {
  const { count, repeated } = countConsonants(text);
  let bag = 0;
  for (let at = 0; at < text.length && at < EACH_MAX; at++) {
    bag += 1 << (WIDTH * (classes[text.charCodeAt(at)] ?? OTHERS));
  }
  return { count, repeated, bag };
}

/** Maximum similarity of two whole names with these bags. */
export function mostOfBags(one: ConsonantBag, other: ConsonantBag): number {
  const most = mostWhole(one, other);
  const longer = Math.max(one.count, other.count);
  if (longer > EACH_MAX) return most;
  const more = surplusOf(one.bag, other.bag);
  const less = surplusOf(other.bag, one.bag);
  const cost = Math.max(
    more - CHEAPER * Math.min(more, one.repeated),
    less - CHEAPER * Math.min(less, other.repeated),
  );
  return Math.min(most, mostAtCost(longer, cost));
}

/** Consonants of one bag that the other lacks. Each is swapped for another class or is extra. */
function surplusOf(one: number, other: number): number {
  let surplus = 0;
  for (let shift = 0; shift <= WIDTH * OTHERS; shift += WIDTH) {
    const more = ((one >>> shift) & EACH_MAX) - ((other >>> shift) & EACH_MAX);
    if (more > 0) surplus += more;
  }
  return surplus;
}

/** The bags of the names of an index, all computed when it is opened. */
export class ConsonantBags {
  readonly #arrays: IndexArrays;
  /** For each name: its {@link packed} counts in the lowest bits, then its bag. */
  readonly #ofNames: Int32Array;
  /** Numbers per name in it. */
  readonly #width: number;
  readonly #ofWords: WordConsonants;
  /** The consonants of the name that was last {@link read}. */
  codes: Uint16Array = new Uint16Array(64);

  /** @param ofNames where bags are stored: in the first two of `width` numbers of each name */
  constructor(arrays: IndexArrays, vocabulary: Vocabulary, ofNames?: Int32Array, width = 2) {
    this.#arrays = arrays;
    this.#ofNames = ofNames ?? new Int32Array(width * arrays.namePerson.length);
    this.#width = width;
    this.#ofWords = consonantsOfWords(arrays.wordScript.length, vocabulary);
    this.#putNames(this.#ofWords.bags);
  }

  /** Writes the consonants of a name, in order, to {@link codes} and returns their number. */
  read(name: number): number {
    const { nameStart } = this.#arrays;
    return this.readOf(nameStart[name] as number, nameStart[name + 1] as number);
  }

  /** Like {@link read}, for a name whose words are from `start` up to but not including `end`. */
  readOf(start: number, end: number): number {
    const { nameWords } = this.#arrays;
    const { letters, starts } = this.#ofWords;
    let count = 0;
    for (let at = start; at < end; at++) {
      const word = nameWords[at] as number;
      const last = starts[word + 1] as number;
      for (let from = starts[word] as number; from < last; from++) {
        if (count === this.codes.length) this.codes = doubled(this.codes);
        this.codes[count++] = letters[from] as number;
      }
    }
    return count;
  }

  /** Whether the bag of a name is too far. */
  isFar(name: number, bounds: FarBags): boolean {
    const place = this.#width * name;
    const known = this.#ofNames[place] as number;
    return bounds.isFar((known >> 8) & BYTE, known & BYTE, this.#ofNames[place + 1] as number);
  }

  #putNames(ofWords: Int32Array): void {
    const { nameStart, nameWords } = this.#arrays;
    const ofNames = this.#ofNames;
    const width = this.#width;
    let start = 0;
    for (let name = 0; name + 1 < nameStart.length; name++) {
      const end = nameStart[name + 1] as number;
      // The first consonant of a word may repeat the last of the previous word.
      let count = 0;
      let repeated = end - start - 1;
      let bag = 0;
      for (; start < end; start++) {
        const word = nameWords[start] as number;
        const known = ofWords[2 * word] as number;
        count += known >> 8;
        repeated += known & BYTE;
        bag += ofWords[2 * word + 1] as number;
      }
      const place = width * name;
      ofNames[place] = (ofNames[place] as number) | packed(count, repeated);
      // Overflows only for names so long that it is never read.
      ofNames[place + 1] = bag;
    }
  }
}

interface WordConsonants {
  /** For each word: its {@link packed} counts, then its bag. */
  readonly bags: Int32Array;
  readonly letters: Uint8Array;
  /** For each word: the position of its first letter. */
  readonly starts: Uint32Array;
}

function consonantsOfWords(words: number, vocabulary: Vocabulary): WordConsonants {
  const bags = new Int32Array(2 * words);
  const starts = new Uint32Array(words + 1);
  const letters: number[] = [];
  for (let word = 0; word < words; word++) {
    const text = consonantsOf([consonantWord(vocabulary.text(word))]);
    const made = consonantBag(text);
    bags[2 * word] = packed(made.count, made.repeated);
    bags[2 * word + 1] = made.bag;
    for (let at = 0; at < text.length; at++) letters.push(text.charCodeAt(at));
    starts[word + 1] = letters.length;
  }
  return { bags, letters: Uint8Array.from(letters), starts };
}

function doubled(codes: Uint16Array): Uint16Array {
  const larger = new Uint16Array(2 * codes.length);
  larger.set(codes);
  return larger;
}

const BYTE = 0xff;

/** Packs both into 16 bits. Longer names are not distinguished. */
function packed(count: number, repeated: number): number {
  return (Math.min(count, LONGEST) << 8) | Math.min(Math.max(0, repeated), LONGEST);
}

const LONGEST = 0xfe;
