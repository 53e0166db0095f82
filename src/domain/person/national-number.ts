/** Countries whose national numbers are read. */
export type NumberCountry = 'IS' | 'SE' | 'DK';

/**
 * Why a text is no national number: its form, a century digit that nobody has, a date that does
 * not exist or lies ahead, a serial number that is not given, or a check digit that has to fit.
 */
export type NumberFault = 'format' | 'century' | 'date' | 'future' | 'serial' | 'checksum';

/**
 * What has a number: a person, an organisation, somebody without a number of the register
 * (`system`, `coordination`), or a number that stands in for another one for a time
 * (`replacement`).
 */
export type NumberKind = 'person' | 'organisation' | 'system' | 'coordination' | 'replacement';

/** A national number that was read. */
export interface NationalNumber {
  readonly country: NumberCountry;
  /** As registers and providers write it: ten digits, in Sweden twelve. */
  readonly digits: string;
  readonly kind: NumberKind;
  /** `YYYY-MM-DD`; of an organisation the day of its registration; absent: not in the number. */
  readonly date?: string;
  /** `mismatch` is a reason to ask again, and none to refuse; `none`: it has no such digit. */
  readonly checkDigit: 'match' | 'mismatch' | 'none';
}

/** `YYYY-MM-DD` of a day of the calendar, undefined for one that does not exist. */
export function calendarDay(year: number, month: number, day: number): string | undefined {
  const date = new Date(Date.UTC(2000, 0, 1));
  // Years below 100 stand for 19xx elsewhere.
  date.setUTCFullYear(year, month - 1, day);
  const isThere = day >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return isThere ? date.toISOString().slice(0, 10) : undefined;
}

/** Sum of digits, each times its weight. */
export function weightedSum(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * Number(digits[at] ?? 0), 0);
}
