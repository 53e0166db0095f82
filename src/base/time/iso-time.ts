import { isDay } from './day.ts';

/** A report states the time of verification for each signature, and for the document. */
let last = { timeMs: 0, text: new Date(0).toISOString() };

/** ISO 8601 in UTC, with milliseconds; the number itself where it is no time of the calendar. */
export function isoTime(timeMs: number): string {
  if (timeMs !== last.timeMs) {
    const date = new Date(timeMs);
    const text = Number.isNaN(date.getTime()) ? String(timeMs) : date.toISOString();
    last = { timeMs, text };
  }
  return last.text;
}

const datePart = /^(\d{4})-(\d{2})-(\d{2})/.source;
const clockPart = /(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?/.source;
// A plus that nobody has escaped in a query is a space.
const zonePart = /([Zz]|[+ -]\d{2}:?\d{2})?/.source;
const timePattern = new RegExp(`${datePart}(?:[Tt ]${clockPart}${zonePart})?$`);

/** Forms of {@link findTime}, for errors. */
export const timeForms = ['a date such as 2026-01-31', 'a time such as 2026-01-31T12:00:00Z'];

/**
 * Epoch milliseconds of an ISO 8601 date or time; without a zone it is UTC. Undefined for
 * anything else, also for days that no calendar has.
 */
export function findTime(text: string): number | undefined {
  const parts = timePattern.exec(text.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = ''] = parts;
  const zone = (parts[8] ?? 'Z').toUpperCase().replace(' ', '+');
  if (!isDay(`${year}-${month}-${day}`)) return undefined;
  const offset = zone === 'Z' || zone.includes(':') ? zone : `${zone.slice(0, 3)}:${zone.slice(3)}`;
  const millis = fraction.padEnd(3, '0').slice(0, 3);
  const atMs = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}.${millis}${offset}`);
  return Number.isNaN(atMs) ? undefined : atMs;
}
