/** Pages for people, in their language. */
export * from './link-page.ts';
export type { LinkState } from './words.table.ts';
