import { CoreError, type ErrorCode, isCoreError } from '../../base/errors.ts';
import {
  anchorDigest,
  anchorStart,
  type DailyRoot,
  dayOf,
  daySpan,
  merkleRoot,
  nextDay,
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
  /** Days whose root still waits for a time-stamp. */
  readonly waiting: readonly string[];
  /** Why the authority gave none. */
  readonly errorCode?: ErrorCode;
}

/** Transactions that are under way when a day ends are done by then. */
const graceMs = 60 * 60 * 1000;

/**
 * Puts a root over the rows of each day that is over, up to yesterday, and has the roots
 * time-stamped. Days without rows have no root. Running it again adds nothing; a time-stamp that
 * could not be had is asked for again the next time.
 *
 * @throws company.not_found
 */
export async function anchorDays(
  ports: AnchorPorts,
  companyKey: CompanyKey,
): Promise<AnchorReport> {
  const nowMs = ports.now();
  const anchored: string[] = [];
  for (let day = await firstOpenDay(ports, companyKey); isOver(day, nowMs); day = nextDay(day)) {
    if (await anchorDay(ports, companyKey, day, nowMs)) anchored.push(day);
  }
  return { anchored, ...(await stampRoots(ports, companyKey)) };
}

function isOver(day: string, nowMs: number): boolean {
  return daySpan(day).toMs + graceMs <= nowMs;
}

async function firstOpenDay(ports: AnchorPorts, companyKey: CompanyKey): Promise<string> {
  return ports.store.read(async (unit) => {
    const company = await unit.companies.find(companyKey);
    if (company === undefined) {
      throw new CoreError('company.not_found', `there is no company ${companyKey}`);
    }
    const roots = await unit.activity.dailyRoots(companyKey);
    const last = roots
      .map(({ day }) => day)
      .sort()
      .at(-1);
    return last === undefined ? dayOf(company.createdAtMs) : nextDay(last);
  });
}

async function anchorDay(
  ports: AnchorPorts,
  companyKey: CompanyKey,
  day: string,
  createdAtMs: number,
): Promise<boolean> {
  const { fromMs, toMs } = daySpan(day);
  const hashes = await ports.store.read((unit) =>
    unit.activity.hashesBetween(companyKey, fromMs, toMs),
  );
  if (hashes.length === 0) return false;
  const root = { companyKey, day, count: hashes.length, root: merkleRoot(hashes), createdAtMs };
  return ports.store.write(async (unit) => {
    // Another host may have been faster; its root stays.
    const roots = await unit.activity.dailyRoots(companyKey);
    if (roots.some((each) => each.day === day)) return false;
    await unit.activity.putDailyRoot(root);
    return true;
  });
}

async function stampRoots(
  ports: AnchorPorts,
  companyKey: CompanyKey,
): Promise<Omit<AnchorReport, 'anchored'>> {
  const stored = await ports.store.read((unit) => unit.activity.dailyRoots(companyKey));
  const roots = [...stored].sort((one, other) => (one.day < other.day ? -1 : 1));
  const stamped: string[] = [];
  const waiting: string[] = [];
  let errorCode: ErrorCode | undefined;
  let previous = anchorStart;
  for (const root of roots) {
    previous = anchorDigest(previous, root);
    if (root.token !== undefined) continue;
    if (errorCode === undefined) errorCode = await stampRoot(ports, root, previous);
    (errorCode === undefined ? stamped : waiting).push(root.day);
  }
  return { stamped, waiting, ...(errorCode === undefined ? {} : { errorCode }) };
}

async function stampRoot(
  ports: AnchorPorts,
  root: DailyRoot,
  digest: string,
): Promise<ErrorCode | undefined> {
  const { timestamps, now, random } = ports;
  if (timestamps?.authority === undefined) return 'tsa.missing';
  const { requestTimestamp } = await import('../../seal/timestamp-client.ts');
  const { createCertificatePool } = await import('../../trust/pool.ts');
  const { authority, anchors } = timestamps;
  const context = { authority, anchors, pool: createCertificatePool(), random, now };
  try {
    const { token } = await requestTimestamp(context, 'sha256', Buffer.from(digest, 'hex'));
    await ports.store.write((unit) => unit.activity.putDailyRoot({ ...root, token }));
    return undefined;
  } catch (error) {
    const isAuthority = isCoreError(error) && /^(tsa|network)\./.test(error.code);
    if (!isAuthority) throw error;
    return error.code;
  }
}
