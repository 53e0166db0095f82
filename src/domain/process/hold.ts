import { refusal, type Verdict } from './guards.ts';
import type { Signee, SigningProcess } from './process.ts';
import { type DecisionContext, hasLiveLease, isDone, isTurnOf } from './turn.ts';

/** Nobody signs in less: a shorter rest of a hold is none. */
const leastLeaseMs = 60_000;

/** The longest wait for one who has held the document and not signed. */
const longestWaitMs = 3_600_000;

/**
 * The process with the lease that is over, given back or renewed counted to its signee: what
 * somebody holds without signing is bounded, because meanwhile nobody else can sign.
 */
export function withHoldCounted(process: SigningProcess, nowMs: number): SigningProcess {
  const { lease } = process;
  if (lease === undefined) return process;
  const { signeeKey, sinceMs, untilMs } = lease;
  const overAtMs = Math.min(untilMs, nowMs);
  const heldMs = Math.max(0, overAtMs - (sinceMs ?? overAtMs));
  const signees = process.signees.map((each) => {
    if (each.key !== signeeKey) return each;
    const { runMs = 0, totalMs = 0 } = each.held ?? {};
    const held = { runMs: runMs + heldMs, totalMs: totalMs + heldMs, untilMs: overAtMs };
    return { ...each, held };
  });
  return { ...process, signees };
}

/** How long a signee may hold the document now, or why not at all. */
export type HoldVerdict =
  | { readonly leaseMs: number; readonly refused?: undefined }
  | { readonly refused: NonNullable<Verdict> };

/**
 * One hold in turn with the others: `leaseMs` in all, however often it is begun again, and then a
 * wait as long as the signee has held the document in all. Where nobody else could sign, nobody
 * is kept out, and no hold is too long.
 *
 * @param counted the process as {@link withHoldCounted} gives it
 */
export function holdRule(
  counted: SigningProcess,
  signee: Signee,
  leaseMs: number,
  context: DecisionContext,
): HoldVerdict {
  const { held } = counted.signees.find(({ key }) => key === signee.key) ?? signee;
  if (held === undefined || !isAwaited(counted, signee, context)) return { leaseMs };
  if (isRested(held, context.nowMs)) return { leaseMs };
  const restMs = leaseMs - held.runMs;
  if (restMs >= leastLeaseMs) return { leaseMs: restMs };
  const { lease } = counted;
  // A hold that still runs is told with its end: it may go on to there.
  const isLive = lease?.signeeKey === signee.key && hasLiveLease(counted, context.nowMs);
  const openMs = isLive ? Math.max(0, (lease?.untilMs ?? 0) - held.untilMs) : 0;
  const waitMs = Math.min(longestWaitMs, held.totalMs + openMs);
  const hint = 'others can sign now; try again in a while';
  return {
    refused: {
      ...refusal('2002', `signee ${signee.key} has held ${counted.key} and not signed`, hint),
      retryAtMs: held.untilMs + openMs + waitMs,
    },
  };
}

/** What a signee has held when a new hold begins. */
export function heldBefore(signee: Signee, nowMs: number): Pick<Signee, 'held'> {
  const { held } = signee;
  if (held === undefined) return {};
  return { held: isRested(held, nowMs) ? { ...held, runMs: 0 } : held };
}

function isRested({ totalMs, untilMs }: NonNullable<Signee['held']>, nowMs: number): boolean {
  return nowMs - untilMs >= Math.min(longestWaitMs, totalMs);
}

function isAwaited(process: SigningProcess, signee: Signee, context: DecisionContext): boolean {
  return process.signees.some(
    (each) => each.key !== signee.key && !isDone(each) && isTurnOf(process, each, context),
  );
}
