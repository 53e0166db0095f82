/** Coordination numbers have 60 added to the day. */
const COORDINATION = 60;

/** A well-formed personal or coordination number. */
export interface PersonalNumber {
  /** Twelve digits. */
  readonly digits: string;
  /** `YYYY-MM-DD`; absent for a coordination number without a valid date. */
  readonly birthDate?: string;
}

/**
 * Returns the number as the twelve digits of the protocol; undefined if it is malformed. For ten
 * digits, the latest possible date in the past is assumed; `+` instead of `-` means one a century
 * earlier. Check digits are not verified: the provider knows whom it has issued a BankID.
 *
 * @param nowMs epoch milliseconds
 */
export function findPersonalNumber(text: string, nowMs: number): PersonalNumber | undefined {
  const found = /^(\d{2})?(\d{6})([-+]?)(\d{4})$/.exec(text.trim());
  if (found === null) return undefined;
  const [, century, date = '', separator, serial = ''] = found;
  const digits = `${century ?? centuryOf(date, separator === '+', nowMs)}${date}${serial}`;
  const birthDate = birthDateOf(digits);
  return birthDate === undefined ? undefined : { digits, ...birthDate };
}

function centuryOf(date: string, isOlder: boolean, nowMs: number): string {
  const thisYear = new Date(nowMs).getUTCFullYear();
  const century = Math.floor(thisYear / 100);
  const [year, month, day] = partsOf(`${century}${date}`);
  const isFuture = Date.UTC(year, month - 1, day) > nowMs;
  return String(century - (isFuture ? 1 : 0) - (isOlder ? 1 : 0));
}

/** Empty for a coordination number without a valid date; undefined if the number is malformed. */
function birthDateOf(digits: string): { birthDate?: string } | undefined {
  const [year, month, day] = partsOf(digits);
  const isCoordination = Number(digits.slice(6, 8)) > COORDINATION;
  const date = new Date(Date.UTC(year, month - 1, day));
  const isDate = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1800;
  if (isDate) return { birthDate: date.toISOString().slice(0, 10) };
  return isCoordination ? {} : undefined;
}

function partsOf(digits: string): readonly [number, number, number] {
  const day = Number(digits.slice(6, 8));
  const real = day > COORDINATION ? day - COORDINATION : day;
  return [Number(digits.slice(0, 4)), Number(digits.slice(4, 6)), real];
}
