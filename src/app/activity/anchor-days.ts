import { CoreError, type ErrorCode, isCoreError } from '../../base/errors.ts';
import {
  type AnchoredRoot,
  anchorDigest,
  anchorStart,
  type DailyRoot,
  dayOf,
  daySpan,
  daysBetween,
  merkleRoot,
  nextDay,
  quietDaysMax,
  stampTimeFault,
} from '../../domain/activity/index.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import type { ActivityPorts } from './ports.ts';

/** What anchoring needs; without an authority the roots wait for one. */
export type AnchorPorts = Pick<ActivityPorts, 'store' | 'now' | 'random' | 'timestamps'>;

/** What {@link anchorDays} did. */
export interface AnchorReport {
  /** Days that got a root now. */
  readonly anchored: readonly string[];
  /** Days whose root got its time-stamp now. */
  readonly stamped: readonly string[];
  /** Of those the days that were over for too long: nobody vouches for them, now or later. */
  readonly late: readonly string[];
  /** Days whose root still waits for a time-stamp. */
  readonly waiting: readonly string[];
  /** Why the authority gave none. */
  readonly errorCode?: ErrorCode;
}

/** Transactions that are under way when a day ends are done by then. */
const graceMs = 60 * 60 * 1000;

/**
 * Puts a root over the rows of each day that is over, up to yesterday, and has the roots
 * time-stamped. Days without rows have no root, but for one in each week. Running it again adds
 * nothing; a time-stamp that could not be had is asked for again the next time. Days that were
 * over for long are anchored too, and stay in doubt: the time-stamp says how late it was.
 *
 * @throws company.not_found
 */
export async function anchorDays(
  ports: AnchorPorts,
  companyKey: CompanyKey,
): Promise<AnchorReport> {
  const nowMs = ports.now();
  const anchored: string[] = [];
  const begin = await firstOpenDay(ports, companyKey);
  let last = begin.last;
  for (let day = begin.day; isOver(day, nowMs); day = nextDay(day)) {
    const isQuietFor = daysBetween(last, day);
    if (!(await anchorDay(ports, companyKey, day, isQuietFor >= quietDaysMax))) continue;
    anchored.push(day);
    last = day;
  }
  return { anchored, ...(await stampRoots(ports, companyKey)) };
}

function isOver(day: string, nowMs: number): boolean {
  return daySpan(day).toMs + graceMs <= nowMs;
}

/** The first day that may get a root, and the one from which quiet days are counted. */
async function firstOpenDay(
  ports: AnchorPorts,
  companyKey: CompanyKey,
): Promise<{ readonly day: string; readonly last: string }> {
  return ports.store.read(async (unit) => {
    const company = await unit.companies.find(companyKey);
    if (company === undefined) {
      throw new CoreError('company.not_found', `there is no company ${companyKey}`);
    }
    const newest = (await sortedRoots(unit.activity.dailyRoots(companyKey))).at(-1)?.day;
    const from = dayOf(await unit.activity.rootsFromMs(companyKey));
    if (newest === undefined) return { day: dayOf(company.createdAtMs), last: from };
    // Days before count for nothing: earlier versions left out all that were quiet.
    return { day: nextDay(newest), last: [newest, from].sort()[1] ?? from };
  });
}

async function sortedRoots(found: Promise<readonly DailyRoot[]>): Promise<readonly DailyRoot[]> {
  return [...(await found)].sort((one, other) => (one.day < other.day ? -1 : 1));
}

async function anchorDay(
  ports: AnchorPorts,
  companyKey: CompanyKey,
  day: string,
  isWanted: boolean,
): Promise<boolean> {
  const { fromMs, toMs } = daySpan(day);
  const hashes = await ports.store.read((unit) =>
    unit.activity.hashesBetween(companyKey, fromMs, toMs),
  );
  if (hashes.length === 0 && !isWanted) return false;
  const root = {
    companyKey,
    day,
    version: 2,
    count: hashes.length,
    root: merkleRoot(hashes),
    createdAtMs: ports.now(),
  } as const;
  return ports.store.write(async (unit) => {
    // Another host may have been faster; its root stays.
    const roots = await sortedRoots(unit.activity.dailyRoots(companyKey));
    if (roots.some((each) => each.day >= day)) return false;
    return unit.activity.addDailyRoot({ ...root, digest: anchorDigest(digestOf(roots), root) });
  });
}

function digestOf(roots: readonly DailyRoot[]): string {
  return roots.reduce(anchorDigest, anchorStart);
}

async function stampRoots(
  ports: AnchorPorts,
  companyKey: CompanyKey,
): Promise<Omit<AnchorReport, 'anchored'>> {
  const roots = await ports.store.read((unit) => sortedRoots(unit.activity.dailyRoots(companyKey)));
  const stamped: string[] = [];
  const late: string[] = [];
  const waiting: string[] = [];
  let errorCode: ErrorCode | undefined;
  let digest = anchorStart;
  for (const root of roots) {
    digest = anchorDigest(digest, root);
    if (root.token !== undefined) continue;
    if (errorCode === undefined) errorCode = await stampRoot(ports, { ...root, digest });
    if (errorCode !== undefined) {
      waiting.push(root.day);
      continue;
    }
    stamped.push(root.day);
    if (stampTimeFault(root.day, ports.now()) === 'token.late') late.push(root.day);
  }
  return { stamped, late, waiting, ...(errorCode === undefined ? {} : { errorCode }) };
}

async function stampRoot(ports: AnchorPorts, root: AnchoredRoot): Promise<ErrorCode | undefined> {
  const { timestamps, now, random } = ports;
  if (timestamps?.authority === undefined) return 'tsa.missing';
  const { requestTimestamp } = await import('../../seal/timestamp-client.ts');
  const { createCertificatePool } = await import('../../trust/pool.ts');
  const { authority, anchors } = timestamps;
  const context = { authority, anchors, pool: createCertificatePool(), random, now };
  try {
    const imprint = Buffer.from(root.digest, 'hex');
    const { token } = await requestTimestamp(context, 'sha256', imprint);
    await ports.store.write((unit) => unit.activity.stampDailyRoot(root, token));
    return undefined;
  } catch (error) {
    const isAuthority = isCoreError(error) && /^(tsa|network)\./.test(error.code);
    if (!isAuthority) throw error;
    return error.code;
  }
}
