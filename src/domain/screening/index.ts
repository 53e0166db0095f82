/** Watchlists of persons, and the similarity of a name to those on them. */
export { type WatchCategory, watchCategories } from './category.ts';
export { listedEntry, type WatchEntry } from './entry.ts';
export { fictionalList } from './fictional-list.table.ts';
export { engineVersion } from './index/engine.ts';
export { joinNameIndexes } from './index/join.ts';
export { buildNameIndex, comparePerson, hasName, unreadOf } from './index/name-index.ts';
export { type ListContent, type ListedPersons, parseList, parsePersons } from './list-content.ts';
export { compareLists, identityHash, type ListDelta, personsNotIn } from './list-delta.ts';
export type { ListVersion } from './list-version.types.ts';
export { ListWriter, serializeList } from './list-writer.ts';
export type { ListedDate, ListedIdentity, ListedName, ListedPerson } from './listed-person.ts';
export { type ListFile, openList, readList } from './lists/read-list.ts';
export type {
  MatchedField,
  NameIndex,
  NamePart,
  PersonMatch,
  PersonQuery,
  SearchOptions,
} from './name-index.types.ts';
export type { Unread } from './names/words.ts';
export { nearTo } from './near-persons.ts';
export {
  type Customer,
  type DecisionKind,
  type LatestMatch,
  type LatestScreening,
  type MatchDecision,
  type MatchPair,
  matchDecisions,
  type RecordedMatch,
  type ScreeningCause,
  type ScreeningRecord,
  type SearchedList,
  screeningChainStart,
  screeningHash,
  subjectHash,
} from './screening-record.ts';
