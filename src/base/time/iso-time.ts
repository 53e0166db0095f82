/** ISO 8601 in UTC, with milliseconds; the number itself where it is no time of the calendar. */
export function isoTime(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
}
