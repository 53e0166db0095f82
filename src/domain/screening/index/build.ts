import { InnsigliError } from '../../../base/errors.ts';
import type { ListedDate, ListedIdentity, ListedName } from '../listed-person.ts';
import { WORDS_MAX } from '../names/align.ts';
import { scripts } from '../names/fold.ts';
import { soundKeyOf } from '../names/skeleton.ts';
import { type NameWord, wordsOf } from '../names/words.ts';
import {
  approximateBirth,
  hashOfWords,
  hashWithout,
  type IndexArrays,
  nameFlag,
  pairOf,
  personFlag,
  SHORTEST_SOUND,
  SHORTEST_SPELLING,
  WORDS_OF_INDEX_MAX,
} from './layout.ts';
import { wordFacts } from './word-facts.ts';
import { plainTokens, plainWord } from './words/plain-names.ts';

/** Maximum number of indexed names per person; lists contain up to some hundreds. */
const NAMES_OF_PERSON_MAX = 500;

/** Collects persons for an index. Stores only numbers for them, and texts only for words. */
export class IndexBuilder {
  readonly words = new Map<string, number>();
  /** Number of a word by its spelling in the name, or one of the constants below. */
  readonly #tokens = new Map<string, number>();
  readonly scriptOfWord: number[] = [];
  readonly wordTexts: string[] = [];
  readonly wordFacts: number[] = [];
  readonly soundKeys: string[] = [];
  readonly nameStart = [0];
  readonly nameWords: number[] = [];
  readonly nameFlags: number[] = [];
  readonly namePerson: number[] = [];
  readonly personStart = [0];
  readonly birthStart = [0];
  readonly births: number[] = [];
  readonly personFlags: number[] = [];
  readonly countryStart = [0];
  readonly countries: number[] = [];

  add({ names, births, gender, countries }: ListedIdentity): void {
    const person = this.personFlags.length;
    for (const [at, name] of names.slice(0, NAMES_OF_PERSON_MAX).entries()) {
      this.addName(name, person, at);
    }
    this.personStart.push(this.namePerson.length);
    for (const birth of births) this.births.push(...packedBirth(birth));
    this.birthStart.push(this.births.length / 2);
    for (const country of countries) {
      this.countries.push((country.charCodeAt(0) << 8) | country.charCodeAt(1));
    }
    this.countryStart.push(this.countries.length);
    this.personFlags.push(gender === undefined ? 0 : genderFlag[gender]);
  }

  private addName(name: ListedName, person: number, at: number): void {
    if (!this.#addPlain(name.text)) {
      for (const word of wordsOf(name.text)) this.nameWords.push(this.numberOf(word));
    }
    this.nameStart.push(this.nameWords.length);
    this.namePerson.push(person);
    this.nameFlags.push(
      (name.isWeak === true ? nameFlag.weak : 0) |
        (at > 0 && name.kind !== 'primary' ? nameFlag.alias : 0) |
        (name.kind === 'original-script' ? nameFlag.originalScript : 0) |
        (name.kind === 'former' ? nameFlag.former : 0),
    );
  }

  /** Adds the words of a name if each can be read on its own. Distinct words are read only once. */
  #addPlain(text: string): boolean {
    const tokens = plainTokens(text);
    if (tokens === undefined) return false;
    const count = Math.min(tokens.length, WORDS_MAX);
    // Check all of them before numbering any: words are numbered in the order of names.
    for (const token of tokens) {
      const known = this.#tokens.get(token) ?? this.#placeOf(token);
      if (known === UNUSUAL) return false;
    }
    for (let at = 0; at < count; at++) {
      const token = tokens[at] as string;
      const known = this.#tokens.get(token) as number;
      if (known === UNNUMBERED) {
        const number = this.numberOf(plainWord(token) as NameWord);
        this.#tokens.set(token, number);
        this.nameWords.push(number);
      } else this.nameWords.push(known);
    }
    return true;
  }

  #placeOf(token: string): number {
    const place = plainWord(token) === undefined ? UNUSUAL : UNNUMBERED;
    this.#tokens.set(token, place);
    return place;
  }

  private numberOf(word: NameWord): number {
    const { text, script } = word;
    const number = scripts.indexOf(script);
    // Vowels carry different weight in different scripts, even with the same letters.
    const key = script === 'latin' ? text : `${number}${text}`;
    const known = this.words.get(key);
    if (known !== undefined) return known;
    const made = this.wordTexts.length;
    this.words.set(key, made);
    this.wordTexts.push(text);
    this.scriptOfWord.push(number);
    this.soundKeys.push(soundKeyOf(word));
    const { letters, skeleton, sound } = wordFacts(word);
    this.wordFacts.push(letters, skeleton, sound);
    return made;
  }
}

