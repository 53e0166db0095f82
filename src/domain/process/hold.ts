import { refusal, type Verdict } from './guards.ts';
import type { HeldTime, Signee, SigningProcess } from './process.ts';
import { type DecisionContext, hasLiveLease, isDone, isTurnOf } from './turn.ts';

/** No one can sign in less time: a shorter remainder of a hold counts as none. */
const leastLeaseMs = 60_000;

/** Maximum wait for a signee who has held the document without signing. */
const longestWaitMs = 3_600_000;

/**
 * Adds the time of a lease that expired, was released or is being renewed to the account of its
 * signee. Holding without signing is limited because no one else can sign meanwhile.
 */
export function withHoldCounted(process: SigningProcess, nowMs: number): SigningProcess {
  const { lease } = process;
  if (lease === undefined) return process;
  const { signeeKey, sinceMs, untilMs } = lease;
  const overAtMs = Math.min(untilMs, nowMs);
  const heldMs = Math.max(0, overAtMs - (sinceMs ?? overAtMs));
  const holder = process.signees.find(({ key }) => key === signeeKey);
  if (holder === undefined) return process;
  const { runMs = 0, totalMs = 0 } = accountOf(process, holder) ?? {};
  const held = { runMs: runMs + heldMs, totalMs: totalMs + heldMs, untilMs: overAtMs };
  const signees = process.signees.map((each) =>
    isSameAccount(each, holder) ? { ...each, held } : each,
  );
  return { ...process, signees };
}

// Signees added by link share one account; otherwise they could take turns holding the document.
function isSameAccount(a: Signee, b: Signee): boolean {
  return a.key === b.key || (a.byLink?.isAdded === true && b.byLink?.isAdded === true);
}

function accountOf({ signees }: SigningProcess, signee: Signee): HeldTime | undefined {
  const own = signees.filter((each) => isSameAccount(each, signee));
  return own.flatMap(({ held }) => held ?? []).at(0);
}

/** Duration for which a signee may hold the document now, or the refusal. */
export type HoldVerdict =
  | { readonly leaseMs: number; readonly refused?: undefined }
  | { readonly refused: NonNullable<Verdict> };

/**
 * Limits how long a signee holds the document while others could sign: `leaseMs` in total, however
 * often the hold is restarted, then a wait as long as the total time held. If no one else could
 * sign, there is neither wait nor limit.
 *
 * @param counted the process as returned by {@link withHoldCounted}
 */
export function holdRule(
  counted: SigningProcess,
  signee: Signee,
  leaseMs: number,
  context: DecisionContext,
): HoldVerdict {
  const held = accountOf(counted, signee);
  if (held === undefined || !isAwaited(counted, signee, context)) return { leaseMs };
  if (isRested(held, context.nowMs)) return { leaseMs };
  const restMs = leaseMs - held.runMs;
  if (restMs >= leastLeaseMs) return { leaseMs: restMs };
  const { lease } = counted;
  // A live hold may continue to its end, so the wait starts there.
  const isLive = lease?.signeeKey === signee.key && hasLiveLease(counted, context.nowMs);
  const openMs = isLive ? Math.max(0, (lease?.untilMs ?? 0) - held.untilMs) : 0;
  const waitMs = Math.min(longestWaitMs, held.totalMs + openMs);
  const hint = 'others can sign now; try again later';
  return {
    refused: {
      ...refusal('2002', `signee ${signee.key} locked ${counted.key} without signing`, hint),
      retryAtMs: held.untilMs + openMs + waitMs,
    },
  };
}

/** The signees at the start of a new hold of `signee`. After a rest, the run is reset. */
export function atNewHold(
  counted: SigningProcess,
  signee: Signee,
  nowMs: number,
): readonly Signee[] {
  const held = accountOf(counted, signee);
  if (held === undefined || !isRested(held, nowMs)) return counted.signees;
  const rested = { ...held, runMs: 0 };
  return counted.signees.map((each) =>
    isSameAccount(each, signee) ? { ...each, held: rested } : each,
  );
}

function isRested({ totalMs, untilMs }: HeldTime, nowMs: number): boolean {
  return nowMs - untilMs >= Math.min(longestWaitMs, totalMs);
}

function isAwaited(process: SigningProcess, signee: Signee, context: DecisionContext): boolean {
  return process.signees.some(
    (each) => each.key !== signee.key && !isDone(each) && isTurnOf(process, each, context),
  );
}
