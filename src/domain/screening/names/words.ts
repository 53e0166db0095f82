import { WORDS_MAX } from './align.ts';
import { lettersOf } from './alike/letters.ts';
import { formOf, type WrittenWord } from './alike/word-form.ts';
import { mayBeCompound, withCompounds } from './compounds.ts';
import { CHARACTERS_MAX, type FoldedWord, foldName, isSyllable, type Script } from './fold.ts';
import { mandarinWord } from './languages/mandarin.ts';
import { mayHaveGivenName, withGivenName } from './languages/mandarin-given-name.ts';
import { isSpeltOtherwise, withPlainSpellings } from './languages/spellings.ts';
import { knownName } from './own-names.ts';
import { phonesOf } from './phones.ts';
import { skeletonOf, soundOf } from './skeleton.ts';
import { compoundParts, honorifics, particles } from './tables/index.ts';

/** A word of a name with the properties that are compared. */
export interface NameWord {
  readonly text: string;
  readonly skeleton: string;
  readonly sound: string;
  /** Its sounds, as {@link phonesOf}. */
  readonly phones: string;
  /** Its letters, as a bit mask starting at a; {@link OTHER_LETTERS} for any other character. */
  readonly letters: number;
  readonly script: Script;
  /** `al`, `bin`, `von`: omitted as often as written. */
  readonly isParticle: boolean;
  readonly isInitial: boolean;
  /** `bin`, `ibn`, `ben`: "son of". */
  readonly isSonOf: boolean;
  /** Weight in a comparison: 1 for a name. */
  readonly weight: number;
  /** Whether it is in the tables of names; always false in scripts without vowels. */
  readonly isKnown: boolean;
  /** It can be read as Mandarin syllables. */
  readonly isMandarin: boolean;
  /** The properties as numbers. */
  readonly form: Uint16Array;
  /** In a name of basic letters it is neither dropped nor split. */
  readonly isUsual: boolean;
}

const sonOf = new Set(['bin', 'ibn', 'ben']);

/** Splits a name into its words, given names first, without titles. */
export function wordsOf(name: string): readonly NameWord[] {
  return usualWords(name) ?? allWords(name);
}

/** Maximum number of names in one text. */
const NAMES_MAX = 8;

/** Maximum number of parts of one text: at least as many as a name has characters. */
const PARTS_MAX = 300;

/**
 * Splits a text into names: lists and registers combine several, separated by semicolons. A part of
 * one word is more often part of a name (`Lovelace; Ada`), so that the text is then also treated as
 * one name.
 */
export function namesOf(text: string): readonly string[] {
  return everyName(text).slice(0, NAMES_MAX);
}

function everyName(text: string): readonly string[] {
  if (!text.includes(';')) return [text];
  const parts = text.split(';', PARTS_MAX).filter((part) => wordsOf(part).length > 0);
  const names = parts.filter((part) => wordsOf(part).filter(isFullWord).length > 1);
  const isParted = parts.length > 0 && names.length === parts.length;
  return isParted || parts.length === 1 ? parts : [text, ...names];
}

/** The part of a text that is ignored: some of its names, or the end of one of them. */
export type Unread = 'names' | 'words';

/** Whether a text contains a word to search for; punctuation alone is not a name. */
export function hasWords(text: string): boolean {
  // In a name of basic letters, at least one word always remains.
  if (usualName.test(text)) return basicLetter.test(text);
  // Folding is enough: the caller asks only whether there is anything to search for.
  return namesOf(text).some((name) => foldedWords(name).length > 0);
}

/** Which parts of a text exceed the limits and are ignored. */
export function unreadIn(text: string): readonly Unread[] {
  // A Han word is a single character.
  if (text.length <= WORDS_MAX) return [];
  const names = everyName(text);
  const isCut = names.length > NAMES_MAX || text.split(';', PARTS_MAX + 1).length > PARTS_MAX;
  // If the text is also treated as one name, that reading need not be complete.
  const own = names.length > 1 && names[0] === text ? names.slice(1) : names;
  const isLong = own.slice(0, NAMES_MAX).some(hasMore);
  return [...(isCut ? (['names'] as const) : []), ...(isLong ? (['words'] as const) : [])];
}

/** Whether a name has more characters or words than are read. */
function hasMore(name: string): boolean {
  return name.length > CHARACTERS_MAX || foldedWords(name).length > WORDS_MAX;
}

function isFullWord({ isParticle, isInitial }: NameWord): boolean {
  return !isParticle && !isInitial;
}

/** Most names consist only of basic letters, separated by spaces or hyphens. */
const usualName = /^[A-Za-z -]{1,300}$/;
const basicLetter = /[A-Za-z]/;

/** The words of a name none of which is dropped or changed; otherwise undefined. */
function usualWords(name: string): readonly NameWord[] | undefined {
  if (!usualName.test(name)) return undefined;
  const found: NameWord[] = [];
  for (const text of name.toLowerCase().split(name.includes('-') ? parting : ' ')) {
    if (text === '') continue;
    const word = nameWord(text, 'latin');
    if (!word.isUsual) return undefined;
    if (found.length < WORDS_MAX) found.push(word);
  }
  return mayHaveGivenName(found) ? undefined : found;
}

