import { packageData } from '../../base/package-data.ts';
import { locales } from '../../base/words/index.ts';
import { type Language, localeOfLanguage } from '../../domain/message/index.ts';
import type { PageWords } from './words.types.ts';

/** The words of the pages in a language; its file is read when it is first asked for. */
export function pageWords(language: Language): PageWords {
  return packageData(`locales/page/${language.toLowerCase()}.json`) as PageWords;
}

/** The words in all languages, for readers of whom no language is known. */
export function allPageWords(): readonly { readonly lang: string; readonly words: PageWords }[] {
  return locales.map((code) => {
    const language = `${code.slice(0, 1).toUpperCase()}${code.slice(1)}` as Language;
    return { lang: localeOfLanguage(language).tag, words: pageWords(language) };
  });
}

/** `text` with its handles filled: `{{company}}`. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  const whole = text.replace(/\{\{(\w+)\}\}/g, (handle, name: string) =>
    String(values[name] ?? handle),
  );
  // A value may end with a full stop itself: «Acme ehf.», «2026. december 26.».
  return whole.replace(/\.\.$/, '.');
}
