import { AskedWord } from '../../names/alike/asked-word.ts';
import { keysBeside, keysOfReadings, soundKeyOf } from '../../names/skeleton.ts';
import type { WordFacts } from '../../names/word-likeness.ts';
import type { NameWord } from '../../names/words.ts';
import { hashWithout, SHORTEST_SOUND, SHORTEST_SPELLING } from '../layout.ts';
import { wordFacts } from '../word-facts.ts';

/** Keys by which a word is looked up in any index: hashes of texts. */
export interface WordKeys {
  /** The word, and the word with one letter deleted. */
  readonly spellings: readonly number[];
  /** Its sound; undefined if it is too short to be useful. */
  readonly sound: number | undefined;
  /** Sounds of words without vowels or with a misspelt vowel. For a known word there are fewer. */
  readonly beside: readonly number[];
  readonly besideOfKnown: readonly number[];
  readonly readings: readonly number[];
  /** Its sound with one consonant deleted. */
  readonly nearSounds: readonly number[];
  readonly facts: WordFacts;
  /** Shared: `begin` must be called with the word before use. */
  readonly asked: AskedWord;
}

/** A name is searched in one list after another, so that few words are in use at a time. */
const REMEMBERED_MAX = 32;
const remembered = new Map<NameWord, WordKeys>();
const compared: readonly AskedWord[] = Array.from({ length: 16 }, () => new AskedWord());
let made = 0;

/** The keys of a word; cached for recent words. */
export function wordKeys(word: NameWord): WordKeys {
  const known = remembered.get(word);
  if (known !== undefined) return known;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  const keys = madeKeys(word);
  remembered.set(word, keys);
  return keys;
}

function madeKeys(word: NameWord): WordKeys {
  const { text, skeleton, script } = word;
  const isPlain = script === 'latin' || script === 'letters';
  const sound = soundKeyOf(word);
  const beside = keysBeside(sound, skeleton, isPlain);
  const nearSounds: number[] = [];
  if (sound.length >= SHORTEST_SOUND && !sound.startsWith('_')) {
    for (let at = 0; at < sound.length; at++) nearSounds.push(hashWithout(sound, at));
  }
  made = (made + 1) % compared.length;
  return {
    spellings: spellingHashes(text),
    sound: sound.length >= 2 ? wholeHash(sound) : undefined,
    beside: wholeHashes(beside),
    besideOfKnown: wholeHashes(beside.filter((each) => each.length === 2)),
    readings: wholeHashes(keysOfReadings(word, sound)),
    nearSounds,
    facts: wordFacts(word),
    asked: compared[made] as AskedWord,
  };
}

/** Most words have none, which is not worth an array each. */
function wholeHashes(texts: readonly string[]): readonly number[] {
  return texts.length === 0 ? none : texts.map(wholeHash);
}

const none: readonly number[] = [];

function wholeHash(text: string): number {
  return hashWithout(text, -1);
}

/** Hashes of a text, and of the text with one letter deleted. */
export function spellingHashes(text: string): readonly number[] {
  const hashes = [wholeHash(text)];
  if (text.length < SHORTEST_SPELLING) return hashes;
  for (let at = 0; at < text.length; at++) {
    if (at > 0 && text.charCodeAt(at) === text.charCodeAt(at - 1)) continue;
    hashes.push(hashWithout(text, at));
  }
  return hashes;
}
