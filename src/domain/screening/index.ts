/** Lists of persons, and how close a name is to one on them. */
export { type WatchCategory, type WatchEntry, watchCategories } from './entry.ts';
export { fictionalList } from './fictional-list.table.ts';
export {
  fullNameOf,
  type MatchedField,
  matchEntries,
  nameWords,
  type PreparedEntry,
  prepareEntries,
  type WatchMatch,
  wordLikeness,
} from './match.ts';
