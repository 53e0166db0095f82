import {
  anchorDigest,
  anchorStart,
  type DailyRoot,
  type DayFault,
  dayOf,
  isDay,
} from '../../../domain/activity/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import type { StoreUnit } from '../../ports/index.ts';

/** The roots of a company, as they count. */
export interface StoredRoots {
  /** In the order of their days. */
  readonly roots: readonly DailyRoot[];
  /** Those that count for nothing, and why. */
  readonly strange: readonly { readonly day: string; readonly fault: DayFault }[];
}

/**
 * Reads the roots of a company. One that is no root, or is for a day that has not ended, was
 * written by somebody else or under a wrong clock: the others are checked and continued without it.
 */
export async function readRoots(
  { activity }: Pick<StoreUnit, 'activity'>,
  companyKey: CompanyKey,
  nowMs: number,
  tokens?: 'none',
): Promise<StoredRoots> {
  const today = dayOf(nowMs);
  const roots: DailyRoot[] = [];
  const strange: { readonly day: string; readonly fault: DayFault }[] = [];
  for (const root of await activity.dailyRoots(companyKey, tokens)) {
    const day = String(root.day);
    if (!isSound(root)) strange.push({ day: day.slice(0, 40), fault: 'root.malformed' });
    else if (day >= today) strange.push({ day, fault: 'root.early' });
    else roots.push(root);
  }
  return { roots: roots.sort((one, other) => (one.day < other.day ? -1 : 1)), strange };
}

function isSound({ day, count, root }: DailyRoot): boolean {
  const isCount = Number.isSafeInteger(count) && count >= 0;
  return isDay(day) && isCount && typeof root === 'string' && /^[0-9a-f]{64}$/.test(root);
}

/** What the time-stamp of the last of `roots` is over, hexadecimal. */
export function digestOfRoots(roots: readonly DailyRoot[]): string {
  return roots.reduce(anchorDigest, anchorStart);
}

/** The newest root of a company with its digest, which binds all before; for evidence. */
export async function newestRoot(
  unit: Pick<StoreUnit, 'activity'>,
  companyKey: CompanyKey,
  nowMs: number,
): Promise<{ readonly day: string; readonly digest: string } | undefined> {
  const { roots } = await readRoots(unit, companyKey, nowMs, 'none');
  const day = roots.at(-1)?.day;
  return day === undefined ? undefined : { day, digest: digestOfRoots(roots) };
}
