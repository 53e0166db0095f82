import { pinyinFinals, wadeFinals, wadeInitials, wadeSyllables } from '../tables/index.ts';

/** Systems in which syllables of Mandarin are written, a bit each. */
export const pinyin = 1;
/** As {@link pinyin}; apostrophes and marks are left out, as most writers do. */
export const wadeGiles = 2;

/** What a word of one or two syllables of Mandarin may be. */
export interface MandarinWord {
  /** Its syllables in pinyin with a blank between them, where it is written in pinyin. */
  readonly asPinyin: ReadonlySet<string>;
  /** The same where it is written in Wade–Giles. */
  readonly asWade: ReadonlySet<string>;
  readonly syllableCount: 1 | 2;
  /** Other spellings of its readings. */
  readonly spellings: readonly string[];
}

interface Syllables {
  /** Key: a spelling; value: the syllables in pinyin that it stands for. */
  readonly ofWade: ReadonlyMap<string, readonly string[]>;
  /** Key: a syllable in pinyin; value: its spellings in Wade–Giles. */
  readonly wade: ReadonlyMap<string, readonly string[]>;
}

let syllables: Syllables | undefined;

/** Systems that have a word as one syllable; 0 for most. */
export function syllableSystems(word: string): number {
  syllables ??= madeSyllables();
  return (syllables.wade.has(word) ? pinyin : 0) | (syllables.ofWade.has(word) ? wadeGiles : 0);
}

/** The spellings of a syllable in Wade–Giles; none where it is no syllable of pinyin. */
export function wadeOf(syllable: string): readonly string[] {
  syllables ??= madeSyllables();
  return syllables.wade.get(syllable) ?? none;
}

/** Words that are remembered: few names are of China. */
const REMEMBERED_MAX = 20_000;
const remembered = new Map<string, MandarinWord>();

/** What a word in basic letters is that consists of syllables alone; undefined for most. */
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
    // Most words end here, and nothing is made for them.
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

/** `zhuang`. */
const SYLLABLE_MAX = 6;
/** One or two syllables by their kinds of letters: cheaper than a look at the tables. */
const syllable = '(?:[zcs]h|hs|t[sz]|s[sz]|[b-df-hj-np-tw-z])?[aeiou]{1,3}(?:ng?|h|r)?';
const shape = new RegExp(`^${syllable}(?:${syllable})?$`);
const onlyOne: readonly string[] = [''];
const none: readonly string[] = [];
