/** Rules of signatures by code, click and electronic identity. */

export * from './method-words.table.ts';
export * from './one-time-code.ts';
export * from './stamp-text.ts';
