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

/** Dependencies of anchoring. Without an authority, roots remain without a time-stamp. */
export type AnchorPorts = Pick<ActivityPorts, 'store' | 'now' | 'random' | 'timestamps'>;

/** Result of {@link anchorDays}. */
export interface AnchorReport {
  /** Days whose root was created by this run. */
  readonly anchored: readonly string[];
  /** Days whose root was time-stamped by this run. */
  readonly stamped: readonly string[];
  /** Days among `stamped` that were time-stamped too late: their roots can never prove anything. */
  readonly late: readonly string[];
  /** Days whose root still has no time-stamp. */
  readonly waiting: readonly string[];
  /** Error code of the authority if it returned no time-stamp. */
  readonly errorCode?: ErrorCode;
}

/** Grace period in which transactions that were open at the end of a day complete. */
const graceMs = 60 * 60 * 1000;
const DAY_MS = 86_400_000;
/** 2000-01-01: no log is older. */
const earliestMs = 946_684_800_000;

/**
 * Creates a root over the rows of each completed day, up to yesterday, and has the roots
 * time-stamped. Days without rows get no root, except one per quiet week. The operation is
 * idempotent; a time-stamp that could not be obtained is requested again by the next run. Days that
 * ended long ago are anchored too but remain in doubt: the time-stamp shows how late it was.
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

/** Creates the root of the next completed day that needs one; undefined if there is none. */
async function anchorNext(
  ports: AnchorPorts,
  companyKey: CompanyKey,
  nowMs: number,
): Promise<string | undefined> {
  return ports.store.write(async (unit) => {
    // Serializes concurrent runs: each sees the roots of the previous one.
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
    // False if an invalid row already occupies this day.
    return isNew ? day : undefined;
  });
}

/** The next day with rows after the last root, or the last day of a quiet week. */
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
  const since = dayOf(plausibleMs(await activity.rootsFromMs(companyKey), nowMs));
  const last = newest !== undefined && newest > since ? newest : since;
  const quietDay = dayOf(daySpan(last).fromMs + quietDaysMax * DAY_MS);
  return rowDay !== undefined && rowDay < quietDay ? rowDay : quietDay;
}

/** Returns `atMs` if plausible for a log, else `nowMs`: a forged database may have any number. */
function plausibleMs(atMs: number, nowMs: number): number {
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

/** Time of day (UTC) at which the previous day is anchored: its last transactions are complete. */
const AT_MS = 90 * 60_000;
/** Delay before an authority that returned no time-stamp is asked again. */
const RETRY_MS = 3_600_000;

/** The first anchoring job of a new company. */
export function firstAnchorJob(companyKey: CompanyKey, nowMs: number): JobDraft {
  return { kind: 'anchor', ref: companyKey, runAtMs: nextRunMs(nowMs) };
}

/** Number of days a message names; the rest are counted. */
const NAMED_MAX = 5;

/**
 * Anchors the completed days of a company and reschedules the job.
 *
 * @returns a failure naming the days that were anchored too late to vouch for them, so that it is
 * not overlooked
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
