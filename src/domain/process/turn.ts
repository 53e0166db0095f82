import type { SigneeKey } from '../keys.ts';
import type { ProcessCommand } from './command.ts';
import type { Signee, SigningProcess } from './process.ts';

/** Context of a decision beyond the process itself. */
export interface DecisionContext {
  readonly nowMs: number;
  /** In an ordered sequence: the signees whose turn it is over all of its documents. */
  readonly sequenceTurn?: ReadonlySet<SigneeKey>;
  /** In a sequence: each person with all their places in its documents. */
  readonly persons?: () => readonly (readonly Signee[])[];
}

/** True for one who will not sign any more or has signed. */
export function isDone({ state }: Signee): boolean {
  return state === 'Signed' || state === 'Declined';
}

/** True when there is a signee and all have signed. */
export function areAllSigned({ signees }: SigningProcess): boolean {
  return signees.length > 0 && signees.every(({ state }) => state === 'Signed');
}

/** True when nobody has to sign before `signee`. */
export function isTurnOf(
  process: SigningProcess,
  signee: Signee,
  { sequenceTurn }: Pick<DecisionContext, 'sequenceTurn'>,
): boolean {
  if (sequenceTurn !== undefined) return sequenceTurn.has(signee.key);
  if (!process.signInOrder) return true;
  return process.signees.every((other) => other.order >= signee.order || other.state === 'Signed');
}

/** True when the process may not be signed any more but does not say so yet. */
export function isOverdue(process: SigningProcess, nowMs: number): boolean {
  const waits =
    process.status === 'InActive' || (process.status === 'Active' && process.phase === 'Open');
  return waits && nowMs >= process.expiresAtMs && !hasLiveLease(process, nowMs);
}

/** True for a command that ends the process, or removes its contents, by times that it names. */
export function isByTime(
  { expiresAtMs }: SigningProcess,
  { type }: Pick<ProcessCommand, 'type'>,
  nowMs: number,
): boolean {
  return type === 'expire' || type === 'purgeDue' || (type === 'unblock' && nowMs >= expiresAtMs);
}

/** True while a signee holds the right to place the next signature. */
export function hasLiveLease({ lease }: SigningProcess, nowMs: number): boolean {
  return lease !== undefined && lease.untilMs > nowMs;
}
