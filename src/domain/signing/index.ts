/** Rules of signatures by code, click and electronic identity. */

export * from './one-time-code.ts';
export * from './stamp-text.ts';
