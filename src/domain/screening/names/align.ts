/** Maximum number of words of a name that are compared. */
export const WORDS_MAX = 16;

/** Minimum similarity: words below it are different words. */
export const LEAST_LIKENESS = 0.7;

/** A match between one word, or two joined words, of each name. */
export interface Joint {
  readonly query: number;
  readonly queryEnd: number;
  readonly listed: number;
  readonly listedEnd: number;
  /** 0 to 1. */
  readonly likeness: number;
}

/** Weights of the words of two names. Filled by the caller and reused. */
export interface Alignment {
  queryCount: number;
  listedCount: number;
  readonly queryWeights: Float64Array;
  readonly listedWeights: Float64Array;
  /** The query contains a word such as `bin`, which makes the order of other words significant. */
  isChain: boolean;
  /** Words of the query whose position is insignificant, as a bit mask: {@link placelessOf}. */
  placeless: number;
  /** One of the names consists of syllables, none of which is ever omitted. */
  isSyllabic: boolean;
}

const PAIRS_MAX = 2 * WORDS_MAX * WORDS_MAX;
const PAIR = 4;
const places = new Uint8Array(PAIR * PAIRS_MAX);
const values = new Float64Array(PAIRS_MAX);
const weights = new Float64Array(PAIRS_MAX);
const rests = new Float64Array(PAIRS_MAX);
const order = new Uint16Array(PAIRS_MAX);
const takenPairs = new Uint16Array(WORDS_MAX);
const likeness = new Float64Array(WORDS_MAX);
let pairCount = 0;
let takenCount = 0;

/** Penalty for a word of the query that the listed name lacks. */
const UNMATCHED_QUERY = 0.3;
/** Penalty for a word of the listed name that the query lacks, as middle names often are. */
const UNMATCHED_LISTED = 0.1;
const UNMATCHED_SYLLABLE = 0.7;
/** Replaces {@link UNMATCHED_QUERY} if fewer than two words match. */
const UNMATCHED_BESIDE_ONE = 0.6;
/** Additional penalty if both names have words that the other lacks: they contradict each other. */
const CONTRADICTION = 0.9;
/** Words up to this weight contradict nothing: particles, and parts shared by many compounds. */
const LEAST_AGAINST = 0.2;
/** Factor for names that match only by initials, which many names share. */
const INITIALS_ALONE = 0.8;
/** Maximum weight of matching initials, particles and common short words, which identify no one. */
const SLIGHT = 0.41;
/** Syllables are few, so that a difference more often means another name than another spelling. */
const DOUBT_OF_SYLLABLES = 1.5;
/** Exponent by which the rate falls faster than the similarity. */
const STEEPNESS = 1.8;
/** Reduction of the exponent for each match from the third on. */
const LESS_STEEP = 0.2;
/** Penalty for a family name that comes first in one name and last in the other. */
const TURNED = 0.03;
/** Words that differ in both order and spelling are more often different words. */
const TURNED_AND_UNLIKE = 0.2;
const MIXED = 0.15;
/** `A bin B` is the son of `B bin A`. */
const MIXED_CHAIN = 0.28;

/** Input of {@link alignNames}. */
export const alignment: Alignment = {
  queryCount: 0,
  listedCount: 0,
  queryWeights: new Float64Array(WORDS_MAX),
  listedWeights: new Float64Array(WORDS_MAX),
  isChain: false,
  placeless: 0,
  isSyllabic: false,
};

/** Articles and similar words, as a bit mask: they may belong to another word. */
export function placelessOf(
  words: readonly { readonly isParticle: boolean; readonly isSonOf: boolean }[],
): number {
  let bits = 0;
  for (let at = 0; at < words.length; at++) {
    const { isParticle, isSonOf } = words[at] as (typeof words)[number];
    if (isParticle && !isSonOf) bits |= 1 << at;
  }
  return bits;
}

/** Discards the matches of the previous names. */
export function clearJoints(): void {
  pairCount = 0;
  takenCount = 0;
}

