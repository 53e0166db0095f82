import { foldName } from '../../names/fold.ts';
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
  const [folded, ...others] = foldName(token);
  if (folded === undefined || others.length > 0 || folded.script !== 'latin') return undefined;
  const word = nameWord(folded.text, 'latin');
  return word.isUsual ? word : undefined;
}
