/**
 * The arrays of an index of names. Word numbers, name numbers and person numbers count from 0;
 * `…Start` has one entry more than there are things, so that the part of one is from its entry to
 * the next.
 *
 * ```
 * persons ──personStart──► names ──nameStart──► nameWords ──► words ──wordStart──► letters
 *                            ▲                                  │
 *                            └────────── postings ◄─postingStart┘
 * spellings, sounds: pairs (hash, word), sorted; a word stands under itself and under each text
 * that one letter less makes of it, so that two spellings meet in a third.
 * ```
 */
export interface IndexArrays {
  readonly letters: Uint8Array;
  readonly wordStart: Uint32Array;
  /** Number of the script of a word. */
  readonly wordScript: Uint8Array;
  /** Of each word its letters as bits, and hashes of its skeleton and of its sound. */
  readonly wordFacts: Uint32Array;
  readonly postingStart: Uint32Array;
  /** Names that have a word, in their order. */
  readonly postings: Uint32Array;
  readonly nameStart: Uint32Array;
  readonly nameWords: Uint32Array;
  readonly nameFlags: Uint8Array;
  readonly namePerson: Uint32Array;
  /** First name of each person: names of a person are neighbours. */
  readonly personStart: Uint32Array;
  readonly spellings: Float64Array;
  readonly sounds: Float64Array;
  /** Pairs (hash of the words in the order of their numbers, name), sorted. */
  readonly wholes: Float64Array;
  readonly birthStart: Uint32Array;
  /** `YYYYMMDD` with zeros for what is not known: from and to. */
  readonly births: Uint32Array;
  readonly personFlags: Uint8Array;
  readonly countryStart: Uint32Array;
  /** Two letters as 8 bits each. */
  readonly countries: Uint16Array;
}

/** {@link IndexArrays.nameFlags}. */
export const nameFlag = { weak: 1, alias: 2, originalScript: 4, former: 8 } as const;

/** {@link IndexArrays.personFlags}. */
export const personFlag = { male: 1, female: 2 } as const;

/** Bits of a birth beside its date: in the highest bit of `to`. */
export const approximateBirth = 0x8000_0000;

/** Words that one number of a pair can tell apart. */
export const WORDS_OF_INDEX_MAX = 2 ** 21;

/** A pair of {@link IndexArrays.spellings}: the hash leads, so that pairs sort by it. */
export function pairOf(hash: number, word: number): number {
  return hash * WORDS_OF_INDEX_MAX + word;
}

/** The word of a pair. */
export function wordOfPair(pair: number): number {
  return pair % WORDS_OF_INDEX_MAX;
}

/** Hash of a text without the letter at `without`; the whole text for -1. FNV-1a of 32 bits. */
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
 * {@link hashWithout Hash} of the letters from `from` to before `to`.
 *
 * @param before hash of the letters before them, if there are any
 */
export function hashOfPart(text: string, from: number, to: number, before = FNV_START): number {
  let hash = before;
  for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
  return hash >>> 0;
}

/** The {@link hashWithout hash} of a text without letters. */
export const FNV_START = 0x811c9dc5;
/** What the hash is multiplied by with each letter. */
export const FNV_PRIME = 0x01000193;

/** The shortest word that is looked up with one letter less. */
export const SHORTEST_SPELLING = 4;
/** The shortest {@link IndexArrays.sounds sound} that is looked up with one letter less. */
export const SHORTEST_SOUND = 4;

/** Hash of words from `from` to before `to`, whatever their order. FNV-1a over their numbers. */
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

/** One for all: names have few words, and there are hundreds of thousands of names. */
const few = new Uint32Array(32);
