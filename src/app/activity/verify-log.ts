import { CoreError } from '../../base/errors.ts';
import {
  anchorDigest,
  anchorStart,
  compareDay,
  type DailyRoot,
  type DayFault,
  daySpan,
} from '../../domain/activity/index.ts';
import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';
import type { SigningProcess } from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { type ChainFinding, type ChainWalk, findingsMax, newChainWalk } from './chain-walk.ts';
import type { ActivityPorts } from './ports.ts';
import { tokenFault } from './token-fault.ts';

/** What the log is verified with: tokens of daily roots must lead to `timestamps.anchors`. */
export type VerifyPorts = Pick<ActivityPorts, 'store' | 'now' | 'timestamps'>;

/** Which part of the log is verified. */
export interface VerifyRequest {
  /** Only this process; daily roots are then left out, because they are over all of them. */
  readonly processKey?: ProcessKey;
  /** Only processes that were made, and days that ended, after this. */
  readonly sinceMs?: number;
}

/** A day whose rows are not those that were anchored. */
export interface DayFinding {
  readonly day: string;
  readonly fault: DayFault;
  /** Rows that were anchored, and that are there. */
  readonly expectedCount: number;
  readonly foundCount: number;
}

/** The judgement on a log; a negative answer is a value. */
export interface ActivityVerification {
  readonly isIntact: boolean;
  readonly processes: number;
  readonly rows: number;
  readonly days: number;
  /** Days whose root has a time-stamp. */
  readonly stampedDays: number;
  /** The last day that is anchored: the end of later chains cannot be vouched for. */
  readonly anchoredUntil?: string;
  /** Of a single process: the hash of its newest row. */
  readonly head?: string;
  readonly chainFindings: readonly ChainFinding[];
  readonly dayFindings: readonly DayFinding[];
}

/** Time after the end of a day in which its root may still be missing, or its time-stamp. */
export const lateMs = 3 * 86_400_000;
const pageSize = 200;

/**
 * Verifies the chains of the company, or of one process, and the daily roots.
 *
 * @throws process.not_found
 */
export async function verifyActivity(
  ports: VerifyPorts,
  companyKey: CompanyKey,
  request: VerifyRequest = {},
): Promise<ActivityVerification> {
  return request.processKey === undefined
    ? verifyCompany(ports, companyKey, request.sinceMs ?? 0)
    : verifyProcess(ports, companyKey, request.processKey);
}

async function verifyProcess(
  ports: VerifyPorts,
  companyKey: CompanyKey,
  key: ProcessKey,
): Promise<ActivityVerification> {
  return ports.store.read(async (unit) => {
    const process = await unit.processes.find(key);
    if (process?.companyKey !== companyKey) {
      throw new CoreError('process.not_found', `there is no process ${key}`);
    }
    const walk = newChainWalk();
    const head = (await visit(walk, unit, [process]))[0];
    return {
      ...walk.result(),
      ...(head === undefined ? {} : { head }),
      days: 0,
      stampedDays: 0,
      dayFindings: [],
    };
  });
}

async function verifyCompany(
  ports: VerifyPorts,
  companyKey: CompanyKey,
  sinceMs: number,
): Promise<ActivityVerification> {
  const walk = newChainWalk();
  for (let skip = 0; ; skip += pageSize) {
    const filter = { companyKey, createdFromMs: sinceMs, skip, take: pageSize };
    const count = await ports.store.read(async (unit) => {
      const page = await unit.processes.list(filter);
      await visit(walk, unit, page);
      return page.length;
    });
    if (count < pageSize) break;
  }
  if (sinceMs === 0) {
    const orphans = await ports.store.read((unit) =>
      unit.activity.orphans(companyKey, findingsMax),
    );
    for (const processKey of orphans) walk.report({ processKey, seq: 1, fault: 'log.orphaned' });
  }
  const days = await verifyDays(ports, companyKey, sinceMs, walk.days());
  const chains = walk.result();
  return {
    ...chains,
    ...days,
    isIntact: chains.isIntact && days.dayFindings.length === 0,
  };
}

/** The hash of the newest row of each chain that holds. */
async function visit(
  walk: ChainWalk,
  unit: StoreUnit,
  processes: readonly SigningProcess[],
): Promise<readonly string[]> {
  const keys = processes.map(({ key }) => key);
  const rows = await unit.activity.rowsOf(keys);
  const personal = await unit.activity.personalOf(keys);
  return processes.flatMap(({ key, status }) => {
    const values = personal.get(key) ?? new Map();
    return walk.judge(key, rows.get(key) ?? [], values, status) ?? [];
  });
}

async function verifyDays(
  ports: VerifyPorts,
  companyKey: CompanyKey,
  sinceMs: number,
  walkedDays: ReadonlyMap<string, number>,
) {
  const stored = await ports.store.read((unit) => unit.activity.dailyRoots(companyKey));
  const roots = [...stored].sort((one, other) => (one.day < other.day ? -1 : 1));
  const dayFindings: DayFinding[] = [];
  let previous = anchorStart;
  let days = 0;
  let stampedDays = 0;
  for (const root of roots) {
    const digest = anchorDigest(previous, root);
    previous = digest;
    const { fromMs, toMs } = daySpan(root.day);
    if (toMs <= sinceMs) continue;
    const hashes = await ports.store.read((unit) =>
      unit.activity.hashesBetween(companyKey, fromMs, toMs),
    );
    const fault = compareDay(root, hashes) ?? (await stampFault(ports, root, digest));
    days += 1;
    if (root.token !== undefined) stampedDays += 1;
    if (fault !== undefined) {
      const { day, count } = root;
      dayFindings.push({ day, fault, expectedCount: count, foundCount: hashes.length });
    }
  }
  const last = roots.at(-1)?.day;
  const anchored = new Set(roots.map(({ day }) => day));
  const nowMs = ports.now();
  for (const [day, foundCount] of walkedDays) {
    const { toMs } = daySpan(day);
    // A worker that stood still for a while is late; after that somebody has removed a root.
    const isDue = toMs + lateMs <= nowMs || (last !== undefined && day < last);
    if (!isDue || anchored.has(day) || toMs <= sinceMs) continue;
    dayFindings.push({ day, fault: 'root.missing', expectedCount: 0, foundCount });
  }
  return {
    days,
    stampedDays,
    ...(last === undefined ? {} : { anchoredUntil: last }),
    dayFindings: dayFindings.slice(0, findingsMax),
  };
}

async function stampFault(
  { timestamps, now }: VerifyPorts,
  { day, token }: DailyRoot,
  digest: string,
): Promise<DayFault | undefined> {
  if (token !== undefined) return tokenFault(token, digest, timestamps?.anchors, now());
  const isLate = daySpan(day).toMs + lateMs <= now();
  // Without an authority nobody could have stamped it.
  return isLate && timestamps !== undefined ? 'token.missing' : undefined;
}
