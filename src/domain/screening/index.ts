/** Lists of persons, and how close a name is to one on them. */
export * from './entry.ts';
export * from './fictional-list.table.ts';
export * from './match.ts';
