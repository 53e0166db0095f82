import { isStoreAway } from './patient-store.ts';
import type { Job, JobClaim, Jobs, StorePorts } from './ports/index.ts';

/** The jobs held by one program. */
export interface JobLeases {
  /**
   * Claims due jobs; the number of the claim is appended to the owner. Their lease is renewed until
   * they are released. It is short, so that jobs of a crashed program are soon done by another.
   */
  claim(claim: JobClaim): Promise<readonly Job[]>;
  /** Stops holding a job that was finished or released in the transaction of its result. */
  forget(job: Job): void;
  /** Releases a job that is not done; if the store is unavailable, the next {@link settle} does. */
  giveBack(job: Job, runAtMs: number, isCounted: boolean): Promise<void>;
  /**
   * Releases the jobs that could not be released while the store was unavailable, including those
   * of lost claims.
   *
   * @throws store.*
   */
  settle(): Promise<void>;
}

/** Dependencies of {@link openLeases}. */
export interface LeasePorts extends Pick<StorePorts, 'store'> {
  /**
   * Identifies the store.
   *
   * @throws store.mismatch, vault.key.mismatch
   */
  ownFact?(): Promise<NonNullable<JobClaim['ownFact']>>;
}

interface Debt {
  readonly job: Job;
  readonly runAtMs: number;
  readonly isCounted: boolean;
}

/** A third of the lease: two renewals may fail before it expires. */
const RENEW_EVERY_MS = 20_000;
/** Delay before a failed renewal is repeated, in milliseconds. */
const AGAIN_MS = 1000;
/** After an outage, holders of jobs take precedence: they write results and renew their leases. */
const WARY_MS = 10_000;
/**
 * Longest time for which a job is held, in milliseconds. A job that takes longer is hanging: its
 * lease expires and another worker repeats it. A mail and its blind copy may take twelve minutes
 * each.
 */
const HELD_MAX_MS = 30 * 60_000;

/**
 * Creates job leases that are renewed as long as this program lives. After an outage of the store,
 * leases of live programs may have expired: for `waryMs`, their jobs are not claimed.
 */
export function openLeases(
  ports: LeasePorts,
  renewEveryMs = RENEW_EVERY_MS,
  waryMs = WARY_MS,
  againMs = AGAIN_MS,
  heldMaxMs = HELD_MAX_MS,
): JobLeases {
  const { store } = ports;
  const held = new Map<Job, { readonly leaseMs: number; readonly sinceMs: number }>();
  const debts = new Set<Debt>();
  let claims = 0;
  const lostClaims = new Set<JobClaim>();
  const renew = () =>
    store.write(async ({ jobs }) => {
      const longAgoMs = performance.now() - heldMaxMs;
      for (const [job, { sinceMs }] of held) if (sinceMs < longAgoMs) held.delete(job);
      for (const [first, some] of byHolder([...held.keys()])) {
        const { kind, owner } = first;
        const leaseMs = held.get(first)?.leaseMs ?? 0;
        const refs = some.map(({ ref }) => ref);
        await jobs.renew(kind, refs, owner, leaseMs);
      }
    });
  const turns = renewalTimer(renew, renewEveryMs, againMs);
  const follow = () => turns(held.size > 0);
  // The store may have assigned jobs whose response was lost.
  const take = cautiousClaims(ports, waryMs, (claim) => lostClaims.add(claim));
  const forget = (job: Job) => {
    held.delete(job);
    follow();
  };
  return {
    async claim(claim) {
      const jobs = await take({ ...claim, owner: `${claim.owner}.${++claims}` });
      const holding = { leaseMs: claim.leaseMs, sinceMs: performance.now() };
      for (const job of jobs) held.set(job, holding);
      follow();
      return jobs;
    },
    forget,
    async giveBack(job, runAtMs, isCounted) {
      forget(job);
      const debt = { job, runAtMs, isCounted };
      try {
        await store.write(({ jobs }) => release(jobs, debt));
      } catch (error) {
        if (!isStoreAway(error)) throw error;
        debts.add(debt);
      }
    },
    async settle() {
      if (debts.size + lostClaims.size === 0) return;
      const [some, lost] = [[...debts], [...lostClaims]];
      await store.write(async ({ jobs }) => {
        for (const debt of some) await release(jobs, debt);
        for (const { kinds, owner } of lost) await jobs.releaseClaim(kinds, owner);
      });
      for (const debt of some) debts.delete(debt);
      for (const claim of lost) lostClaims.delete(claim);
    },
  };
}

/** Repeats `renew` as long as it is needed. */
function renewalTimer(
  renew: () => Promise<void>,
  everyMs: number,
  againMs: number,
): (isNeeded: boolean) => void {
  let timer: NodeJS.Timeout | undefined;
  const renewAfter = (timeMs: number) => {
    const turn = setTimeout(async () => {
      const isRenewed = await renew().then(
        () => true,
        () => false,
      );
      // All jobs may have been released meanwhile.
      if (timer === turn) renewAfter(isRenewed ? everyMs : againMs);
    }, timeMs).unref();
    timer = turn;
  };
  return (isNeeded) => {
    if (isNeeded && timer === undefined) renewAfter(everyMs);
    if (isNeeded) return;
    clearTimeout(timer);
    timer = undefined;
  };
}

/** Claims jobs, but for a while after an outage only those that no one holds. */
function cautiousClaims(
  { store, ownFact }: LeasePorts,
  waryMs: number,
  lost: (claim: JobClaim) => void,
): (claim: JobClaim) => Promise<readonly Job[]> {
  let isAway = false;
  let waryUntil = 0;
  return async (claim) => {
    try {
      const isWary = isAway || performance.now() < waryUntil;
      const jobs = await store.claimJobs({
        ...claim,
        ...(isWary ? { unheld: true } : {}),
        ...(ownFact === undefined ? {} : { ownFact: await ownFact() }),
      });
      if (isAway) waryUntil = performance.now() + waryMs;
      isAway = false;
      return jobs;
    } catch (error) {
      if (isStoreAway(error)) {
        isAway = true;
        lost(claim);
      }
      throw error;
    }
  };
}

function release(jobs: Jobs, { job, runAtMs, isCounted }: Debt): Promise<boolean> {
  return jobs.release(job.kind, job.ref, job.owner, runAtMs, isCounted);
}

/** Groups jobs by kind and owner, ordered by reference, so that all renewals lock in one order. */
function byHolder(held: readonly Job[]): Iterable<readonly [Job, readonly Job[]]> {
  const groups = new Map<string, Job[]>();
  const all = [...held].sort((a, b) => (a.ref < b.ref ? -1 : 1));
  for (const job of all) {
    const name = `${job.kind} ${job.owner}`;
    groups.set(name, [...(groups.get(name) ?? []), job]);
  }
  return [...groups.values()].map((jobs) => [jobs[0] as Job, jobs] as const);
}
