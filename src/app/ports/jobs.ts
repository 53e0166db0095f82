import type { ErrorCode } from '../../base/errors.ts';
import type { JobDraft, JobKind } from '../../domain/process/index.ts';

/** A request for due jobs. */
export interface JobClaim {
  /** Unpredictable identifier of the worker and of this claim. Never reused. */
  readonly owner: string;
  readonly kinds: readonly JobKind[];
  /** Only jobs with these references. Default: all. */
  readonly refs?: readonly string[];
  /** Jobs scheduled after this time are not due. Leases are measured by {@link Store.claimJobs}. */
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /**
   * Maximum delay of a job of these kinds. A time later by more than an hour was set by a clock
   * that has since gone back; such a job is due now.
   */
  readonly horizonMs?: number;
  /** Only jobs that have no owner, excluding those with an expired lease. */
  readonly unheld?: boolean;
  /** A fact that identifies the store: nothing is claimed from a different store. */
  readonly ownFact?: { readonly name: string; readonly value: string };
}

/** A job that this worker holds. */
export interface Job extends JobDraft {
  /** Number of claims, including this one. */
  readonly attempts: number;
  readonly owner: string;
}

/** Failed result of an executed job. The rows contain the time of the next attempt. */
export interface JobFailure {
  readonly code: ErrorCode;
  /** Reason for the failure, without names of persons. Undefined if the code is sufficient. */
  readonly why?: string;
  /** Whether no further attempt is planned. */
  readonly isFinal: boolean;
}

/** Jobs of one kind that are due. */
export interface DueJobs {
  readonly kind: JobKind;
  readonly count: number;
  readonly sinceMs: number;
}

/** Scheduled jobs. */
export interface Jobs {
  /**
   * Adds the job, or moves the job with the same kind and reference to the new time. A worker that
   * holds it loses it, so a handler that reschedules its own job calls {@link finish} first.
   */
  put(job: JobDraft): Promise<void>;
  /** Removes the job. If `owner` is given, only while that owner holds it. */
  finish(kind: JobKind, ref: string, owner?: string): Promise<boolean>;
  /** Removes the jobs that `owner` still holds and returns their references. */
  finishAll(kind: JobKind, refs: readonly string[], owner: string): Promise<readonly string[]>;
  /** Releases a claimed job until `runAtMs`. False if `owner` no longer holds it. */
  release(
    kind: JobKind,
    ref: string,
    owner: string,
    runAtMs: number,
    /** False if this claim does not count as an attempt, because nothing was tried. */
    isCounted?: boolean,
  ): Promise<boolean>;
  /** Like {@link release}, for many jobs. Returns the references of those that were held. */
  releaseAll(
    kind: JobKind,
    jobs: readonly Pick<Job, 'ref' | 'owner' | 'runAtMs'>[],
  ): Promise<readonly string[]>;
  /** Extends the leases that `owner` still holds to `leaseMs` from now. */
  renew(kind: JobKind, refs: readonly string[], owner: string, leaseMs: number): Promise<void>;
  /** Releases all jobs claimed by `owner`, as if they had never been claimed. */
  releaseClaim(kinds: readonly JobKind[], owner: string): Promise<void>;
  /** Whether the worker that claimed the job still holds it. */
  isHeld(job: Pick<Job, 'kind' | 'ref' | 'owner'>): Promise<boolean>;
  find(kind: JobKind, ref: string): Promise<JobDraft | undefined>;
  /** Number of due jobs, for health checks. */
  due(nowMs: number): Promise<number>;
  /** Due jobs by kind, each with the time since which its oldest job has been due. */
  dueByKind(nowMs: number): Promise<readonly DueJobs[]>;
}
