import { asKey, type CompanyKey } from '../../../domain/keys.ts';
import type { JobDraft } from '../../../domain/process/index.ts';
import type { Job, JobFailure } from '../../ports/index.ts';
import { type AnchorPorts, anchorDays } from './anchor-days.ts';

const DAY_MS = 86_400_000;
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