const parting = /[ -]/;

function allWords(name: string): readonly NameWord[] {
  return foldedWords(name)
    .slice(0, WORDS_MAX)
    .map(({ text, script }) => nameWord(text, script));
}

function foldedWords(name: string): readonly FoldedWord[] {
  const folded = ordered(foldName(name));
  const bare = folded.filter(({ text, script }) => !honorifics.has(text) || !hasVowels(script));
  const kept = bare.length === 0 ? folded : bare;
  return withCompounds(withGivenName(withPlainSpellings(kept))).flatMap(partsOf);
}

/** Without its vowels, a name may look like a title. */
function hasVowels(script: Script): boolean {
  return script === 'latin' || script === 'letters';
}

/** Reorders "LAST, First" to "First LAST". */
function ordered(words: readonly FoldedWord[]): readonly FoldedWord[] {
  if (!words.some(({ isBeforeComma }) => isBeforeComma)) return words;
  const family = words.filter(({ isBeforeComma }) => isBeforeComma);
  if (family.length === words.length) return words;
  return [...words.filter(({ isBeforeComma }) => !isBeforeComma), ...family];
}

/** Splits two initials such as `JC`. */
function partsOf(word: FoldedWord): readonly FoldedWord[] {
  const { text, script } = word;
  if (text.length !== 2) return [word];
  if (script === 'latin' && /^[^aeiouy0-9]{2}$/.test(text) && !particles.has(text)) {
    return [...text].map((each) => ({ ...word, text: each }));
  }
  return [word];
}

/** Maximum number of cached words: names repeat. */
const REMEMBERED_MAX = 50_000;
const remembered = new Map<string, NameWord>();

/** Returns a word in basic letters with the properties that are compared. */
export function nameWord(text: string, script: Script): NameWord {
  const key = script === 'latin' ? text : `${script} ${text}`;
  const known = remembered.get(key);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const made = madeWord(text, script);
  remembered.set(key, made);
  return made;
}

function madeWord(text: string, script: Script): NameWord {
  const isParticle = particles.has(text);
  return new MadeWord(text, script, isParticle, isInitial(text, script));
}

function isInitial(text: string, script: Script): boolean {
  if (text.length !== 1 || isSyllable(script)) return false;
  return script !== 'hangul' && !particles.has(text);
}

function isKnown(text: string, script: Script): boolean {
  return hasVowels(script) && knownName(text) !== undefined;
}

function isMandarin(text: string, script: Script): boolean {
  return (hasVowels(script) || script === 'han') && mandarinWord(text) !== undefined;
}

/** The properties of a word that count when names are compared by consonants alone. */
export type ConsonantWord = Pick<NameWord, 'skeleton' | 'isParticle'>;

/** The {@link ConsonantWord} of a word in basic letters. */
export function consonantWord(text: string): ConsonantWord {
  return { skeleton: skeletonOf(text), isParticle: particles.has(text) };
}

/** The properties of an index word that are compared. */
export function writtenWord(text: string, script: Script): WrittenWord {
  return {
    text,
    script,
    phones: phonesOf(text),
    skeleton: skeletonOf(text),
    sound: soundOf(text),
    letters: lettersOf(text),
    isInitial: isInitial(text, script),
    isKnown: isKnown(text, script),
    isMandarin: isMandarin(text, script),
  };
}

class MadeWord implements NameWord {
  readonly text: string;
  readonly skeleton: string;
  readonly sound: string;
  readonly letters: number;
  readonly script: Script;
  readonly isParticle: boolean;
  readonly isInitial: boolean;
  readonly isSonOf: boolean;
  readonly weight: number;
  readonly isKnown: boolean;
  readonly isUsual: boolean;
  #phones = '';
  #isMandarin: boolean | undefined;
  #form: Uint16Array | undefined;

  constructor(text: string, script: Script, isParticle: boolean, isInitial: boolean) {
    this.text = text;
    this.skeleton = skeletonOf(text);
    this.sound = soundOf(text);
    this.letters = lettersOf(text);
    this.script = script;
    this.isParticle = isParticle;
    this.isInitial = isInitial;
    this.isSonOf = sonOf.has(text);
    this.weight = weightOf(text, isParticle, isInitial);
    this.isKnown = isKnown(text, script);
    const mayBeChanged = honorifics.has(text) || mayBeCompound(text) || isSpeltOtherwise(text);
    this.isUsual = text.length !== 2 && !mayBeChanged;
  }

  // Computed on demand: most words are never compared with one in another script.
  get phones(): string {
    if (this.#phones === '') this.#phones = phonesOf(this.text);
    return this.#phones;
  }

  // Computed on demand: most words of an index are never compared.
  get isMandarin(): boolean {
    this.#isMandarin ??= isMandarin(this.text, this.script);
    return this.#isMandarin;
  }

  get form(): Uint16Array {
    this.#form ??= formOf(this);
    return this.#form;
  }
}

function weightOf(text: string, isParticle: boolean, isInitial: boolean): number {
  if (isParticle || compoundParts.has(text)) return 0.2;
  if (isInitial) return 0.4;
  return text.length <= 2 ? 0.7 : 1;
}
