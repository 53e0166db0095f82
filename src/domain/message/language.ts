import { usualTimeZone } from '../../base/time/time-zone.ts';
import { type Locale, type LocaleCode, localeOf, locales } from '../../base/words/index.ts';
import type { SigneeKey } from '../keys.ts';
import type { MessageTemplate, SigningProcess } from '../process/index.ts';

/** Short code of a language in which messages are written: `Is`, `En`. */
export type Language = Capitalize<LocaleCode>;

const codes = new Map(locales.map((code) => [shortCode(code), code]));

/** All short codes. */
export const languages: readonly Language[] = [...codes.keys()];

function shortCode(code: LocaleCode): Language {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1)}` as Language;
}

/** The locale of a language: its texts and BCP 47 tag. */
export function localeOfLanguage(language: Language): Locale {
  return localeOf(codes.get(language) ?? 'is');
}

/**
 * Returns the first of `preferences` that is a supported language, case-insensitively; Icelandic if
 * none is. `NotSet` and unknown codes are skipped.
 */
export function chooseLanguage(...preferences: readonly (string | undefined)[]): Language {
  for (const preference of preferences) {
    const found = languages.find((code) => code.toLowerCase() === preference?.toLowerCase());
    if (found !== undefined) return found;
  }
  return 'Is';
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();
/** Maximum number of cached formats: companies choose the time zones. */
const FORMATS_MAX = 256;

/** Formats the day of a time in `language`, such as `1. febrúar 2025`. */
export function formatDay(atMs: number, language: Language, timeZone = usualTimeZone): string {
  const key = `${language} ${timeZone}`;
  let format = dayFormats.get(key);
  if (format === undefined) {
    if (dayFormats.size >= FORMATS_MAX) dayFormats.clear();
    format = new Intl.DateTimeFormat(localeOfLanguage(language).tag, {
      dateStyle: 'long',
      timeZone,
    });
    dayFormats.set(key, format);
  }
  return format.format(atMs);
}

/** A document and the reader's signee in it. */
export interface ReaderPlace {
  readonly process: SigningProcess;
  readonly signeeKey: SigneeKey;
}

/**
 * Whether a message is still appropriate when it is due: no one is asked to sign a cancelled or
 * signed document, and no message is sent about a process whose content was deleted. In a sequence,
 * one document that the reader can sign suffices.
 *
 * @param process the process whose change caused the message
 * @param places documents of the reader; empty for messages to the company
 */
export function isWanted(
  template: MessageTemplate,
  process: SigningProcess,
  places: readonly ReaderPlace[],
): boolean {
  if (process.purgedAtMs !== undefined) return false;
  switch (template) {
    case 'Confirmation':
    case 'Notification':
    case 'SalesPerson':
      return process.status === 'Completed';
    case 'Canceled':
      return process.status === 'Canceled';
    case 'OneTimeCode':
      return places.some((place) => place.process.key === process.key && isOpenTo(place));
    default:
      return places.some(isOpenTo);
  }
}

/** Whether the reader can sign this document now, or will be able to on their turn. */
export function isOpenTo({ process, signeeKey }: ReaderPlace): boolean {
  if (process.status !== 'Active' || process.phase !== 'Open') return false;
  const signee = process.signees.find(({ key }) => key === signeeKey);
  return signee !== undefined && signee.state !== 'Signed' && signee.state !== 'Declined';
}
