import {
  calendarDay,
  type NationalNumber,
  type NumberFault,
  weightedSum,
} from './national-number.ts';

const weights = [3, 2, 7, 6, 5, 4, 3, 2];
const centuries: Readonly<Record<string, number>> = { '8': 1800, '9': 1900, '0': 2000 };

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
  const system = { country: 'IS', digits, kind: 'system', checkDigit: 'none' } as const;
  if (/^[89]/.test(digits)) return system;
  const century = centuries[digits.slice(9)];
  if (century === undefined) return 'century';
  const written = Number(digits.slice(0, 2));
  const isOrganisation = written > 40;
  const year = century + Number(digits.slice(4, 6));
  const day = isOrganisation ? written - 40 : written;
  const date = calendarDay(year, Number(digits.slice(2, 4)), day);
  if (date === undefined) return 'date';
  if (Date.parse(date) > nowMs) return 'future';
  const rest = weightedSum(digits, weights) % 11;
  // 11 − 1 is no digit: such serial numbers were never given.
  const fits = (rest === 0 ? 0 : 11 - rest) === Number(digits[8]);
  return {
    ...{ country: 'IS', digits, date, checkDigit: fits ? 'match' : 'mismatch' },
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
