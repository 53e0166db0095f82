import type { SigneeKey } from '../keys.ts';
import type { ProcessCommand } from './command.ts';
import type { Signee, SigningProcess } from './process.ts';

/** Context of a decision beyond the process itself. */
export interface DecisionContext {
  readonly nowMs: number;
  /** In an ordered sequence: the signees whose turn it is, across all documents. */
  readonly sequenceTurn?: ReadonlySet<SigneeKey>;
  /** In a sequence: for each person, their signees in all documents. */
  readonly persons?: () => readonly (readonly Signee[])[];
}

/** Whether the signee has signed or declined. */
export function isDone({ state }: Signee): boolean {
  return state === 'Signed' || state === 'Declined';
}

/** Whether there are signees and all have signed. */
export function areAllSigned({ signees }: SigningProcess): boolean {
  return signees.length > 0 && signees.every(({ state }) => state === 'Signed');
}

/** Whether no other signee has to sign before `signee`. */
export function isTurnOf(
  process: SigningProcess,
  signee: Signee,
  { sequenceTurn }: Pick<DecisionContext, 'sequenceTurn'>,
): boolean {
  if (sequenceTurn !== undefined) return sequenceTurn.has(signee.key);
  if (!process.signInOrder) return true;
  return process.signees.every((other) => other.order >= signee.order || other.state === 'Signed');
}

/** Whether the process can no longer be signed, although its status does not show it yet. */
export function isOverdue(process: SigningProcess, nowMs: number): boolean {
  const waits =
    process.status === 'InActive' || (process.status === 'Active' && process.phase === 'Open');
  return waits && nowMs >= process.expiresAtMs && !hasLiveLease(process, nowMs);
}

/** Whether the command ends the process or purges it because of a time in the process. */
export function isTimed(
  { expiresAtMs }: SigningProcess,
  { type }: Pick<ProcessCommand, 'type'>,
  nowMs: number,
): boolean {
  return type === 'expire' || type === 'purgeDue' || (type === 'unblock' && nowMs >= expiresAtMs);
}

/** Whether a signee holds the right to apply the next signature. */
export function hasLiveLease({ lease }: SigningProcess, nowMs: number): boolean {
  return lease !== undefined && lease.untilMs > nowMs;
}
