import {
  anchorDigest,
  anchorGraceMs,
  anchorStart,
  compareDay,
  type DailyRoot,
  type DayFault,
  dayOf,
  daySpan,
  daysBetween,
  isInconclusive,
  nextDay,
  quietDaysMax,
} from '../../../domain/activity/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import { readRoots, tokenFault } from '../anchor/stored-roots.ts';
import type { ActivityPorts } from '../ports.ts';
import { findingsMax } from './chain-walk.ts';

/** A day whose rows differ from those that were anchored, or that was anchored too late. */
export interface DayFinding {
  readonly day: string;
  readonly fault: DayFault;
  /** Number of rows that were anchored; `foundCount` is the number that exist. */
  readonly expectedCount: number;
  readonly foundCount: number;
}

/** Verification result of the daily roots of a log. */
export interface DaysVerification {
  readonly days: number;
  /** Days whose root has a time-stamp. */
  readonly stampedDays: number;
  /** The last anchored day: the end of later chains cannot be vouched for. */
  readonly anchoredUntil?: string;
  /** Imprint of the time-stamp of that day, hexadecimal. It covers all earlier roots. */
  readonly rootDigest?: string;
  readonly dayFindings: readonly DayFinding[];
}

/** Maximum number of days in doubt that are named for each gap. */
const GAP_NAMES_MAX = 10;

/**
 * Verifies the roots of a company against its rows and their time-stamps against their days, and
 * finds days without a root.
 *
 * @param walkedDays number of rows of each day in the chains
 * @param claimed digests of days according to evidence: more than one per day contradict each other
 * @param only `walked`: ignore all other days
 */
export async function verifyDays(
  ports: Pick<ActivityPorts, 'store' | 'now' | 'timestamps'>,
  companyKey: CompanyKey,
  sinceMs: number,
  walkedDays: ReadonlyMap<string, number>,
  claimed: ReadonlyMap<string, ReadonlySet<string>>,
  only?: 'walked',
): Promise<DaysVerification> {
  const nowMs = ports.now();
  const { roots, strange, fromMs } = await ports.store.read(async (unit) => ({
    ...(await readRoots(unit, companyKey, nowMs)),
    fromMs: await unit.activity.rootsFromMs(companyKey),
  }));
  const isMeant = (day: string) => only === undefined || walkedDays.has(day);
  const findings: DayFinding[] = strange.map(({ day, fault }) => {
    return { day, fault, expectedCount: 0, foundCount: walkedDays.get(day) ?? 0 };
  });
  let digest = anchorStart;
  let days = 0;
  let stampedDays = 0;
  for (const root of roots) {
    digest = anchorDigest(digest, root);
    const span = daySpan(root.day);
    if (span.toMs <= sinceMs || !isMeant(root.day)) continue;
    const hashes = await ports.store.read((unit) =>
      unit.activity.hashesBetween(companyKey, span.fromMs, span.toMs),
    );
    const isOther = [...(claimed.get(root.day) ?? [])].some((each) => each !== digest);
    const other = isOther ? 'root.changed' : undefined;
    const fault = compareDay(root, hashes) ?? other ?? (await stampFault(ports, root, digest));
    days += 1;
    if (root.token !== undefined) stampedDays += 1;
    if (fault === undefined) continue;
    const { day, count } = root;
    findings.push({ day, fault, expectedCount: count, foundCount: hashes.length });
  }
  const anchored = new Set(roots.map(({ day }) => day));
  for (const day of claimed.keys()) {
    if (anchored.has(day)) continue;
    const foundCount = walkedDays.get(day) ?? 0;
    findings.push({ day, fault: 'root.changed', expectedCount: 0, foundCount });
  }
  const last = roots.at(-1)?.day;
  const missing = missingDays(roots, fromMs, nowMs, walkedDays);
  for (const day of missing) {
    if (daySpan(day).toMs <= sinceMs || claimed.has(day) || !isMeant(day)) continue;
    const foundCount = walkedDays.get(day) ?? 0;
    findings.push({ day, fault: 'root.missing', expectedCount: 0, foundCount });
  }
  return {
    days,
    stampedDays,
    ...(last === undefined ? {} : { anchoredUntil: last, rootDigest: digest }),
    dayFindings: worstFirst(findings).slice(0, findingsMax),
  };
}

/** Sorts changes before doubts, so that a truncated list retains them; then by day. */
export function worstFirst(findings: readonly DayFinding[]): readonly DayFinding[] {
  const rank = ({ fault }: DayFinding) => (isInconclusive(fault) ? 1 : 0);
  return [...findings].sort((a, b) => rank(a) - rank(b) || (a.day < b.day ? -1 : 1));
}

async function stampFault(
  { timestamps, now }: Pick<ActivityPorts, 'now' | 'timestamps'>,
  { day, token }: DailyRoot,
  digest: string,
): Promise<DayFault | undefined> {
  if (token === undefined) {
    return daySpan(day).toMs + anchorGraceMs <= now() ? 'token.missing' : undefined;
  }
  const anchors = timestamps === undefined ? {} : { anchors: timestamps.anchors };
  return tokenFault({ day, token, digest, nowMs: now(), ...anchors });
}

/**
 * Days that lack a required root: those with rows that ended long ago or precede a later root, and
 * one per week of a quiet company.
 *
 * @param fromMs start of the time for which the company has roots without gaps
 */
function missingDays(
  roots: readonly DailyRoot[],
  fromMs: number,
  nowMs: number,
  walkedDays: ReadonlyMap<string, number>,
): ReadonlySet<string> {
  const anchored = new Set(roots.map(({ day }) => day));
  const last = roots.at(-1)?.day ?? '';
  const missing = new Set<string>();
  for (const day of walkedDays.keys()) {
    const isDue = daySpan(day).toMs + anchorGraceMs <= nowMs || day < last;
    if (isDue && !anchored.has(day)) missing.add(day);
  }
  // Yesterday's root may not be due yet.
  const dueUntil = dayOf(Math.max(0, nowMs - anchorGraceMs - 1));
  const dense = roots.filter(({ version }) => version === 2).map(({ day }) => day);
  // Roots cannot predate the company: changing that time hides none.
  const sinceMs = fromMs > 0 && fromMs < nowMs ? fromMs : nowMs;
  const first = dayOf(sinceMs);
  const isFresh = roots[0] === undefined || roots[0].day >= first;
  const marks = [...(isFresh ? [first] : []), ...dense, dueUntil];
  for (const [at, mark] of marks.entries()) {
    const next = marks[at + 1];
    if (next === undefined || daysBetween(mark, next) <= quietDaysMax) continue;
    let day = nextDay(mark);
    for (let named = 0; named < GAP_NAMES_MAX && day < next; named++, day = nextDay(day)) {
      if (!anchored.has(day)) missing.add(day);
    }
  }
  return missing;
}
