/**
 * Formats a time in UTC by a pattern of `YYYY MM M DD D hh mm ss` with the separators and order of
 * a language. Intl is not used, because the locale data of runtimes differs between versions.
 */
export function fillTimePattern(pattern: string, atMs: number): string {
  const time = new Date(atMs);
  const two = (value: number): string => String(value).padStart(2, '0');
  const parts: Readonly<Record<string, string>> = {
    YYYY: String(time.getUTCFullYear()).padStart(4, '0'),
    MM: two(time.getUTCMonth() + 1),
    M: String(time.getUTCMonth() + 1),
    DD: two(time.getUTCDate()),
    D: String(time.getUTCDate()),
    hh: two(time.getUTCHours()),
    mm: two(time.getUTCMinutes()),
    ss: two(time.getUTCSeconds()),
  };
  return pattern.replace(/YYYY|MM?|DD?|hh|mm|ss/g, (part) => parts[part] as string);
}
