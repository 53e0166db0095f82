import { findDayMs } from '../../base/time/day.ts';

/** Why a text is no national number: format, unassigned century digit, invalid or future date. */
export type NumberFault = 'format' | 'century' | 'date' | 'future';

/** A parsed national number. */
export interface NationalNumber {
  /** Ten digits, as registers and providers write it. */
  readonly digits: string;
  /** `system`: of a person without a number in the register. */
  readonly kind: 'person' | 'organisation' | 'system';
  /** `YYYY-MM-DD`; for organisations the day of registration. Absent: not encoded in the number. */
  readonly date?: string;
  /** `mismatch`: ask the user to check the number, but accept it. `none`: it has no check digit. */
  readonly checkDigit: 'match' | 'mismatch' | 'none';
}

const weights = [3, 2, 7, 6, 5, 4, 3, 2];
const centuries: Readonly<Record<string, string>> = { '8': '18', '9': '19', '0': '20' };

/**
 * Parses the Icelandic national number in `text`, `DDMMYY-NNCX`, or returns why it is not one.
 * Organisations have 40 added to the day. System numbers start with 8 or 9 and contain no date.
 * Numbers issued since 18 February 2026 have no check digit, so a mismatch is not a reason to
 * reject one.
 *
 * @param nowMs epoch milliseconds: a later date of birth is rejected
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
  // 11 − 1 is not a digit: such serial numbers were never issued.
  const fits = (rest === 0 ? 0 : 11 - rest) === Number(digits[8]);
  return {
    ...{ digits, date, checkDigit: fits ? 'match' : 'mismatch' },
    kind: isOrganisation ? 'organisation' : 'person',
  };
}

/**
 * Normalises an Icelandic mobile number in any notation to `+354` and seven digits. Undefined for
 * landlines, toll-free numbers, foreign numbers and anything else.
 */
export function icelandicMobile(text: string): string | undefined {
  const plain = text.trim().replace(/[\s().-]/g, '');
  const digits = /^(?:\+354|00354|354)?([678]\d{6})$/.exec(plain)?.[1];
  return digits === undefined || digits.startsWith('800') ? undefined : `+354${digits}`;
}
