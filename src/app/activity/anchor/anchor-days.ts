import { defined } from '../../../base/defined.ts';
import { type ErrorCode, isInnsigliError } from '../../../base/errors.ts';
import {
  anchorDigest,
  anchorStart,
  type DailyRoot,
  dayOf,
  daySpan,
  merkleRoot,
  quietDaysMax,
  stampTimeFault,
} from '../../../domain/activity/index.ts';
import { asKey, type CompanyKey } from '../../../domain/keys.ts';
import type { JobDraft } from '../../../domain/process/index.ts';
import { useCase } from '../../operation.ts';
import type { Job, JobFailure, StoreUnit } from '../../ports/index.ts';
import { requireCompany } from '../../required.ts';
import type { ActivityPorts } from '../ports.ts';
import { readRoots } from './stored-roots.ts';

/** Dependencies of anchoring; without an authority the roots wait for one. */
export type AnchorPorts = Pick<ActivityPorts, 'store' | 'now' | 'random' | 'timestamps'>;

/** Result of {@link anchorDays}. */
export interface AnchorReport {
  /** Days that got a root now. */
  readonly anchored: readonly string[];
  /** Days whose root got its time-stamp now. */
  readonly stamped: readonly string[];
  /** Days among them that were stamped too late: their roots prove nothing, now or later. */
  readonly late: readonly string[];
  /** Days whose root still waits for a time-stamp. */
  readonly waiting: readonly string[];
  /** Error code of the authority if it returned no time-stamp. */
  readonly errorCode?: ErrorCode;
}

/** Transactions that are under way when a day ends are done by then. */
const graceMs = 60 * 60 * 1000;
const DAY_MS = 86_400_000;
/** No log is older: 2000-01-01. */
const earliestMs = 946_684_800_000;

/**
 * Puts a root over the rows of each day that is over, up to yesterday, and has the roots
 * time-stamped. Days without rows have no root, but for one in each week. Running it again adds
 * nothing; a time-stamp that could not be had is asked for again the next time. Days that were
 * over for long are anchored too, and stay in doubt: the time-stamp says how late it was.
 */
export const anchorDays = useCase(
  ['company.not_found'],
  async (ports: AnchorPorts, companyKey): Promise<AnchorReport> => {
    const nowMs = ports.now();
    const anchored: string[] = [];
    for (;;) {
      const day = await anchorNext(ports, companyKey, nowMs);
      if (day === undefined) break;
      anchored.push(day);
    }
    return { anchored, ...(await stampRoots(ports, companyKey)) };
  },
);

/** Puts a root over the next day that needs one and is over; undefined when there is none. */
async function anchorNext(
  ports: AnchorPorts,
  companyKey: CompanyKey,
  nowMs: number,
): Promise<string | undefined> {
  return ports.store.write(async (unit) => {
    // Others who do the same wait here, and then see what is there.
    await unit.companies.lock(companyKey);
    const { roots } = await readRoots(unit, companyKey, nowMs, 'none');
    const day = await nextDayOf(unit, companyKey, roots, nowMs);
    if (day === undefined) return undefined;
    const { fromMs, toMs } = daySpan(day);
    if (toMs + graceMs > nowMs) return undefined;
    const hashes = await unit.activity.hashesBetween(companyKey, fromMs, toMs);
    const count = hashes.length;
    const root = { companyKey, day, version: 2, count, root: merkleRoot(hashes) } as const;
    const isNew = await unit.activity.addDailyRoot({ ...root, createdAtMs: nowMs });
    // A row that is no root stands in its place.
    return isNew ? day : undefined;
  });
}

