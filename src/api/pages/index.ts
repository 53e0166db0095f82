/** Pages for people, in their language. */
export {
  type LinkFacts,
  linkPage,
  pageHeaders,
  stopPage,
  stoppedPage,
  unknownPage,
} from './link-page.ts';
export type { LinkState } from './words.table.ts';
