import { refusal, type Verdict } from './guards.ts';
import type { HeldTime, Signee, SigningProcess } from './process.ts';
import { type DecisionContext, hasLiveLease, isDone, isTurnOf } from './turn.ts';

/** Nobody signs in less: a shorter rest of a hold is none. */
const leastLeaseMs = 60_000;

/** The longest wait for one who has held the document and not signed. */
const longestWaitMs = 3_600_000;

/**
 * The process with the lease that is over, given back or renewed counted to its signee: holding
 * without signing is limited, because meanwhile nobody else can sign.
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

// A link adds several signees: together they are one, or they would hold the document in turns.
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
 * One hold in turn with the others: `leaseMs` in all, however often it is begun again, and then a
 * wait as long as the signee has held the document in all. If nobody else could sign, there is
 * neither a wait nor a limit.
 *
 * @param counted the process as {@link withHoldCounted} gives it
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
  // A hold that still runs is told with its end: it may go on to there.
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

/** The signees when a new hold of `signee` begins: after a rest it is a new run. */
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
