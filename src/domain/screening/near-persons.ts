import { buildNameIndex } from './index/name-index.ts';
import type { ListedIdentity } from './listed-person.ts';
import type { PersonQuery } from './name-index.types.ts';

/** Rate by the name alone from which on a person is near: 5 below that of a match. */
const NEAR_RATE = 70;

/**
 * Tells whether a person may match one of `listed`, and so is to be screened again when these have
 * changed. It searches in the direction of a screening, in an index of the changed ones: names that
 * are not alike both ways («Abdul Rahman» and «Abdelrahman») are found too. Birth, gender and
 * country do not count.
 */
export function nearTo(listed: readonly ListedIdentity[]): (query: PersonQuery) => boolean {
  const bare = listed.map(({ names }) => ({ names, births: [], countries: [] }));
  const index = buildNameIndex(bare);
  const known = new Map<string, boolean>();
  return ({ firstName, middleName, lastName, originalName }) => {
    const names = JSON.stringify({ firstName, middleName, lastName, originalName });
    const before = known.get(names);
    if (before !== undefined) return before;
    const query = JSON.parse(names) as PersonQuery;
    const isNear = index.search(query, { leastRate: NEAR_RATE, limit: 1 }).length > 0;
    known.set(names, isNear);
    return isNear;
  };
}