/** Adds a possible match of two words, one of which may be two joined words. */
export function noteJoint(
  query: number,
  queryEnd: number,
  listed: number,
  listedEnd: number,
  likeness: number,
): void {
  if (pairCount >= PAIRS_MAX) return;
  const { queryWeights, listedWeights } = alignment;
  let ofQuery = queryWeights[query] as number;
  let ofListed = listedWeights[listed] as number;
  if (queryEnd !== query) ofQuery += queryWeights[queryEnd] as number;
  if (listedEnd !== listed) ofListed += listedWeights[listedEnd] as number;
  places[PAIR * pairCount] = query;
  places[PAIR * pairCount + 1] = queryEnd;
  places[PAIR * pairCount + 2] = listed;
  places[PAIR * pairCount + 3] = listedEnd;
  values[pairCount] = likeness;
  weights[pairCount] = jointWeight(ofQuery, ofListed);
  rests[pairCount] = isPartOf(ofQuery, ofListed) ? ofQuery - ofListed : 0;
  pairCount += 1;
}

/** Whether one weight is that of an initial, which says little about the name it abbreviates. */
function isPartOf(one: number, other: number): boolean {
  return Math.min(one, other) < 0.5 * Math.max(one, other);
}

/** Weight of two matched words. */
export function jointWeight(one: number, other: number): number {
  return isPartOf(one, other)
    ? 0.75 * Math.min(one, other) + 0.25 * Math.max(one, other)
    : (one + other) / 2;
}

/**
 * Similarity of two names, 0 to 1. Matches words greedily, most similar first. Words left over on
 * one side reduce the result; words left over on both sides reduce it more.
 */
export function alignNames(): number {
  sortPairs();
  const { queryCount, listedCount, queryWeights, listedWeights } = alignment;
  let freeQuery = (1 << queryCount) - 1;
  let freeListed = (1 << listedCount) - 1;
  let found = 0;
  let whole = 0;
  // The unknown rest of an initial may be another name.
  let unsaidQuery = 0;
  let unsaidListed = 0;
  let fullCount = 0;
  let saidCount = 0;
  let openCount = 0;
  takenCount = 0;
  for (let rank = 0; rank < pairCount; rank++) {
    const at = order[rank] as number;
    const queryBits = bitsOf(at, 0);
    const listedBits = bitsOf(at, 2);
    if ((freeQuery & queryBits) !== queryBits || (freeListed & listedBits) !== listedBits) continue;
    freeQuery &= ~queryBits;
    freeListed &= ~listedBits;
    const weight = weights[at] as number;
    likeness[takenCount] = values[at] as number;
    whole += weight;
    takenPairs[takenCount++] = at;
    if (weight > LEAST_AGAINST) fullCount += 1;
    const rest = rests[at] as number;
    if (rest !== 0) openCount += 1;
    else if (weight > SLIGHT) saidCount += 1;
    if (rest > 0) unsaidQuery += rest;
    else unsaidListed -= rest;
  }
  // Many nearly equal words are less of a coincidence than two.
  const steepness = steepnessOf(takenCount);
  for (let rank = 0; rank < takenCount; rank++) {
    found +=
      (weights[takenPairs[rank] as number] as number) * (likeness[rank] as number) ** steepness;
  }
  const met = whole;
  const missing = sumOf(queryWeights, freeQuery);
  const left = sumOf(listedWeights, freeListed);
  const against = Math.min(
    sumOf(queryWeights, freeQuery, LEAST_AGAINST) + unsaidQuery,
    sumOf(listedWeights, freeListed, LEAST_AGAINST) + unsaidListed,
  );
  const { isSyllabic } = alignment;
  const ofOther = fullCount < 2 ? UNMATCHED_BESIDE_ONE : UNMATCHED_QUERY;
  const ofQuery = isSyllabic ? UNMATCHED_SYLLABLE : ofOther;
  const ofListed = isSyllabic ? UNMATCHED_SYLLABLE : UNMATCHED_LISTED;
  whole += ofQuery * missing + ofListed * left + CONTRADICTION * against;
  if (whole === 0) return 0;
  const said = saidCount === 0 && openCount > 0 ? INITIALS_ALONE : 1;
  const alike = said * (found / whole) * (1 - disorder(found, met));
  return isSyllabic ? doubted(alike, DOUBT_OF_SYLLABLES) : alike;
}

/** Multiplies the difference from 1 by `times`. */
export function doubted(likeness: number, times: number): number {
  return Math.max(0, 1 - times * (1 - likeness));
}

/**
 * Upper bound of {@link alignNames}.
 *
 * @param met maximum weight of the matched words
 * @param missing minimum weight of the words that the listed name lacks
 * @param left minimum weight of the words that the query lacks
 * @param against minimum weight of the words that contradict each other
 * @param pairs maximum number of matches
 * @param isSyllabic one of the names consists of syllables; their additional doubt is not applied
 */
