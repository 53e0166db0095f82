const day = '(-?[0-9]{4,6})-([0-9]{2})-([0-9]{2})';
const time = '([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.]([0-9]{1,20}))?';
const form = new RegExp(`^${day}T${time}(Z|[+-][0-9]{2}:[0-9]{2})?$`);

/**
 * Milliseconds since 1970 of an xsd:dateTime; UTC when it names no zone. Undefined when it is
 * none, or no such day or time exists.
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
  // The hour 24 is the midnight after the day, and nothing later.
  const isMidnight = hour === '24' && /^0*$/.test(`${minute}${second}${fraction}`);
  const isHour = isMidnight || Number(hour) <= 23;
  const offsetMs = zoneMs(zone);
  if (!isSameDay || !isHour || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (offsetMs === undefined) return undefined;
  date.setUTCHours(Number(hour), Number(minute), Number(second), millis);
  return date.getTime() - offsetMs;
}

/** Undefined for a zone that is none: they end at 14 hours. */
function zoneMs(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  if (Number(zone.slice(4, 6)) > 59 || minutes > 14 * 60) return undefined;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}
