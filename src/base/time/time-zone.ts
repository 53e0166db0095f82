const nameForm = /^[A-Za-z][A-Za-z0-9_+/-]{0,59}$/;
const formats = new Map<string, Intl.DateTimeFormat>();
/** Number of cached formatters, whose zone names companies choose. */
const FORMATS_MAX = 64;

/** Default time zone. */
export const usualTimeZone = 'UTC';

/** Whether this is a name of the IANA time zone database, such as `Europe/Prague`. */
export function isTimeZone(name: string): boolean {
  if (!nameForm.test(name)) return false;
  try {
    formatOf(name);
    return true;
  } catch {
    return false;
  }
}

/**
 * Local time in `timeZone` with its offset: `2026-11-21 16:04:05 UTC+01:00`, or `… UTC` without an
 * offset.
 *
 * @throws RangeError if it is not a time zone: see {@link isTimeZone}
 */
export function zonedTime(atMs: number, timeZone: string): string {
  const found: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(atMs)) found[type] = value;
  const { year, month, day, hour, minute, second, timeZoneName = '' } = found;
  // Some versions of the zone data return `GMT+00:00`.
  const offset = timeZoneName.replace(/^GMT(?:\+00:00)?/, '').replace('\u2212', '-');
  return `${year}-${month}-${day} ${hour}:${minute}:${second} UTC${offset}`;
}

function formatOf(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone);
  if (format === undefined) {
    if (formats.size >= FORMATS_MAX) formats.clear();
    format = new Intl.DateTimeFormat('en-GB', {
      ...{ timeZone, hourCycle: 'h23', timeZoneName: 'longOffset' },
      ...{ year: 'numeric', month: '2-digit', day: '2-digit' },
      ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
    });
    formats.set(timeZone, format);
  }
  return format;
}
