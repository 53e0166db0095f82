/** Watchlist files: decompressed, compared with the previous version, opened for searching. */
export { requireSamePersons, requireSuccessor } from './check-shrinkage.ts';
export {
  categoryOf,
  type ListPorts,
  type ListSource,
  type OpenedLists,
  openContent,
  openCurrent,
  openLists,
  openSearched,
  type PersonOfList,
  type SearchThreads,
  type SharedList,
  type UpdatePorts,
} from './open-lists.ts';
export { unpackFiles } from './unpack-files.ts';
