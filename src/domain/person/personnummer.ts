import { calendarDay, type NationalNumber, type NumberFault } from './national-number.ts';

const form = /^(\d{2})?(\d{2})(\d{2})(\d{2})([-+]?)(\d{3})(\d)$/;

/**
 * The Swedish personal or coordination number in `text`, with or without its century, or why it
 * is none. Ten digits mean the youngest person who can be alive; `+` one who is a hundred years
 * older. Coordination numbers have 60 added to the day. The check digit (Luhn) has to fit.
 *
 * @param nowMs epoch milliseconds: nobody is born later
 */
export function readPersonnummer(text: string, nowMs: number): NationalNumber | NumberFault {
  const found = form.exec(text.trim());
  if (found === null) return 'format';
  const [, century, yy = '', mm = '', dd = '', separator, serial = '', check] = found;
  const isCoordination = Number(dd) > 60;
  const day = isCoordination ? Number(dd) - 60 : Number(dd);
  const month = Number(mm);
  const year = century === undefined ? youngest() : Number(century + yy);
  const date = calendarDay(year, month, day);
  if (date === undefined) return 'date';
  if (Date.parse(date) > nowMs) return 'future';
  if (serial === '000') return 'serial';
  if (luhnDigit(`${yy}${mm}${dd}${serial}`) !== Number(check)) return 'checksum';
  return {
    ...{ country: 'SE', date, checkDigit: 'match' },
    digits: `${String(year).padStart(4, '0')}${mm}${dd}${serial}${check}`,
    kind: isCoordination ? 'coordination' : 'person',
  };

  function youngest(): number {
    const now = new Date(nowMs).getUTCFullYear();
    const sameCentury = now - (now % 100) + Number(yy);
    const isAhead = Date.UTC(sameCentury, month - 1, day) > nowMs;
    return sameCentury - (isAhead ? 100 : 0) - (separator === '+' ? 100 : 0);
  }
}

/** Every second digit doubled, and the digits of the products added. @spec ISO/IEC 7812-1 */
function luhnDigit(digits: string): number {
  const sum = [...digits].reduce((total, digit, at) => {
    const product = Number(digit) * (at % 2 === 0 ? 2 : 1);
    return total + (product > 9 ? product - 9 : product);
  }, 0);
  return (10 - (sum % 10)) % 10;
}
