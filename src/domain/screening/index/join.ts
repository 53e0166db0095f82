import type { NameIndex, PersonMatch } from '../name-index.types.ts';
import { engineVersion } from './engine.ts';

/** Combines several indexes into one. The persons of each follow those of the previous index. */
export function joinNameIndexes(indexes: readonly NameIndex[]): NameIndex {
  const starts: number[] = [];
  let personCount = 0;
  for (const index of indexes) {
    starts.push(personCount);
    personCount += index.personCount;
  }
  return {
    personCount,
    nameCount: indexes.reduce((sum, { nameCount }) => sum + nameCount, 0),
    engineVersion,
    search(query, options) {
      const found = indexes.flatMap((index, at) =>
        index
          .search(query, options)
          .map((match) => ({ ...match, number: match.number + (starts[at] as number) })),
      );
      return found.sort(byRate).slice(0, options.limit);
    },
  };
}

function byRate(a: PersonMatch, b: PersonMatch): number {
  return (
    b.rate - a.rate ||
    b.matchedFields.length - a.matchedFields.length ||
    b.nameRate - a.nameRate ||
    a.number - b.number
  );
}
