import { isDay } from './day.ts';

/** Cached: a report repeats the time of verification for each signature and the document. */
let last = { timeMs: 0, text: new Date(0).toISOString() };

/** ISO 8601 in UTC, with milliseconds. The number itself if it is not a valid time. */
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
// An unescaped plus in a query is read as a space.
const zonePart = /([Zz]|[+ -]\d{2}:?\d{2})?/.source;
const timePattern = new RegExp(`${datePart}(?:[Tt ]${clockPart}${zonePart})?$`);

/** Formats that {@link findTime} accepts, for errors. */
export const timeForms = ['a date such as 2026-01-31', 'a time such as 2026-01-31T12:00:00Z'];

/**
 * Epoch milliseconds of an ISO 8601 date or time, in UTC if it has no zone. Undefined for anything
 * else, including days that do not exist.
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
