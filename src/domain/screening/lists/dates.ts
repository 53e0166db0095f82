import type { ListedDate } from '../listed-person.ts';

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const TEXT_MAX = 100;

/**
 * Parses a date as written in lists: `1962`, `1962-03-04`, `04/03/1962` (day first), `00/03/1962`,
 * `4 Mar 1962`, `Mar 1962`, each optionally preceded by `circa`, and ranges of years or dates.
 * Undefined if it is not a date.
 */
export function parseListedDate(text: string): ListedDate | undefined {
  // Longer texts are not dates, and matching them could take long.
  if (text.trim().length > TEXT_MAX) return undefined;
  const bare = text.trim().replace(/^(?:circa|c\.|ca\.?|approximately|approx\.?|about)\s*/i, '');
  const isApproximate = bare.length < text.trim().length;
  const range = /^(.+?)\s*(?:\bto\b|\u2013|\u2014|(?<=\d{4})\s*-\s*(?=\d{4}$))\s*(.+)$/i.exec(bare);
  const approximate = isApproximate ? ({ isApproximate: true } as const) : {};
  if (range !== null) {
    const [from, to] = [parseOne(range[1] ?? ''), parseOne(range[2] ?? '')];
    if (from !== undefined && to !== undefined) return { from, to, ...approximate };
  }
  const from = parseOne(bare);
  return from === undefined ? undefined : { from, ...approximate };
}

function parseOne(text: string): string | undefined {
  const found = text.trim();
  const iso = /^(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?(?:T.*)?$/.exec(found);
  if (iso !== null) return dateOf(iso[1], iso[2], iso[3]);
  const numbers = /^(\d{1,2}|dd)[/.](\d{1,2}|mm)[/.](\d{4})$/i.exec(found);
  if (numbers !== null) return dateOf(numbers[3], numbers[2], numbers[1]);
  const words = /^(?:(\d{1,2})[\s-]+)?([A-Za-z]{3,9})\.?,?[\s-]+(\d{4})$/.exec(found);
  if (words === null) return undefined;
  const month = months.indexOf((words[2] ?? '').slice(0, 3).toLowerCase()) + 1;
  return month === 0 ? undefined : dateOf(words[3], String(month), words[1]);
}

/** Zeros and letters mean an unknown part. */
function dateOf(year = '', month = '', day = ''): string | undefined {
  if (Number(year) < 1000) return undefined;
  const isMonth = Number(month) >= 1 && Number(month) <= 12;
  if (!isMonth) return year;
  const isDay = Number(day) >= 1 && Number(day) <= 31;
  const start = `${year}-${month.padStart(2, '0')}`;
  return isDay ? `${start}-${day.padStart(2, '0')}` : start;
}