/** The next day with rows after the last root, or the one with which a quiet week ends. */
async function nextDayOf(
  unit: StoreUnit,
  companyKey: CompanyKey,
  roots: readonly DailyRoot[],
  nowMs: number,
): Promise<string | undefined> {
  await requireCompany(unit, companyKey);
  const { activity } = unit;
  const newest = roots.at(-1)?.day;
  const fromMs = newest === undefined ? 0 : daySpan(newest).toMs;
  const rowMs = await activity.nextRowMs(companyKey, fromMs);
  const rowDay = rowMs !== undefined && rowMs < nowMs ? dayOf(rowMs) : undefined;
  const since = dayOf(inTime(await activity.rootsFromMs(companyKey), nowMs));
  const last = newest !== undefined && newest > since ? newest : since;
  const quietDay = dayOf(daySpan(last).fromMs + quietDaysMax * DAY_MS);
  return rowDay !== undefined && rowDay < quietDay ? rowDay : quietDay;
}

/**
 * A time that is possible in a log of today; a value in a manipulated database may be any number.
 */
function inTime(atMs: number, nowMs: number): number {
  return atMs > earliestMs && atMs < nowMs ? atMs : nowMs;
}

async function stampRoots(
  ports: AnchorPorts,
  companyKey: CompanyKey,
): Promise<Omit<AnchorReport, 'anchored'>> {
  const nowMs = ports.now();
  const { roots } = await ports.store.read((unit) => readRoots(unit, companyKey, nowMs));
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
  return { stamped, late, waiting, ...defined({ errorCode }) };
}

async function stampRoot(
  ports: AnchorPorts,
  root: DailyRoot & { readonly digest: string },
): Promise<ErrorCode | undefined> {
  const { timestamps, now, random } = ports;
  if (timestamps?.authority === undefined) return 'tsa.missing';
  const { requestTimestamp } = await import('../../../seal/timestamp-client.ts');
  const { createCertificatePool } = await import('../../../trust/pool.ts');
  const { authority, anchors } = timestamps;
  const context = { authority, anchors, pool: createCertificatePool(), random, now };
  try {
    const imprint = Buffer.from(root.digest, 'hex');
    const { token } = await requestTimestamp(context, 'sha256', imprint);
    await ports.store.write((unit) => unit.activity.stampDailyRoot(root, token));
    return undefined;
  } catch (error) {
    const isAuthority = isInnsigliError(error) && /^(tsa|network)\./.test(error.code);
    if (!isAuthority) throw error;
    return error.code;
  }
}

/** Time of day (UTC) at which the day before is anchored: its last transactions are over. */
const AT_MS = 90 * 60_000;
/** Wait for an authority that gave no time-stamp. */
const RETRY_MS = 3_600_000;

/** The job that anchors the log of a new company for the first time. */
export function firstAnchorJob(companyKey: CompanyKey, nowMs: number): JobDraft {
  return { kind: 'anchor', ref: companyKey, runAtMs: nextRunMs(nowMs) };
}

/** Days that a message names; more are counted. */
const NAMED_MAX = 5;

/**
 * Anchors the days of a company that are over, and comes again tomorrow.
 *
 * @returns which days were anchored too late to vouch for them, so that nobody overlooks it
 */
export async function anchorCompany(job: Job, ports: AnchorPorts): Promise<JobFailure | undefined> {
  const { waiting, late } = await anchorDays(ports, asKey('company', job.ref));
  const nowMs = ports.now();
  const runAtMs = waiting.length > 0 ? nowMs + RETRY_MS : nextRunMs(nowMs);
  await ports.store.write((unit) => unit.jobs.release(job.kind, job.ref, job.owner, runAtMs));
  if (late.length === 0) return undefined;
  const more = late.length > NAMED_MAX ? ` and ${late.length - NAMED_MAX} more` : '';
  const days = late.slice(0, NAMED_MAX).join(', ') + more;
  return { code: 'activity.root.late', why: `time-stamped too late: ${days}`, isFinal: false };
}

function nextRunMs(nowMs: number): number {
  const today = nowMs - (nowMs % DAY_MS);
  return today + AT_MS > nowMs ? today + AT_MS : today + DAY_MS + AT_MS;
}
