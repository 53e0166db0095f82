/** The search in the index: candidates, bounds of their rates, matches. */
export { NameSearch } from './search.ts';
