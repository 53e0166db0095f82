import { standsAlone } from '../../names/compounds.ts';
import { foldName } from '../../names/fold.ts';
import { honorifics } from '../../names/tables/index.ts';
import { type NameWord, nameWord } from '../../names/words.ts';

/** Letters of Latin alphabets, and what parts words of them or is left out of them. */
const plain = /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'. -]{0,300}$/;
const basic = /^[A-Za-z'. -]*$/;
const parting = /[. -]/;
/** What the crown has added to a name, and what else may be read with its neighbours. */
const peerage = /^\s*(?:baron|viscount|marquess|earl|duke)/i;
const LENGTH_MAX = 300;

/**
 * The words of a name as they are written, given names first; undefined where a word may depend on
 * its neighbours or on other characters. If each of them {@link plainWord is read by itself}, these
 * are the words of the name.
 */
export function plainTokens(name: string): readonly string[] | undefined {
  if (name.length > LENGTH_MAX) return undefined;
  const comma = name.indexOf(',');
  if (comma < 0) return isPlain(name) ? tokensOf(name) : undefined;
  const [family, given] = [name.slice(0, comma), name.slice(comma + 1)];
  if (!isPlain(family) || !isPlain(given) || peerage.test(given)) return undefined;
  return [...tokensOf(given), ...tokensOf(family)];
}

function isPlain(text: string): boolean {
  if (!plain.test(text)) return false;
  // Letters that are written as two, and marks that stand behind their letter.
  return basic.test(text) || text.normalize('NFKC') === text;
}

function tokensOf(text: string): readonly string[] {
  const found = text.split(parting);
  return found.includes('') ? found.filter((token) => token !== '') : found;
}

/** The word of a token of {@link plainTokens}; undefined if its neighbours may change it. */
export function plainWord(token: string): NameWord | undefined {
  const text = basicWord.test(token) ? token.toLowerCase() : foldedWord(token);
  if (text === undefined) return undefined;
  // Titles are left out where other words remain.
  if (honorifics.has(text) || areInitials.test(text) || !standsAlone(text)) return undefined;
  return nameWord(text, 'latin');
}

/** Two letters that may be read as a word each. */
const areInitials = /^[^aeiouy0-9]{2}$/;

const basicWord = /^[A-Za-z]+$/;

function foldedWord(token: string): string | undefined {
  const [folded, ...others] = foldName(token);
  return others.length === 0 && folded?.script === 'latin' ? folded.text : undefined;
}
