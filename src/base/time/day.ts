/**
 * Epoch milliseconds of the first moment of a day, `YYYY-MM-DD`, UTC; undefined for anything else,
 * also for days that no calendar has.
 */
export function findDayMs(text: string): number | undefined {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  const isKnown = !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
  return isKnown ? timeMs : undefined;
}

/** True for a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  return findDayMs(text) !== undefined;
}

/** What was expected of a text that is no {@link isDay day}, and what was found. */
export function dayFault(text: string): string {
  const expected = /^\d{4}-\d{2}-\d{2}$/.test(text) ? 'a calendar date' : 'YYYY-MM-DD';
  return `expected ${expected}, found "${text.slice(0, 40)}"`;
}

/** True for a day of the calendar, or what is known of it: `YYYY-MM-DD`, `YYYY-MM` or `YYYY`. */
export function isPartialDay(text: string): boolean {
  return isDay(text) || (/^\d{4}(-\d{2})?$/.test(text) && isDay(`${text}-01-01`.slice(0, 10)));
}

/** What was expected of a text that is no {@link isPartialDay}, and what was found. */
export function partialDayFault(text: string): string {
  return dayFault(text).replace('YYYY-MM-DD', 'YYYY-MM-DD, YYYY-MM or YYYY');
}
