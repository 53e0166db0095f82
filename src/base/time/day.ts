/** Start of the UTC day `YYYY-MM-DD`, epoch milliseconds. Undefined if malformed or nonexistent. */
export function findDayMs(text: string): number | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse reads 30 February as 2 March.
  const isKnown = !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
  return isKnown ? timeMs : undefined;
}

/** Whether this is an existing day, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return findDayMs(text) !== undefined;
}

/** The expected and the found text, for a text that is not a {@link isDay day}. */
export function dayFault(text: string): string {
  const expected = /^\d{4}-\d{2}-\d{2}$/.test(text) ? 'a calendar date' : 'YYYY-MM-DD';
  return `expected ${expected}, found "${text.slice(0, 40)}"`;
}

/** Whether this is an existing day, or the known part of one: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
export function isPartialDay(text: string): boolean {
  return isDay(text) || (/^\d{4}(-\d{2})?$/.test(text) && isDay(`${text}-01-01`.slice(0, 10)));
}

/** The expected and the found text, for a text that fails {@link isPartialDay}. */
export function partialDayFault(text: string): string {
  return dayFault(text).replace('YYYY-MM-DD', 'YYYY-MM-DD, YYYY-MM or YYYY');
}
