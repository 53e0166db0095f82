/** Short codes of the languages that people are written to in, with their BCP 47 tags. */
export const languageTags = {
  Is: 'is',
  En: 'en-US',
  Nb: 'nb',
  Da: 'da',
  De: 'de',
  Fr: 'fr',
  Sv: 'sv',
  Cs: 'cs',
  Pl: 'pl',
  Es: 'es',
  Hu: 'hu',
} as const;

/** A short code of {@link languageTags}. */
export type Language = keyof typeof languageTags;

/** All short codes. */
export const languages = Object.keys(languageTags) as readonly Language[];

/**
 * The first of `wishes` that is a known language, in any letter case; Icelandic when none is.
 * `NotSet` and unknown codes are passed over.
 */
export function chooseLanguage(...wishes: readonly (string | undefined)[]): Language {
  for (const wish of wishes) {
    const found = languages.find((code) => code.toLowerCase() === wish?.toLowerCase());
    if (found !== undefined) return found;
  }
  return 'Is';
}

const dayFormats = new Map<Language, Intl.DateTimeFormat>();

/** The UTC day of a time in the words of `language`, such as `1. febrúar 2025`. */
export function formatDay(atMs: number, language: Language): string {
  const format =
    dayFormats.get(language) ??
    new Intl.DateTimeFormat(languageTags[language], { dateStyle: 'long', timeZone: 'UTC' });
  dayFormats.set(language, format);
  return format.format(atMs);
}