export function mostAlike(
  met: number,
  missing: number,
  left: number,
  against: number,
  pairs: number,
  isSyllabic = false,
): number {
  const ofOther = pairs < 2 ? UNMATCHED_BESIDE_ONE : UNMATCHED_QUERY;
  const ofQuery = isSyllabic ? UNMATCHED_SYLLABLE : ofOther;
  const ofListed = isSyllabic ? UNMATCHED_SYLLABLE : UNMATCHED_LISTED;
  const whole = met + ofQuery * missing + ofListed * left + CONTRADICTION * against;
  // Sums of the same weights in another order differ by rounding errors.
  return whole === 0 ? 1 : met / whole + 1e-9;
}

function steepnessOf(pairs: number): number {
  return Math.max(1, STEEPNESS - LESS_STEEP * Math.max(0, pairs - 2));
}

/**
 * Maximum share of its weight that a match adds to a name that must reach `least`. With weights
 * reduced by this share, {@link mostAlike} bounds names whose matches are at most this similar.
 *
 * @param pairs maximum number of matches
 */
export function gainShare(likeness: number, pairs: number, least: number): number {
  if (likeness >= 1) return 1;
  const alike = likeness ** steepnessOf(pairs);
  // A match less similar than required of the name adds nothing: the name scores higher without it.
  return alike <= least ? 0 : (alike - least) / (1 - least);
}

/** Minimum result of {@link alignNames} before the doubt of syllables that yields `likeness`. */
export function leastOfSyllables(likeness: number): number {
  return 1 - (1 - likeness) / DOUBT_OF_SYLLABLES;
}

/** Minimum share of the words of a query that a name with this similarity must have. */
export function leastShare(likeness: number): number {
  return (UNMATCHED_QUERY * likeness) / (1 - likeness * (1 - UNMATCHED_QUERY));
}

/** Whether a word with this weight can contradict another. */
export function isTelling(weight: number): boolean {
  return weight > LEAST_AGAINST;
}

/** The matches of the last {@link alignNames}. */
export function takenJoints(): readonly Joint[] {
  return Array.from(takenPairs.subarray(0, takenCount), (at) => ({
    query: places[PAIR * at] as number,
    queryEnd: places[PAIR * at + 1] as number,
    listed: places[PAIR * at + 2] as number,
    listedEnd: places[PAIR * at + 3] as number,
    likeness: values[at] as number,
  }));
}

function bitsOf(at: number, side: 0 | 2): number {
  const first = places[PAIR * at + side] as number;
  const last = places[PAIR * at + side + 1] as number;
  return (1 << first) | (1 << last);
}

// Insertion sort: there are few pairs, and they are mostly in order.
function sortPairs(): void {
  for (let at = 0; at < pairCount; at++) {
    const key = (values[at] as number) * Math.sqrt(weights[at] as number);
    let to = at;
    while (to > 0) {
      const before = order[to - 1] as number;
      if ((values[before] as number) * Math.sqrt(weights[before] as number) >= key) break;
      order[to] = before;
      to -= 1;
    }
    order[to] = at;
  }
}

function sumOf(of: Float64Array, bits: number, above = 0): number {
  let sum = 0;
  for (let at = 0; bits !== 0; at++, bits >>>= 1) {
    if ((bits & 1) === 1 && (of[at] as number) > above) sum += of[at] as number;
  }
  return sum;
}

const listedAt = new Int8Array(WORDS_MAX);

function disorder(found: number, whole: number): number {
  listedAt.fill(-1);
  for (let rank = 0; rank < takenCount; rank++) {
    const at = takenPairs[rank] as number;
    listedAt[places[PAIR * at] as number] = places[PAIR * at + 2] as number;
  }
  let falls = 0;
  let first = -1;
  let last = -1;
  for (let query = 0; query < alignment.queryCount; query++) {
    const listed = listedAt[query] as number;
    if (listed < 0 || (alignment.placeless & (1 << query)) !== 0) continue;
    if (first < 0) first = listed;
    if (listed < last) falls += 1;
    last = listed;
  }
  if (falls === 0) return 0;
  if (falls === 1 && last < first) return TURNED + TURNED_AND_UNLIKE * (1 - found / whole);
  return alignment.isChain ? MIXED_CHAIN : MIXED;
}
