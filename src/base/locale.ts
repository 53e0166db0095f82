import { createRequire } from 'node:module';
import type { Locale } from './locale.types.ts';

/** The languages of the interface: each has a file in `locales`. */
export const locales = ['is', 'en', 'nb', 'da', 'de', 'fr', 'sv', 'cs', 'pl', 'es', 'hu'] as const;

/** One of {@link locales}. */
export type LocaleCode = (typeof locales)[number];

// The sources, dist/ and its bundles are equally far from `locales`.
const load = createRequire(import.meta.url);
const loaded = new Map<LocaleCode, Locale>();

/** The words of a language; its file is read once. */
export function localeOf(code: LocaleCode): Locale {
  let locale = loaded.get(code);
  if (locale === undefined) {
    locale = load(`../../locales/${code}.json`) as Locale;
    loaded.set(code, locale);
  }
  return locale;
}

/** The language that a short code such as `Is`, `en-us` or `NB` names. */
export function findLocale(code: string): LocaleCode | undefined {
  const lower = code.toLowerCase();
  return locales.find((each) => each === (lower === 'en-us' ? 'en' : lower));
}
