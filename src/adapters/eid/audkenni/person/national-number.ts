const digitsOnly = /^(?:PNOIS-|IS)?(\d{6})-?(\d{4})$/;

/**
 * Ten digits of an Icelandic national number, with or without hyphen, or as a certificate writes it
 * (`PNOIS-…`); undefined for anything else. A check digit is not looked at: numbers of 2026 and
 * later have none.
 *
 * @spec ETSI EN 319 412-1 §5.1.3
 */
export function nationalNumber(text: string): string | undefined {
  const found = digitsOnly.exec(text.trim());
  return found === null ? undefined : `${found[1]}${found[2]}`;
}

const centuries: Readonly<Record<string, number>> = { 8: 1800, 9: 1900, 0: 2000 };

/** `YYYY-MM-DD` of the person with that number of ten digits; undefined where it has no date. */
export function birthDateOf(number: string): string | undefined {
  const century = centuries[number.slice(9)];
  const day = number.slice(0, 2);
  const month = number.slice(2, 4);
  if (century === undefined) return undefined;
  const year = century + Number(number.slice(4, 6));
  const text = `${year}-${month}-${day}`;
  const time = new Date(`${text}T00:00:00Z`);
  const isDate = !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
  return isDate ? text : undefined;
}
