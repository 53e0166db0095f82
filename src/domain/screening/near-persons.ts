import { SAME, textOf } from './index/name-index.ts';
import { NearSearch } from './index/near/near-search.ts';
import type { WordRarity } from './index/word-rarity.ts';
import type { ListedIdentity } from './listed-person.ts';
import type { PersonQuery } from './name-index.types.ts';

/** Minimum similarity of a name, rounding to 70 %: evidence adds up to 3, and a match needs 75. */
const NEAR = 0.695;

/**
 * Returns a test of whether a person may match one of `listed`, and therefore must be screened
 * again after these changed. It compares like a screening and with the weights of the searched
 * index, so that every person with a match of 75 passes. Birth, gender and country are ignored.
 *
 * @param among rarity of words in the list that contains `listed`
 */
export function nearTo(
  listed: readonly ListedIdentity[],
  among: WordRarity,
): (query: PersonQuery) => boolean {
  const bare = listed.map(({ names }) => ({ names, births: [], countries: [] }));
  const search = new NearSearch(bare, among);
  return (query) => search.isNear(textOf(query), NEAR, SAME);
}
