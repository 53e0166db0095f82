import { findDayMs } from '../../base/time/day.ts';

/**
 * Why a text is no national number: its form, a century digit that nobody has, or a date that does
 * not exist or lies ahead.
 */
export type NumberFault = 'format' | 'century' | 'date' | 'future';

/** A national number that was read. */
export interface NationalNumber {
  /** Ten, as registers and providers write them. */
  readonly digits: string;
  /** `system`: of somebody without a number of the register. */
  readonly kind: 'person' | 'organisation' | 'system';
  /** `YYYY-MM-DD`; of an organisation the day of its registration; absent: not in the number. */
  readonly date?: string;
  /** `mismatch` is a reason to ask again, and none to refuse; `none`: it has no such digit. */
  readonly checkDigit: 'match' | 'mismatch' | 'none';
}

const weights = [3, 2, 7, 6, 5, 4, 3, 2];
const centuries: Readonly<Record<string, string>> = { '8': '18', '9': '19', '0': '20' };

/**
 * The Icelandic national number in `text`, `DDMMYY-NNCX`, or why it is none. Organisations have 40
 * added to the day, system numbers begin with 8 or 9 and hold no date. Numbers given since
 * 18 February 2026 carry no check digit, so one that does not fit refuses nothing.
 *
 * @param nowMs epoch milliseconds: nobody is born later
 */
export function readKennitala(text: string, nowMs: number): NationalNumber | NumberFault {
  const digits = /^\s*(\d{6})[- ]?(\d{4})\s*$/.exec(text)?.slice(1).join('');
  if (digits === undefined) return 'format';
  if (/^[89]/.test(digits)) return { digits, kind: 'system', checkDigit: 'none' };
  const century = centuries[digits.slice(9)];
  if (century === undefined) return 'century';
  const written = Number(digits.slice(0, 2));
  const isOrganisation = written > 40;
  const day = String(isOrganisation ? written - 40 : written).padStart(2, '0');
  const date = `${century}${digits.slice(4, 6)}-${digits.slice(2, 4)}-${day}`;
  const dateMs = findDayMs(date);
  if (dateMs === undefined) return 'date';
  if (dateMs > nowMs) return 'future';
  const rest = weights.reduce((sum, weight, at) => sum + weight * Number(digits[at]), 0) % 11;
  // 11 − 1 is no digit: such serial numbers were never given.
  const fits = (rest === 0 ? 0 : 11 - rest) === Number(digits[8]);
  return {
    ...{ digits, date, checkDigit: fits ? 'match' : 'mismatch' },
    kind: isOrganisation ? 'organisation' : 'person',
  };
}

/**
 * An Icelandic mobile number, `+354` and seven digits, however it is written; undefined for
 * landlines, free numbers, those of other countries and what is none.
 */
export function icelandicMobile(text: string): string | undefined {
  const plain = text.trim().replace(/[\s().-]/g, '');
  const digits = /^(?:\+354|00354|354)?([678]\d{6})$/.exec(plain)?.[1];
  return digits === undefined || digits.startsWith('800') ? undefined : `+354${digits}`;
}
