/** Languages, and the types of the texts in locales/. */
export { findLocale, type LocaleCode, localeOf, locales } from './locale.ts';
export type * from './locale.types.ts';
export type * from './report-words.types.ts';