/** A word that adjacent words may change. */
const UNUSUAL = -1;
/** A word that has not occurred in a name yet. */
const UNNUMBERED = -2;

const genderFlag = { Male: personFlag.male, Female: personFlag.female } as const;

/** Builds the arrays of an index of persons. @throws limit.exceeded for too many distinct words */
export function buildArrays(persons: Iterable<ListedIdentity>): IndexArrays {
  const built = new IndexBuilder();
  for (const person of persons) built.add(person);
  return arraysOf(built);
}

/** Builds the arrays from the collected data. @throws limit.exceeded for too many distinct words */
export function arraysOf(built: IndexBuilder): IndexArrays {
  const { wordTexts } = built;
  if (Math.max(wordTexts.length, built.namePerson.length) >= WORDS_OF_INDEX_MAX) {
    throw new InnsigliError(
      'limit.exceeded',
      `expected at most ${WORDS_OF_INDEX_MAX} names and words`,
    );
  }
  const nameWords = new Uint32Array(built.nameWords);
  const nameStart = new Uint32Array(built.nameStart);
  return {
    ...lettersOf(wordTexts),
    wordScript: new Uint8Array(built.scriptOfWord),
    wordFacts: new Uint32Array(built.wordFacts),
    ...postingsOf(nameWords, nameStart, wordTexts.length),
    nameStart,
    nameWords,
    nameFlags: new Uint8Array(built.nameFlags),
    namePerson: new Uint32Array(built.namePerson),
    personStart: new Uint32Array(built.personStart),
    spellings: pairsOf(wordTexts, SHORTEST_SPELLING),
    sounds: pairsOf(built.soundKeys, SHORTEST_SOUND),
    wholes: wholesOf(nameWords, nameStart),
    birthStart: new Uint32Array(built.birthStart),
    births: new Uint32Array(built.births),
    personFlags: new Uint8Array(built.personFlags),
    countryStart: new Uint32Array(built.countryStart),
    countries: new Uint16Array(built.countries),
  };
}

function lettersOf(texts: readonly string[]): Pick<IndexArrays, 'letters' | 'wordStart'> {
  const wordStart = new Uint32Array(texts.length + 1);
  texts.forEach((text, at) => {
    wordStart[at + 1] = (wordStart[at] as number) + text.length;
  });
  const letters = new Uint8Array(wordStart[texts.length] as number);
  texts.forEach((text, word) => {
    for (let at = 0; at < text.length; at++) {
      letters[(wordStart[word] as number) + at] = text.charCodeAt(at);
    }
  });
  return { letters, wordStart };
}

function postingsOf(nameWords: Uint32Array, nameStart: Uint32Array, wordCount: number) {
  const postingStart = new Uint32Array(wordCount + 1);
  for (const word of nameWords) postingStart[word + 1] = (postingStart[word + 1] as number) + 1;
  for (let word = 0; word < wordCount; word++) {
    postingStart[word + 1] = (postingStart[word + 1] as number) + (postingStart[word] as number);
  }
  const next = postingStart.slice();
  const postings = new Uint32Array(nameWords.length);
  for (let name = 0; name + 1 < nameStart.length; name++) {
    for (let at = nameStart[name] as number; at < (nameStart[name + 1] as number); at++) {
      const word = nameWords[at] as number;
      postings[next[word] as number] = name;
      next[word] = (next[word] as number) + 1;
    }
  }
  return { postingStart, postings };
}

function wholesOf(nameWords: Uint32Array, nameStart: Uint32Array): Float64Array {
  const pairs = new Float64Array(nameStart.length - 1);
  for (let name = 0; name < pairs.length; name++) {
    const hash = hashOfWords(nameWords, nameStart[name], nameStart[name + 1]);
    pairs[name] = pairOf(hash, name);
  }
  return pairs.sort();
}

function pairsOf(texts: readonly string[], shortest: number): Float64Array {
  const pairs: number[] = [];
  texts.forEach((text, number) => {
    if (text === '') return;
    pairs.push(pairOf(hashWithout(text, -1), number));
    if (text.length < shortest) return;
    for (let at = 0; at < text.length; at++) {
      // Removing either of two equal adjacent letters gives the same text.
      if (at > 0 && text[at] === text[at - 1]) continue;
      pairs.push(pairOf(hashWithout(text, at), number));
    }
  });
  return new Float64Array(pairs).sort();
}

function packedBirth({ from, to = from, isApproximate }: ListedDate): readonly [number, number] {
  const flag = isApproximate === true ? approximateBirth : 0;
  return [packedDate(from), (packedDate(to) | flag) >>> 0];
}

/** Packs a date: `1962-03` becomes 19620300. */
export function packedDate(text: string): number {
  const [year = '0', month = '0', day = '0'] = text.split('-');
  return Number(year) * 10_000 + Number(month) * 100 + Number(day);
}
