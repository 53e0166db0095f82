/** True for a day of the calendar, `YYYY-MM-DD`. */
export function isDay(text: string): boolean {
  const timeMs = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  // Date.parse takes 30 February for 2 March.
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString().startsWith(text);
}
