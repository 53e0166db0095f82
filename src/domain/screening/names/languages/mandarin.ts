import { pinyinFinals, wadeFinals, wadeInitials, wadeSyllables } from '../tables/index.ts';

/** Romanisation systems of Mandarin syllables, as bits. */
export const pinyin = 1;
/** See {@link pinyin}. Apostrophes and diacritics are omitted, as is common. */
export const wadeGiles = 2;

/** Possible readings of a word of one or two Mandarin syllables. */
export interface MandarinWord {
  /** Its syllables in pinyin, separated by a space, if the word is read as pinyin. */
  readonly asPinyin: ReadonlySet<string>;
  /** The same if the word is read as Wade–Giles. */
  readonly asWade: ReadonlySet<string>;
  readonly syllableCount: 1 | 2;
  /** Other spellings of its readings. */
  readonly spellings: readonly string[];
}

interface Syllables {
  /** Spelling in Wade–Giles → its possible syllables in pinyin. */
  readonly ofWade: ReadonlyMap<string, readonly string[]>;
  /** Syllable in pinyin → its spellings in Wade–Giles. */
  readonly wade: ReadonlyMap<string, readonly string[]>;
}

let syllables: Syllables | undefined;

/** Systems in which a word is one syllable; 0 for most words. */
export function syllableSystems(word: string): number {
  syllables ??= madeSyllables();
  return (syllables.wade.has(word) ? pinyin : 0) | (syllables.ofWade.has(word) ? wadeGiles : 0);
}

/** The spellings of a syllable in Wade–Giles; empty if it is not a pinyin syllable. */
export function wadeOf(syllable: string): readonly string[] {
  syllables ??= madeSyllables();
  return syllables.wade.get(syllable) ?? none;
}

/** Maximum number of cached words; few names are Chinese. */
const REMEMBERED_MAX = 20_000;
const remembered = new Map<string, MandarinWord>();

/** The readings of a word that consists entirely of syllables; undefined for most words. */
export function mandarinWord(word: string): MandarinWord | undefined {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  const made = madeWord(word);
  if (made === undefined) return undefined;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(word, made);
  return made;
}

function madeWord(word: string): MandarinWord | undefined {
  if (word.length < 2 || !shape.test(word)) return undefined;
  syllables ??= madeSyllables();
  const { wade, ofWade } = syllables;
  if (wade.has(word) || ofWade.has(word)) {
    return withSpellings(
      { asPinyin: setOf(wade.has(word), word), asWade: new Set(ofWade.get(word)) },
      1,
    );
  }
  let found: Readings | undefined;
  const end = Math.min(SYLLABLE_MAX, word.length - 1);
  for (let at = Math.max(1, word.length - SYLLABLE_MAX); at <= end; at++) {
    const first = word.slice(0, at);
    const firsts = ofWade.get(first);
    const isPinyin = wade.has(first);
    // Most words stop here, before anything is allocated.
    if (!isPinyin && firsts === undefined) continue;
    const second = word.slice(at);
    const seconds = ofWade.get(second);
    if (isPinyin && wade.has(second)) {
      found ??= { asPinyin: new Set(), asWade: new Set() };
      found.asPinyin.add(`${first} ${second}`);
    }
    if (firsts === undefined || seconds === undefined) continue;
    found ??= { asPinyin: new Set(), asWade: new Set() };
    for (const each of firsts) for (const other of seconds) found.asWade.add(`${each} ${other}`);
  }
  return found && withSpellings(found, 2);
}

interface Readings {
  readonly asPinyin: Set<string>;
  readonly asWade: Set<string>;
}

function setOf(isIn: boolean, word: string): Set<string> {
  return new Set(isIn ? [word] : none);
}

function withSpellings(readings: Readings, syllableCount: 1 | 2): MandarinWord {
  return { ...readings, syllableCount, spellings: spellingsOf(readings) };
}

function spellingsOf({ asPinyin, asWade }: Readings): readonly string[] {
  const found = new Set<string>();
  for (const reading of [...asPinyin, ...asWade]) {
    const [first = '', second = ''] = reading.split(' ');
    found.add(first + second);
    for (const before of wadeOf(first)) {
      for (const after of second === '' ? onlyOne : wadeOf(second)) found.add(before + after);
    }
  }
  return [...found];
}

function madeSyllables(): Syllables {
  const wade = new Map<string, readonly string[]>();
  const ofWade = new Map<string, string[]>();
  for (const [initial, finals] of pinyinFinals) {
    for (const final of finals.split(' ')) {
      const syllable = initial + final;
      const regular = (wadeInitials.get(initial) ?? initial) + (wadeFinals.get(final) ?? final);
      const spellings = wadeSyllables.get(syllable) ?? [regular];
      wade.set(syllable, spellings);
      for (const each of spellings) {
        const known = ofWade.get(each);
        if (known === undefined) ofWade.set(each, [syllable]);
        else known.push(syllable);
      }
    }
  }
  return { ofWade, wade };
}

/** Length of the longest syllable, `zhuang`. */
const SYLLABLE_MAX = 6;
/** Approximates one or two syllables by classes of letters, which is cheaper than table lookups. */
const syllable = '(?:[zcs]h|hs|t[sz]|s[sz]|[b-df-hj-np-tw-z])?[aeiou]{1,3}(?:ng?|h|r)?';
const shape = new RegExp(`^${syllable}(?:${syllable})?$`);
const onlyOne: readonly string[] = [''];
const none: readonly string[] = [];
