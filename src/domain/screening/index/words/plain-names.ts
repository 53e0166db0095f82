import { standsAlone } from '../../names/compounds.ts';
import { foldName } from '../../names/fold.ts';
import { honorifics } from '../../names/tables/index.ts';
import { type NameWord, nameWord } from '../../names/words.ts';

/** Titles of the peerage, and other titles that are read together with adjacent words. */
const peerage = /^\s*(?:baron|viscount|marquess|earl|duke)/i;
const LENGTH_MAX = 300;

const PARTING = 2;
/** By character code: 0 if adjacent characters may change it, otherwise a letter or a separator. */
const kinds = Uint8Array.from({ length: 0x250 }, (_, code) => kindOf(String.fromCharCode(code)));
/** Numbers per part in {@link plainParts}. */
const EACH = 3;

/** Letters of Latin alphabets, and characters that separate words or are omitted from them. */
function kindOf(character: string): number {
  if (/[. -]/.test(character)) return PARTING;
  // Characters with a two-letter compatibility form would change.
  const isPlain = /[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f']/.test(character);
  return isPlain && character.normalize('NFKC') === character ? 1 : 0;
}

/** Last result of {@link partPlain}: start, end and hash of the characters of each part. */
export const plainParts = new Int32Array(EACH * (LENGTH_MAX + 2));

/**
 * Splits a name into {@link plainParts} without creating substrings. Given names come first.
 *
 * @returns the number of parts; -1 if a word may depend on adjacent words or on other characters
 */
export function partPlain(name: string): number {
  if (name.length > LENGTH_MAX) return -1;
  const comma = name.indexOf(',');
  if (comma < 0) return partOf(name, 0, name.length, 0);
  const given = partOf(name, comma + 1, name.length, 0);
  if (given < 0 || peerage.test(name.slice(comma + 1))) return -1;
  return partOf(name, 0, comma, given);
}

function partOf(name: string, from: number, to: number, before: number): number {
  let count = before;
  let start = from;
  let hash = 0;
  for (let at = from; at <= to; at++) {
    const code = at < to ? name.charCodeAt(at) : -1;
    const kind = code < 0 ? PARTING : code < kinds.length ? (kinds[code] as number) : 0;
    if (kind === 0) return -1;
    if (kind !== PARTING) {
      hash = (Math.imul(hash, 31) + code) | 0;
      continue;
    }
    if (at > start) {
      plainParts[EACH * count] = start;
      plainParts[EACH * count + 1] = at;
      plainParts[EACH * count + 2] = hash;
      count += 1;
    }
    start = at + 1;
    hash = 0;
  }
  return count;
}

/**
 * The words of a name as spelt, given names first; undefined if a word may depend on adjacent words
 * or on other characters. If {@link plainWord} accepts each of them, these are the words of the
 * name.
 */
export function plainTokens(name: string): readonly string[] | undefined {
  const count = partPlain(name);
  if (count < 0) return undefined;
  return Array.from({ length: count }, (_, at) =>
    name.slice(plainParts[EACH * at], plainParts[EACH * at + 1]),
  );
}

/** The word for a token of {@link plainTokens}; undefined if adjacent words may change it. */
export function plainWord(token: string): NameWord | undefined {
  const text = basicWord.test(token) ? token.toLowerCase() : foldedWord(token);
  if (text === undefined) return undefined;
  // Titles are omitted only if other words remain.
  if (honorifics.has(text) || areInitials.test(text) || !standsAlone(text)) return undefined;
  return nameWord(text, 'latin');
}

/** Two letters, each of which may be a separate word. */
const areInitials = /^[^aeiouy0-9]{2}$/;

const basicWord = /^[A-Za-z]+$/;

function foldedWord(token: string): string | undefined {
  const [folded, ...others] = foldName(token);
  return others.length === 0 && folded?.script === 'latin' ? folded.text : undefined;
}
