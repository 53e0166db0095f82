import { packageData } from '../../base/package-data.ts';
import { locales } from '../../base/words/index.ts';
import { type Language, localeOfLanguage } from '../../domain/message/index.ts';
import type { PageWords } from './words.types.ts';

/** Texts of the pages in one language. The file is loaded on first use. */
export function pageWords(language: Language): PageWords {
  return packageData(`locales/page/${language.toLowerCase()}.json`) as PageWords;
}

/** Texts in all languages, for readers whose language is unknown. */
export function allPageWords(): readonly { readonly lang: string; readonly words: PageWords }[] {
  return locales.map((code) => {
    const language = `${code.slice(0, 1).toUpperCase()}${code.slice(1)}` as Language;
    return { lang: localeOfLanguage(language).tag, words: pageWords(language) };
  });
}

/** Returns `text` with its placeholders (`{{company}}`) filled in. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  const whole = text.replace(/\{\{(\w+)\}\}/g, (handle, name: string) =>
    String(values[name] ?? handle),
  );
  // A value may itself end with a full stop: "Acme ehf.", "2026. december 26.".
  return whole.replace(/\.\.$/, '.');
}
