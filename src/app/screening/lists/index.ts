/** Files of watchlists: unpacked, compared with the last, opened for a search. */
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
