/** The search in an index: candidates, bounds of their rates, matches. */
export { NameSearch } from './search.ts';
