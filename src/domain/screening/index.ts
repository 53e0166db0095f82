/** Lists of persons, and how close a name is to one on them. */
export { type WatchCategory, type WatchEntry, watchCategories } from './entry.ts';
export { fictionalList } from './fictional-list.table.ts';
export {
  categoryOf,
  fullNameOf,
  type MatchedField,
  matchEntries,
  type PreparedEntry,
  prepareEntries,
  type ScreeningQuery,
  type WatchMatch,
} from './match.ts';
export { nameWords, wordLikeness } from './name-form.ts';
