import { SAME, textOf } from './index/name-index.ts';
import { NearSearch } from './index/near/near-search.ts';
import type { WordRarity } from './index/word-rarity.ts';
import type { ListedIdentity } from './listed-person.ts';
import type { PersonQuery } from './name-index.types.ts';

/** Likeness of the name alone, rounded to 70 %: evidence adds 3 at most, and a match has 75. */
const NEAR = 0.695;

/**
 * Tells whether a person may match one of `listed`, and so is to be screened again when these have
 * changed. It compares in the direction of a screening, with the weights of the index that a
 * screening searches: whoever has a match of 75 with one of them is near. Birth, gender and country
 * do not count.
 *
 * @param among how much words say in the list with `listed`
 */
export function nearTo(
  listed: readonly ListedIdentity[],
  among: WordRarity,
): (query: PersonQuery) => boolean {
  const bare = listed.map(({ names }) => ({ names, births: [], countries: [] }));
  const search = new NearSearch(bare, among);
  return (query) => search.isNear(textOf(query), NEAR, SAME);
}
