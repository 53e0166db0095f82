import {
  calendarDay,
  type NationalNumber,
  type NumberFault,
  weightedSum,
} from './national-number.ts';

const weights = [4, 3, 2, 7, 6, 5, 4, 3, 2, 1];

/**
 * The Danish CPR number in `text`, `DDMMYY-SSSS`, or why it is none. The seventh digit says the
 * century. The sum modulo 11 has not been guaranteed since 1 October 2007, so one that does not
 * fit refuses nothing. Replacement numbers have 60 added to the day.
 */
export function readCpr(text: string): NationalNumber | NumberFault {
  const digits = /^\s*(\d{6})[- ]?(\d{4})\s*$/.exec(text)?.slice(1).join('');
  if (digits === undefined) return 'format';
  const written = Number(digits.slice(0, 2));
  const isReplacement = written > 60;
  const year = yearOf(Number(digits[6]), Number(digits.slice(4, 6)));
  const day = isReplacement ? written - 60 : written;
  const date = calendarDay(year, Number(digits.slice(2, 4)), day);
  if (date === undefined) return 'date';
  const fits = weightedSum(digits, weights) % 11 === 0;
  return {
    ...{ country: 'DK', digits, date, checkDigit: fits ? 'match' : 'mismatch' },
    kind: isReplacement ? 'replacement' : 'person',
  };
}

function yearOf(seventh: number, yy: number): number {
  if (seventh <= 3) return 1900 + yy;
  if (seventh === 4 || seventh === 9) return (yy <= 36 ? 2000 : 1900) + yy;
  return (yy <= 57 ? 2000 : 1800) + yy;
}
