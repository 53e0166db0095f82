/**
 * The arrays of an index of names. Numbers of words, names and persons start at 0. `…Start` has one
 * entry more than there are items: the range of an item runs from its entry to the next.
 *
 * ```
 * persons ──personStart──► names ──nameStart──► nameWords ──► words ──wordStart──► letters
 *                            ▲                                  │
 *                            └────────── postings ◄─postingStart┘
 * spellings, sounds: pairs (hash, word), sorted. A word is listed under its own text and under each
 * text with one letter deleted, so that two spellings can meet in a third.
 * ```
 */
export interface IndexArrays {
  readonly letters: Uint8Array;
  readonly wordStart: Uint32Array;
  /** Number of the script of a word. */
  readonly wordScript: Uint8Array;
  /** For each word: its letters as bits, and hashes of its skeleton and of its sound. */
  readonly wordFacts: Uint32Array;
  readonly postingStart: Uint32Array;
  /** Names that contain a word, in order. */
  readonly postings: Uint32Array;
  readonly nameStart: Uint32Array;
  readonly nameWords: Uint32Array;
  readonly nameFlags: Uint8Array;
  readonly namePerson: Uint32Array;
  /** First name of each person. The names of a person are contiguous. */
  readonly personStart: Uint32Array;
  readonly spellings: Float64Array;
  readonly sounds: Float64Array;
  /** Pairs (hash of the sorted word numbers, name), sorted. */
  readonly wholes: Float64Array;
  readonly birthStart: Uint32Array;
  /** Start and end as `YYYYMMDD`, with zeros for unknown parts. */
  readonly births: Uint32Array;
  readonly personFlags: Uint8Array;
  readonly countryStart: Uint32Array;
  /** Two letters of 8 bits each. */
  readonly countries: Uint16Array;
}

/** Bits of {@link IndexArrays.nameFlags}. */
export const nameFlag = { weak: 1, alias: 2, originalScript: 4, former: 8 } as const;

/** Bits of {@link IndexArrays.personFlags}. */
export const personFlag = { male: 1, female: 2 } as const;

/** Flag of an approximate birth date: the highest bit of its end. */
export const approximateBirth = 0x8000_0000;

/** Maximum number of words (or names) that a pair can represent. */
export const WORDS_OF_INDEX_MAX = 2 ** 21;

/** A pair of {@link IndexArrays.spellings} as one number, sorted by the hash in its high bits. */
export function pairOf(hash: number, word: number): number {
  return hash * WORDS_OF_INDEX_MAX + word;
}

/** The word of a pair. */
export function wordOfPair(pair: number): number {
  return pair % WORDS_OF_INDEX_MAX;
}

/** Hash of a text without the letter at `without`, or of the whole text for -1. 32-bit FNV-1a. */
export function hashWithout(text: string, without: number): number {
  if (without < 0) return hashOfPart(text, 0, text.length);
  let hash = FNV_START;
  for (let at = 0; at < text.length; at++) {
    if (at === without) continue;
    hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  }
  return hash >>> 0;
}

/**
 * {@link hashWithout Hash} of the letters from `from` up to but not including `to`.
 *
 * @param before hash of the preceding letters, if any
 */
export function hashOfPart(text: string, from: number, to: number, before = FNV_START): number {
  let hash = before;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** The {@link hashWithout hash} of an empty text. */
export const FNV_START = 0x811c9dc5;
/** Multiplier of the hash for each letter. */
export const FNV_PRIME = 0x01000193;

/** Minimum length of a word that is looked up with one letter deleted. */
export const SHORTEST_SPELLING = 4;
/** Minimum length of a {@link IndexArrays.sounds sound} looked up with one letter deleted. */
export const SHORTEST_SOUND = 4;

/** Order-independent hash of the words from `from` to before `to`: FNV-1a over their numbers. */
export function hashOfWords(words: ArrayLike<number>, from = 0, to: number = words.length): number {
  const count = to - from;
  const sorted = count <= few.length ? few : new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const word = words[from + at] as number;
    let place = at;
    for (; place > 0 && (sorted[place - 1] as number) > word; place--) {
      sorted[place] = sorted[place - 1] as number;
    }
    sorted[place] = word;
  }
  let hash = FNV_START;
  for (let at = 0; at < count; at++) {
    const word = sorted[at] as number;
    hash = Math.imul(hash ^ (word & 0xffff), FNV_PRIME);
    hash = Math.imul(hash ^ (word >>> 16), FNV_PRIME);
  }
  return hash >>> 0;
}

/** Shared buffer: names have few words, and there are hundreds of thousands of names. */
const few = new Uint32Array(32);
