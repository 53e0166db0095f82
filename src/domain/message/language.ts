import { usualTimeZone } from '../../base/time/time-zone.ts';
import { type Locale, type LocaleCode, localeOf, locales } from '../../base/words/index.ts';
import type { SigneeKey } from '../keys.ts';
import type { MessageTemplate, SigningProcess } from '../process/index.ts';

/** A short code of a language that people are written to in: `Is`, `En`. */
export type Language = Capitalize<LocaleCode>;

const codes = new Map(locales.map((code) => [shortCode(code), code]));

/** All short codes. */
export const languages: readonly Language[] = [...codes.keys()];

function shortCode(code: LocaleCode): Language {
  return `${code.slice(0, 1).toUpperCase()}${code.slice(1)}` as Language;
}

/** The words and the BCP 47 tag of a language. */
export function localeOfLanguage(language: Language): Locale {
  return localeOf(codes.get(language) ?? 'is');
}

/**
 * The first of `preferences` that is a known language, in any letter case; Icelandic when none is.
 * `NotSet` and unknown codes are passed over.
 */
export function chooseLanguage(...preferences: readonly (string | undefined)[]): Language {
  for (const preference of preferences) {
    const found = languages.find((code) => code.toLowerCase() === preference?.toLowerCase());
    if (found !== undefined) return found;
  }
  return 'Is';
}

const dayFormats = new Map<string, Intl.DateTimeFormat>();
/** Formats that are kept: companies choose the zones. */
const FORMATS_MAX = 256;

/** The day of a time in the words of `language`, such as `1. febrúar 2025`. */
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

/** The place of the reader in one document. */
export interface ReaderPlace {
  readonly process: SigningProcess;
  readonly signeeKey: SigneeKey;
}

/**
 * True if a message is still correct when it is due: nobody is asked to sign a cancelled or signed
 * document, and no message is sent about a process whose content is gone. In a sequence one
 * document that waits for the reader is enough.
 *
 * @param process whose change made the message
 * @param places of the reader; none for messages to the company
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

/** True when the reader can sign this document, or will be able to when it is their turn. */
export function isOpenTo({ process, signeeKey }: ReaderPlace): boolean {
  if (process.status !== 'Active' || process.phase !== 'Open') return false;
  const signee = process.signees.find(({ key }) => key === signeeKey);
  return signee !== undefined && signee.state !== 'Signed' && signee.state !== 'Declined';
}
