import { packageData } from '../package-data.ts';
import type { Locale } from './locale.types.ts';

/** Languages of the interface. Each has a file in `locales`. */
export const locales = ['is', 'en', 'nb', 'da', 'de', 'fr', 'sv', 'cs', 'pl', 'es', 'hu'] as const;

/** One of {@link locales}. */
export type LocaleCode = (typeof locales)[number];

/** Texts in one language. The file is loaded on first use. */
export function localeOf(code: LocaleCode): Locale {
  return packageData(`locales/${code}.json`) as Locale;
}

/** The language for a code such as `Is`, `en-us` or `NB`. */
export function findLocale(code: string): LocaleCode | undefined {
  const lower = code.toLowerCase();
  return locales.find((each) => each === (lower === 'en-us' ? 'en' : lower));
}
