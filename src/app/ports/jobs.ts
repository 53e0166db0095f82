import type { ErrorCode } from '../../base/errors.ts';
import type { JobDraft, JobKind } from '../../domain/process/index.ts';

/** A request for due jobs. */
export interface JobClaim {
  /** Unpredictable identifier of the worker and of this claim: no other one has it. */
  readonly owner: string;
  readonly kinds: readonly JobKind[];
  /** Only jobs with these references; all when left out. */
  readonly refs?: readonly string[];
  /** What is planned for later is not due; leases are judged by {@link Store.claimJobs}. */
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
  /**
   * No job of these kinds waits for longer. A time that is later by more than an hour was set by a
   * clock that has gone back since: such a job is due now.
   */
  readonly horizonMs?: number;
  /** Only jobs that nobody holds, not those of which a lease is over. */
  readonly unheld?: boolean;
  /** Fact by which the store is recognised: from another store nothing is claimed. */
  readonly ownFact?: { readonly name: string; readonly value: string };
}

/** A job that this worker holds. */
export interface Job extends JobDraft {
  /** Times it was claimed, this one included. */
  readonly attempts: number;
  readonly owner: string;
}

/** Failed result of a job that was done; the rows contain the time of the next attempt. */
export interface JobFailure {
  readonly code: ErrorCode;
  /** Reason for the failure, without names of persons; absent if the code is sufficient. */
  readonly why?: string;
  /** No further attempt is planned. */
  readonly isFinal: boolean;
}

/** Jobs of one kind that are due. */
export interface DueJobs {
  readonly kind: JobKind;
  readonly count: number;
  readonly sinceMs: number;
}

/** Work that waits for its time. */
export interface Jobs {
  /**
   * Adds the job, or moves the one of the same kind and reference to the new time. A worker that
   * holds it loses it, so a handler that puts its own job again calls {@link finish} before.
   */
  put(job: JobDraft): Promise<void>;
  /** Removes it; for a claimed job only when `owner` still holds it. */
  finish(kind: JobKind, ref: string, owner?: string): Promise<boolean>;
  /** Removes those that `owner` still holds, and gives their references. */
  finishAll(kind: JobKind, refs: readonly string[], owner: string): Promise<readonly string[]>;
  /** Lets go of a claimed job until `runAtMs`; false when `owner` holds it no longer. */
  release(
    kind: JobKind,
    ref: string,
    owner: string,
    runAtMs: number,
    /** False: this claim is not one of its attempts, because nothing was tried. */
    isCounted?: boolean,
  ): Promise<boolean>;
  /** As {@link release} for many; gives the references of those that were held. */
  releaseAll(
    kind: JobKind,
    jobs: readonly Pick<Job, 'ref' | 'owner' | 'runAtMs'>[],
  ): Promise<readonly string[]>;
  /** Holds those that `owner` still holds for `leaseMs` from now on. */
  renew(kind: JobKind, refs: readonly string[], owner: string, leaseMs: number): Promise<void>;
  /** Lets go of what the claim of `owner` took, as if it never was. */
  releaseClaim(kinds: readonly JobKind[], owner: string): Promise<void>;
  /** True as long as nobody took it from the worker that claimed it. */
  isHeld(job: Pick<Job, 'kind' | 'ref' | 'owner'>): Promise<boolean>;
  find(kind: JobKind, ref: string): Promise<JobDraft | undefined>;
  /** Jobs that are due, for health checks. */
  due(nowMs: number): Promise<number>;
  /** The same by kind, with the time since which the oldest one has been due. */
  dueByKind(nowMs: number): Promise<readonly DueJobs[]>;
}
