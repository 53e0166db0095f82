const day = '(-?[0-9]{4,6})-([0-9]{2})-([0-9]{2})';
const time = '([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.]([0-9]{1,20}))?';
const form = new RegExp(`^${day}T${time}(Z|[+-][0-9]{2}:[0-9]{2})?$`);

/**
 * An xsd:dateTime as milliseconds since 1970; UTC if it has no time zone. Undefined if it is
 * malformed, or there is no such day or time.
 *
 * @spec XML Schema Part 2 §3.2.7
 */
export function parseDateTimeMs(text: string): number | undefined {
  const parts = form.exec(text.trim());
  if (parts === null) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', zone = 'Z'] = parts;
  const millis = Number(fraction.padEnd(3, '0').slice(0, 3));
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  const isSameDay = date.getUTCDate() === Number(day) && date.getUTCMonth() + 1 === Number(month);
  // Hour 24 is only valid as midnight at the end of the day.
  const isMidnight = hour === '24' && /^0*$/.test(`${minute}${second}${fraction}`);
  const isHour = isMidnight || Number(hour) <= 23;
  const offsetMs = zoneMs(zone);
  if (!isSameDay || !isHour || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (offsetMs === undefined) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), millis);
  return date.getTime() - offsetMs;
}

/** Undefined for an invalid time zone: the maximum is 14 hours. */
function zoneMs(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  if (Number(zone.slice(4, 6)) > 59 || minutes > 14 * 60) return undefined;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
