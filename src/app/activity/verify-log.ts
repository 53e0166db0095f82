import { CoreError } from '../../base/errors.ts';
import {
  type Activity,
  anchorDigest,
  anchorStart,
  type ChainFault,
  compareDay,
  type DailyRoot,
  type DayFault,
  dayOf,
  daySpan,
  type PersonalValue,
  verifyChain,
} from '../../domain/activity/index.ts';
import type { CompanyKey, ProcessKey } from '../../domain/keys.ts';
import type { StoreUnit } from '../ports/index.ts';
import type { ActivityPorts } from './ports.ts';

/** What the log is verified with: tokens of daily roots must lead to `timestamps.anchors`. */
export type VerifyPorts = Pick<ActivityPorts, 'store' | 'now' | 'timestamps'>;

/** Which part of the log is verified. */
export interface VerifyRequest {
  /** Only this process; daily roots are then left out, because they are over all of them. */
  readonly processKey?: ProcessKey;
  /** Only processes that were made, and days that ended, after this. */
  readonly sinceMs?: number;
}

/** A chain that does not hold, and from which row on. */
export interface ChainFinding {
  readonly processKey: ProcessKey;
  readonly seq: number;
  readonly fault: ChainFault;
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
const lateMs = 3 * 86_400_000;
const pageSize = 200;
/** One broken row is as bad as a thousand: a report names this many of each kind. */
const findingsMax = 100;

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
    const walk = new Walk();
    const head = (await walk.visit(unit, [key]))[0];
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
  const walk = new Walk();
  for (let skip = 0; ; skip += pageSize) {
    const filter = { companyKey, createdFromMs: sinceMs, skip, take: pageSize };
    const count = await ports.store.read(async (unit) => {
      const page = await unit.processes.list(filter);
      await walk.visit(
        unit,
        page.map(({ key }) => key),
      );
      return page.length;
    });
    if (count < pageSize) break;
  }
  const days = await verifyDays(ports, companyKey, sinceMs, walk.days);
  const chains = walk.result();
  return {
    ...chains,
    ...days,
    isIntact: chains.isIntact && days.dayFindings.length === 0,
  };
}

/** Goes from process to process and remembers what it met. */
class Walk {
  readonly days = new Map<string, number>();
  readonly #findings: ChainFinding[] = [];
  #processes = 0;
  #rows = 0;
  #broken = 0;

  /** The hash of the newest row of each chain that holds. */
  async visit(unit: StoreUnit, keys: readonly ProcessKey[]): Promise<readonly string[]> {
    const rows = await unit.activity.rowsOf(keys);
    const personal = await unit.activity.personalOf(keys);
    return keys.flatMap((key) => {
      const head = this.#judge(key, rows.get(key) ?? [], personal.get(key) ?? new Map());
      return head === undefined ? [] : [head];
    });
  }

  #judge(
    key: ProcessKey,
    rows: readonly Activity[],
    personal: ReadonlyMap<number, readonly PersonalValue[]>,
  ): string | undefined {
    const verdict = verifyChain(key, rows, personal);
    this.#processes += 1;
    this.#rows += rows.length;
    for (const row of rows) this.#count(row.createdAtMs);
    if (verdict.isIntact) return verdict.head;
    this.#broken += 1;
    const { seq, fault } = verdict;
    if (this.#findings.length < findingsMax) this.#findings.push({ processKey: key, seq, fault });
    return undefined;
  }

  result() {
    return {
      isIntact: this.#broken === 0,
      processes: this.#processes,
      rows: this.#rows,
      chainFindings: this.#findings,
    };
  }

  #count(atMs: number): void {
    // A row with an impossible time is a finding of its chain already.
    if (!(atMs >= 0 && atMs < 8.64e15)) return;
    const day = dayOf(atMs);
    this.days.set(day, (this.days.get(day) ?? 0) + 1);
  }
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
    const fault = compareDay(root, hashes) ?? (await tokenFault(ports, root, digest));
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

async function tokenFault(
  ports: VerifyPorts,
  { day, token }: DailyRoot,
  digest: string,
): Promise<DayFault | undefined> {
  if (token === undefined) {
    const isLate = daySpan(day).toMs + lateMs <= ports.now();
    // Without an authority nobody could have stamped it.
    return isLate && ports.timestamps !== undefined ? 'token.missing' : undefined;
  }
  const { verifyTimestampToken } = await import('../../trust/timestamp.ts');
  const { createCertificatePool } = await import('../../trust/pool.ts');
  const anchors = ports.timestamps?.anchors;
  const verdict = verifyTimestampToken({
    token,
    imprint: { digest: 'sha256', value: Buffer.from(digest, 'hex') },
    pool: createCertificatePool(),
    ...(anchors === undefined ? {} : { anchors }),
    nowMs: ports.now(),
  });
  return verdict.problem === undefined ? undefined : 'token.invalid';
}
