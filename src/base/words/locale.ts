import { packageData } from '../package-data.ts';
import type { Locale } from './locale.types.ts';

/** The languages of the interface: each has a file in `locales`. */
export const locales = ['is', 'en', 'nb', 'da', 'de', 'fr', 'sv', 'cs', 'pl', 'es', 'hu'] as const;

/** One of {@link locales}. */
export type LocaleCode = (typeof locales)[number];

/** The words of a language; its file is read when it is first asked for. */
export function localeOf(code: LocaleCode): Locale {
  return packageData(`locales/${code}.json`) as Locale;
}

/** The language that a short code such as `Is`, `en-us` or `NB` names. */
export function findLocale(code: string): LocaleCode | undefined {
  const lower = code.toLowerCase();
  return locales.find((each) => each === (lower === 'en-us' ? 'en' : lower));
}
